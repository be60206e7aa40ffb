package org.metaq.bench;

import jakarta.jms.ConnectionFactory;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Main class of the client JVM: runs workloads against a broker that is already there, and prints
 * {@code result …} for each. Exit status 1 and one line on the error stream if one fails.
 *
 * <p>Arguments: class of the connection factory, which has a constructor that takes a URI; the URI;
 * process id of the broker; seconds of warm-up; measured seconds; the workloads.
 */
public final class ClientMain {
    /** Starts a line with a {@link Measurement}. */
    static final String RESULT = "result ";

    /** Starts a line that names the workload which begins. */
    static final String BEGIN = "begin ";

    private static final int WORKLOADS_ARGUMENT = 5;

    private ClientMain() {}

    /** Runs the workloads, and ends the process. */
    public static void main(String[] args) throws InterruptedException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        int status = 0;
        try {
            ConnectionFactory factory = factory(args[0], args[1]);
            QueueRun.Times times = new QueueRun.Times(seconds(args[3]), seconds(args[4]));
            List<Workload> workloads =
                    Arrays.stream(args).skip(WORKLOADS_ARGUMENT).map(Workload::valueOf).toList();
            for (Workload workload : workloads) {
                out.println(BEGIN + workload);
                QueueRun run = new QueueRun(workload, factory, Long.parseLong(args[2]), times);
                run.run().forEach(measurement -> out.println(RESULT + measurement.toLine()));
            }
        } catch (BenchException | IOException | ReflectiveOperationException e) {
            System.err.println(e.getMessage());
            e.printStackTrace();
            status = 1;
        }
        // A provider's threads must not keep the process.
        System.exit(status);
    }

    private static ConnectionFactory factory(String className, String uri)
            throws ReflectiveOperationException {
        return Class.forName(className)
                .asSubclass(ConnectionFactory.class)
                .getConstructor(String.class)
                .newInstance(uri);
    }

    private static long seconds(String text) {
        return (long) (Double.parseDouble(text) * TimeUnit.SECONDS.toNanos(1));
    }
}
