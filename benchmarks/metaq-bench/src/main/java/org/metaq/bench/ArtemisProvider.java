package org.metaq.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Apache ActiveMQ Artemis: embedded in a JVM of its own. */
final class ArtemisProvider extends EmbeddedPeer implements Provider {
    private static final String CONFIG = "artemis-broker.xml";

    /** Gets its jars; see {@link EmbeddedPeer}. */
    ArtemisProvider(Path peers, List<String> options) throws BenchException, InterruptedException {
        super("artemis", peers, options);
    }

    @Override
    public String durability() {
        return "persistent sends and commits are answered after fdatasync (NIO journal,"
                + " journal-sync-transactional and -non-transactional, journal-datasync,"
                + " buffer-timeout 0.1 ms); acknowledgements are synced and not waited for";
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
        Ready ready = start(ArtemisMain.class, config.toUri().toString(), List.of(), directory);
        // Without a confirmation window completions are told at once, and not when durable.
        return new Broker(
                ready.process(), "tcp://127.0.0.1:" + port + "?confirmationWindowSize=1048576");
    }
}
