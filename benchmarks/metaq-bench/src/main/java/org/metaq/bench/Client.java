package org.metaq.bench;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** A client JVM, seen from the process that started it. Confined to one thread. */
final class Client implements AutoCloseable {
    private static final long START_TIMEOUT_MS = 60_000;
    private static final long SILENCE_MS = 300_000;

    private final ForkedProcess process;

    private Client(ForkedProcess process) {
        this.process = process;
    }

    /** Told what a client does. */
    interface Listener {
        /** A workload begins. */
        void begun(String workload);

        /** It has a result. */
        void measured(Measurement measurement);

        /** It failed; the client ends. */
        void failed(String workload, String why);
    }

    /**
     * Starts one, which waits for {@link #run}.
     *
     * @param directory for its files
     * @param workloads that it is to run, by name
     */
    static Client start(
            Provider provider,
            Plan plan,
            Path directory,
            double warmUpJvmSeconds,
            List<String> workloads)
            throws BenchException, InterruptedException {
        ClientSettings settings =
                new ClientSettings(
                        provider.factoryClass(),
                        provider.xaFactoryClass(),
                        warmUpJvmSeconds,
                        plan.warmUpSeconds(),
                        plan.seconds(),
                        plan.backlogCount(),
                        directory.toString(),
                        workloads);
        List<String> options = new ArrayList<>(plan.clientOptions());
        options.addAll(NarayanaBranches.jvmOptions(directory.resolve("transaction-log")));
        List<String> command =
                Stream.concat(
                                Jvm.command(
                                        Jvm.CLIENT_HEAP,
                                        options,
                                        classPath(provider, plan),
                                        ClientMain.class)
                                        .stream(),
                                settings.arguments().stream())
                        .toList();
        Client client =
                new Client(
                        ForkedProcess.start(
                                "client of " + provider.name(),
                                command,
                                directory.resolve("client.log"),
                                Map.of()));
        boolean isWaiting = false;
        try {
            client.process.awaitLine(ClientMain.WAITING, START_TIMEOUT_MS);
            isWaiting = true;
            return client;
        } finally {
            if (!isWaiting) {
                client.close();
            }
        }
    }

    private static String classPath(Provider provider, Plan plan) throws BenchException {
        // The provider's first: what both bring is the provider's.
        return String.join(
                File.pathSeparator,
                Stream.of(
                                provider.clientClassPath(),
                                Jvm.origin(ClientMain.class).toString(),
                                Jvm.origin(Histogram.class).toString(),
                                plan.managerJars())
                        .filter(part -> !part.isEmpty())
                        .toList());
    }

    /**
     * Lets it run its workloads.
     *
     * @throws BenchException if it ends otherwise than after the last one, or a failed one
     */
    void run(Provider.Broker broker, Listener listener)
            throws BenchException, InterruptedException {
        process.writeLine(broker.pid() + " " + broker.uri());
        while (true) {
            Optional<String> line = process.nextLine(SILENCE_MS);
            if (line.isEmpty()) {
                process.awaitSuccess();
                return;
            }
            tell(line.get(), listener);
        }
    }

    private static void tell(String line, Listener listener) {
        if (line.startsWith(ClientMain.BEGIN)) {
            listener.begun(line.substring(ClientMain.BEGIN.length()));
        } else if (line.startsWith(ClientMain.RESULT)) {
            listener.measured(Measurement.parse(line.substring(ClientMain.RESULT.length())));
        } else if (line.startsWith(ClientMain.FAILED)) {
            String[] words = line.substring(ClientMain.FAILED.length()).split(" ", 2);
            listener.failed(words[0], words[words.length - 1]);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
