package org.metaq.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * What a client JVM says to the process that started it: it prints {@code waiting}, reads one line
 * with the process id of the broker (or 0), a blank, and its URI, and prints the results.
 * Stateless.
 */
final class ClientSession {
    /** Printed when the broker is to be named. */
    static final String WAITING = "waiting";

    /** Starts a line with a {@link Measurement}. */
    static final String RESULT = "result ";

    /** Starts a line that names the workload which begins. */
    static final String BEGIN = "begin ";

    /** Starts a line with the name of the workload that failed, and why. */
    static final String FAILED = "failed ";

    /** Starts a line for people. */
    static final String NOTE = "note ";

    /** Stands for all workloads that are left where the one is named that failed. */
    static final String ALL = "-";

    private static final PrintStream OUT =
            new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private ClientSession() {}

    /**
     * A broker that serves.
     *
     * @param pid 0 if not known
     */
    record BrokerAddress(long pid, String uri) {}

    /** What a client does from its start to its end. */
    interface Body {
        /** Does it. */
        void run() throws Exception;
    }

    /** Runs all of a client, tells if it fails, and ends the process. */
    static void run(Body body) {
        int status = 0;
        try {
            body.run();
        } catch (Exception e) {
            OUT.println(FAILED + ALL + " " + why(e));
            e.printStackTrace();
            status = 1;
        }
        // A provider's threads must not keep the process.
        System.exit(status);
    }

    /** Says that all is ready, and waits for the broker. */
    static BrokerAddress awaitBroker() throws BenchException, IOException {
        OUT.println(WAITING);
        @Nullable String broker =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                        .readLine();
        if (broker == null) {
            throw new BenchException("no broker was named");
        }
        int blank = broker.indexOf(' ');
        return new BrokerAddress(
                Long.parseLong(broker.substring(0, blank)), broker.substring(blank + 1));
    }

    /**
     * Runs a workload and tells its results, or that it failed.
     *
     * @return false if it failed: then nothing else is to be run, its members may still be there
     */
    static boolean runWorkload(String name, Callable<List<Measurement>> workload) {
        OUT.println(BEGIN + name);
        try {
            workload.call().forEach(measurement -> OUT.println(RESULT + measurement.toLine()));
            return true;
        } catch (Exception e) {
            e.printStackTrace();
            OUT.println(FAILED + name + " " + why(e));
            return false;
        }
    }

    /** Tells people something that ends nothing. */
    static void note(String text) {
        OUT.println(NOTE + onOneLine(text));
    }

    private static String why(Exception e) {
        return onOneLine(
                String.valueOf(e instanceof BenchException ? e.getMessage() : e.toString()));
    }

    private static String onOneLine(String text) {
        return text.replaceAll("\\s+", " ");
    }
}
