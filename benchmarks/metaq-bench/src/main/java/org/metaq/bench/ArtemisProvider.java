package org.metaq.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Apache ActiveMQ Artemis: embedded in a JVM of its own. */
final class ArtemisProvider implements Provider {
    private static final String NAME = "artemis";
    private static final String CONFIG = "artemis-broker.xml";

    private final Path jars;
    private final List<String> options;

    /**
     * Gets its jars if they are not there yet.
     *
     * @param peers folder in which the jars of peers are kept
     * @param options of the broker's JVM
     */
    ArtemisProvider(Path peers, List<String> options) throws BenchException, InterruptedException {
        this.jars = PeerJars.folder(NAME, peers);
        this.options = List.copyOf(options);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String durability() {
        return "persistent sends and commits are answered after fdatasync (NIO journal,"
                + " journal-sync-transactional and -non-transactional, journal-datasync,"
                + " buffer-timeout 0.1 ms); acknowledgements are synced and not waited for";
    }

    @Override
    public String brokerOptions() {
        return String.join(" ", options);
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
        int port = Jvm.freePort();
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
        EmbeddedPeer.Ready ready =
                EmbeddedPeer.start(
                        NAME,
                        jars,
                        options,
                        ArtemisMain.class,
                        ArtemisMain.READY,
                        config.toUri().toString(),
                        directory);
        // Without a confirmation window completions are told at once, and not when durable.
        return new Broker(
                ready.process(), "tcp://127.0.0.1:" + port + "?confirmationWindowSize=1048576");
    }
}
