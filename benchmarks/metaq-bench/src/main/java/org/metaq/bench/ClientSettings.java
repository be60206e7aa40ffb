package org.metaq.bench;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What a client JVM is told on its command line. Immutable.
 *
 * @param factoryClass connection factory with a constructor that takes a URI
 * @param xaFactoryClass the same for XA; empty if the provider has none
 * @param warmUpJvmSeconds before the first workload
 * @param warmUpSeconds of each workload
 * @param seconds measured of each workload
 * @param backlogCount messages of the large backlog
 * @param directory for files of the client
 * @param workloads to run, by name
 */
record ClientSettings(
        String factoryClass,
        String xaFactoryClass,
        double warmUpJvmSeconds,
        double warmUpSeconds,
        double seconds,
        int backlogCount,
        String directory,
        List<String> workloads) {
    private static final String FACTORY = "factory";
    private static final String XA_FACTORY = "xa-factory";
    private static final String WARM_UP_JVM = "warm-up-jvm-seconds";
    private static final String WARM_UP = "warm-up-seconds";
    private static final String SECONDS = "seconds";
    private static final String BACKLOG = "backlog";
    private static final String DIRECTORY = "directory";
    private static final String WORKLOAD = "workload";

    ClientSettings {
        workloads = List.copyOf(workloads);
    }

    /** As arguments for {@link #parse}. */
    List<String> arguments() {
        return Stream.concat(
                        Stream.of(
                                FACTORY + "=" + factoryClass,
                                XA_FACTORY + "=" + xaFactoryClass,
                                WARM_UP_JVM + "=" + warmUpJvmSeconds,
                                WARM_UP + "=" + warmUpSeconds,
                                SECONDS + "=" + seconds,
                                BACKLOG + "=" + backlogCount,
                                DIRECTORY + "=" + directory),
                        workloads.stream().map(name -> WORKLOAD + "=" + name))
                .toList();
    }

    /**
     * Reads arguments.
     *
     * @throws IllegalArgumentException if something is missing or wrong
     */
    static ClientSettings parse(List<String> arguments) {
        Map<String, String> values = new TreeMap<>();
        List<String> workloads = new java.util.ArrayList<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("not name=value: " + argument);
            }
            String value = argument.substring(equals + 1);
            if (argument.startsWith(WORKLOAD + "=")) {
                workloads.add(value);
            } else {
                values.put(argument.substring(0, equals), value);
            }
        }
        return new ClientSettings(
                required(values, FACTORY),
                required(values, XA_FACTORY),
                Double.parseDouble(required(values, WARM_UP_JVM)),
                Double.parseDouble(required(values, WARM_UP)),
                Double.parseDouble(required(values, SECONDS)),
                Integer.parseInt(required(values, BACKLOG)),
                required(values, DIRECTORY),
                workloads);
    }

    /** Times of each workload. */
    Context.Times times() {
        return new Context.Times(nanoseconds(warmUpSeconds), nanoseconds(seconds));
    }

    /** Times of the warm-up before the first workload. */
    Context.Times warmUpTimes() {
        return new Context.Times(nanoseconds(warmUpJvmSeconds), 0);
    }

    private static String required(Map<String, String> values, String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return value;
    }

    private static long nanoseconds(double seconds) {
        return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    }
}
