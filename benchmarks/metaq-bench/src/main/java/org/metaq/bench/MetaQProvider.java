package org.metaq.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ours, from a distribution, started by its script. */
final class MetaQProvider implements Provider {
    private static final long READY_TIMEOUT_MS = 60_000;
    private static final Pattern PORT = Pattern.compile(" on port (\\d+)");

    private final Path home;
    private final String brokerOptions;

    /**
     * Ours.
     *
     * @param home directory of a distribution
     * @param brokerOptions of its JVM
     * @throws BenchException if it is not one
     */
    MetaQProvider(Path home, String brokerOptions) throws BenchException {
        if (!Files.isExecutable(home.resolve("bin/metaq"))) {
            throw new BenchException(home + " is not a distribution of metaq; run `metaq bench`");
        }
        this.home = home;
        this.brokerOptions = brokerOptions;
    }

    @Override
    public String name() {
        return "metaq";
    }

    @Override
    public String durability() {
        return "persistent sends and commits are answered after fdatasync (unflushThreshold=0,"
                + " flushTxLogAtCommit=1, as shipped); acknowledgements share the journal and are"
                + " not waited for";
    }

    @Override
    public String brokerOptions() {
        return brokerOptions;
    }

    @Override
    public String clientClassPath() {
        return PeerJars.classPath(home.resolve("client"));
    }

    @Override
    public String factoryClass() {
        return "org.metaq.jms.MetaQConnectionFactory";
    }

    @Override
    public String xaFactoryClass() {
        return factoryClass();
    }

    @Override
    public Broker start(Path directory) throws BenchException, InterruptedException {
        return start(directory, List.of());
    }

    /** As {@link #start(Path)}, with more arguments of {@code metaq broker}. */
    Broker start(Path directory, List<String> more) throws BenchException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                home.resolve("bin/metaq").toString(),
                                "broker",
                                "--port",
                                "0",
                                "--bind",
                                "127.0.0.1",
                                "--data",
                                directory.resolve("data").toString()));
        command.addAll(more);
        ForkedProcess process =
                ForkedProcess.start(
                        "metaq broker",
                        command,
                        directory.resolve("broker.log"),
                        Map.of("METAQ_OPTS", brokerOptions, "JAVA_HOME", Jvm.home()));
        Matcher port = PORT.matcher(process.awaitLineOrClose("ready:", READY_TIMEOUT_MS));
        if (!port.find()) {
            process.close();
            throw new BenchException("the metaq broker does not name its port");
        }
        return new Broker(process, "metaq://127.0.0.1:" + port.group(1));
    }
}
