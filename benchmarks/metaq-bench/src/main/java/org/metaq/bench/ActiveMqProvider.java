package org.metaq.bench;

import java.nio.file.Path;
import java.util.List;

/** Apache ActiveMQ Classic: embedded in a JVM of its own. */
final class ActiveMqProvider implements Provider {
    private static final String NAME = "activemq";

    private final Path jars;
    private final List<String> options;

    /**
     * Gets its jars if they are not there yet.
     *
     * @param peers folder in which the jars of peers are kept
     * @param options of the broker's JVM
     */
    ActiveMqProvider(Path peers, List<String> options) throws BenchException, InterruptedException {
        this.jars = PeerJars.folder(NAME, peers);
        this.options = List.copyOf(options);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String durability() {
        return "persistent sends and commits are answered after fdatasync (KahaDB, journal disk"
                + " sync strategy ALWAYS); acknowledgements are not forced";
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
        return "org.apache.activemq.ActiveMQConnectionFactory";
    }

    @Override
    public String xaFactoryClass() {
        return "org.apache.activemq.ActiveMQXAConnectionFactory";
    }

    @Override
    public Broker start(Path directory) throws BenchException, InterruptedException {
        EmbeddedPeer.Ready ready =
                EmbeddedPeer.start(
                        NAME,
                        jars,
                        options,
                        ActiveMqMain.class,
                        ActiveMqMain.READY,
                        directory.resolve("data").toString(),
                        directory);
        return new Broker(ready.process(), ready.line().substring(ActiveMqMain.READY.length()));
    }
}
