package org.metaq.bench;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnectionFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Main class of the client JVM: runs workloads against a broker, and prints {@code result …} for
 * each row. A workload that fails is told as {@code failed …} and is the last one.
 *
 * <p>Arguments: see {@link ClientSettings}. When it is ready it prints {@code waiting} and reads
 * one line from standard input: the process id of the broker, or 0, a blank, and its URI.
 */
public final class ClientMain {
    /** Printed when the broker is to be named. */
    static final String WAITING = "waiting";

    /** Starts a line with a {@link Measurement}. */
    static final String RESULT = "result ";

    /** Starts a line that names the workload which begins. */
    static final String BEGIN = "begin ";

    /** Starts a line with the name of the workload that failed, and why. */
    static final String FAILED = "failed ";

    private static final PrintStream OUT =
            new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private ClientMain() {}

    /** Runs the workloads, and ends the process. */
    public static void main(String[] args) throws InterruptedException {
        int status = 0;
        try {
            run(ClientSettings.parse(List.of(args)));
        } catch (BenchException
                | IOException
                | JMSException
                | ReflectiveOperationException
                | RuntimeException e) {
            e.printStackTrace();
            status = 1;
        }
        // A provider's threads must not keep the process.
        System.exit(status);
    }

    private static void run(ClientSettings settings)
            throws BenchException,
                    InterruptedException,
                    IOException,
                    JMSException,
                    ReflectiveOperationException {
        Class.forName(settings.factoryClass());
        OUT.println(WAITING);
        @Nullable String broker =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                        .readLine();
        if (broker == null) {
            throw new BenchException("no broker was named");
        }
        int blank = broker.indexOf(' ');
        String uri = broker.substring(blank + 1);
        Context context =
                new Context(
                        factory(settings.factoryClass(), uri, ConnectionFactory.class),
                        settings.xaFactoryClass().isEmpty()
                                ? null
                                : factory(
                                        settings.xaFactoryClass(), uri, XAConnectionFactory.class),
                        Long.parseLong(broker.substring(0, blank)),
                        settings.times(),
                        Path.of(settings.directory()),
                        settings.backlogCount());
        warmUp(context, settings);
        for (String name : settings.workloads()) {
            if (!runOne(Workloads.named(name), context)) {
                return;
            }
        }
    }

    private static void warmUp(Context context, ClientSettings settings)
            throws BenchException, InterruptedException, IOException, JMSException {
        if (settings.warmUpJvmSeconds() > 0) {
            List<Workload> warmUps = Workloads.warmUps();
            for (Workload workload : warmUps) {
                workload.run(context.during(settings.warmUpTimes(warmUps.size())));
            }
        }
    }

    /** False if it failed. */
    private static boolean runOne(Workload workload, Context context) throws InterruptedException {
        OUT.println(BEGIN + workload.name());
        try {
            // The broker of a backlog was just started: its peak is that since then.
            if (!(workload instanceof BacklogPhase)) {
                Usage.restartPeak(context.brokerPid());
            }
            workload.run(context)
                    .forEach(measurement -> OUT.println(RESULT + measurement.toLine()));
            return true;
        } catch (BenchException | IOException | JMSException | RuntimeException e) {
            e.printStackTrace();
            String why = e instanceof BenchException ? e.getMessage() : e.toString();
            OUT.println(
                    FAILED + workload.name() + " " + String.valueOf(why).replaceAll("\\s+", " "));
            return false;
        }
    }

    private static <T> T factory(String className, String uri, Class<T> type)
            throws ReflectiveOperationException {
        return Class.forName(className)
                .asSubclass(type)
                .getConstructor(String.class)
                .newInstance(uri);
    }
}
