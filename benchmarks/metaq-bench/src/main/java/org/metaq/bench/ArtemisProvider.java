package org.metaq.bench;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Apache ActiveMQ Artemis: embedded in a JVM of its own. */
final class ArtemisProvider implements Provider {
    private static final String POM = "artemis-pom.xml";
    private static final String CONFIG = "artemis-broker.xml";
    private static final long READY_TIMEOUT_MS = 60_000;

    private final Path jars;
    private final List<String> brokerOptions;

    /**
     * Gets its jars if they are not there yet.
     *
     * @param peers folder in which the jars of peers are kept
     * @param brokerOptions of its JVM
     */
    ArtemisProvider(Path peers, List<String> brokerOptions)
            throws BenchException, InterruptedException {
        this.jars = PeerJars.folder("artemis", POM, peers);
        this.brokerOptions = brokerOptions;
    }

    @Override
    public String name() {
        return "artemis";
    }

    @Override
    public String durability() {
        return "persistent sends and commits are answered after fdatasync (NIO journal,"
                + " journal-sync-transactional and -non-transactional, journal-datasync,"
                + " buffer-timeout 0.1 ms); acknowledgements are synced and not waited for";
    }

    @Override
    public String brokerOptions() {
        return String.join(" ", brokerOptions);
    }

    @Override
    public String clientClassPath() {
        return PeerJars.classPath(jars);
    }

    @Override
    public String factoryClass() {
        return "org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory";
    }

    @Override
    public String xaFactoryClass() {
        return factoryClass();
    }

    @Override
    public Broker start(Path directory) throws BenchException, InterruptedException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        } catch (IOException e) {
            throw new BenchException("no free port: " + e.getMessage(), e);
        }
        Path config = directory.resolve("broker.xml");
        try {
            PeerJars.copy(CONFIG, config);
            Files.writeString(
                    config,
                    Files.readString(config)
                            .replace("@DATA@", directory.resolve("data").toString())
                            .replace("@PORT@", Integer.toString(port)));
        } catch (IOException e) {
            throw new BenchException("cannot write " + config + ": " + e, e);
        }
        ForkedProcess process =
                ForkedProcess.start(
                        "artemis broker",
                        command(config),
                        directory.resolve("broker.log"),
                        Map.of());
        boolean isReady = false;
        try {
            process.awaitLine(ArtemisMain.READY, READY_TIMEOUT_MS);
            isReady = true;
            // Without a confirmation window completions are told at once, and not when durable.
            return new Broker(
                    process, "tcp://127.0.0.1:" + port + "?confirmationWindowSize=1048576");
        } finally {
            if (!isReady) {
                process.close();
            }
        }
    }

    private List<String> command(Path config) throws BenchException {
        List<String> options =
                Stream.concat(
                                Stream.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"),
                                brokerOptions.stream())
                        .toList();
        String classPath =
                Jvm.origin(ArtemisMain.class) + File.pathSeparator + PeerJars.classPath(jars);
        return Stream.concat(
                        Jvm.command(List.of(), options, classPath, ArtemisMain.class).stream(),
                        Stream.of(config.toUri().toString()))
                .toList();
    }
}
