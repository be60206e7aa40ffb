package org.metaq.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
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

        /** Something else that people should know. */
        void noted(String text);

        /** It failed; the client ends. */
        void failed(String workload, String why);
    }

    /**
     * Starts one for Jakarta Messaging, which waits for {@link #run}.
     *
     * @param directory for its files
     * @param workloads that it is to run, by name
     */
    static Client start(Provider provider, Plan plan, Path directory, List<String> workloads)
            throws BenchException, InterruptedException {
        List<String> options = new ArrayList<>(plan.clientOptions());
        options.addAll(NarayanaBranches.jvmOptions(directory.resolve("transaction-log")));
        // The provider's first: what both bring is the provider's.
        String classPath =
                Stream.of(provider.clientClassPath(), ownClassPath(), plan.managerJars())
                        .filter(part -> !part.isEmpty())
                        .collect(Collectors.joining(File.pathSeparator));
        return start(
                provider.name(),
                Jvm.command(Jvm.CLIENT_HEAP, options, classPath, ClientMain.class),
                new ClientSettings(
                        provider.factoryClass(),
                        provider.xaFactoryClass(),
                        plan.warmUpJvmSeconds(),
                        plan.warmUpSeconds(),
                        plan.seconds(),
                        plan.backlogCount(),
                        directory.toString(),
                        workloads));
    }

    /** Starts an original MetaQ client, which waits for {@link #run}. */
    static Client startClassic(Server server, Plan plan, Path directory, List<String> workloads)
            throws BenchException, InterruptedException {
        List<String> options = new ArrayList<>(plan.clientOptions());
        try {
            options.addAll(OriginalServer.originalOptions(directory));
        } catch (IOException e) {
            throw new BenchException("cannot write to " + directory + ": " + e, e);
        }
        String classPath = plan.classicJars() + File.pathSeparator + ownClassPath();
        return start(
                server.name(),
                Jvm.command(Jvm.CLIENT_HEAP, options, classPath, ClassicMain.class),
                new ClientSettings(
                        "",
                        "",
                        plan.warmUpJvmSeconds(),
                        plan.warmUpSeconds(),
                        plan.seconds(),
                        plan.backlogCount(),
                        directory.toString(),
                        workloads));
    }

    private static Client start(String server, List<String> jvm, ClientSettings settings)
            throws BenchException, InterruptedException {
        ForkedProcess process =
                ForkedProcess.start(
                        "client of " + server,
                        Stream.concat(jvm.stream(), settings.arguments().stream()).toList(),
                        Path.of(settings.directory()).resolve("client.log"),
                        Map.of());
        process.awaitLineOrClose(ClientSession.WAITING, START_TIMEOUT_MS);
        return new Client(process);
    }

    private static String ownClassPath() throws BenchException {
        return Jvm.origin(ClientMain.class) + File.pathSeparator + Jvm.origin(Histogram.class);
    }

    /**
     * Lets it run its workloads.
     *
     * @throws BenchException if it ends otherwise than after the last one, or a failed one
     */
    void run(Server.Broker broker, Listener listener) throws BenchException, InterruptedException {
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
        if (line.startsWith(ClientSession.BEGIN)) {
            listener.begun(line.substring(ClientSession.BEGIN.length()));
        } else if (line.startsWith(ClientSession.RESULT)) {
            listener.measured(Measurement.parse(line.substring(ClientSession.RESULT.length())));
        } else if (line.startsWith(ClientSession.NOTE)) {
            listener.noted(line.substring(ClientSession.NOTE.length()));
        } else if (line.startsWith(ClientSession.FAILED)) {
            String[] words = line.substring(ClientSession.FAILED.length()).split(" ", 2);
            listener.failed(words[0], words[words.length - 1]);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
