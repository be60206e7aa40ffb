package org.metaq.bench;

import java.nio.file.Path;
import java.util.List;

/** Apache ActiveMQ Classic: embedded in a JVM of its own. */
final class ActiveMqProvider extends EmbeddedPeer implements Provider {
    /** Gets its jars; see {@link EmbeddedPeer}. */
    ActiveMqProvider(Path peers, List<String> options) throws BenchException, InterruptedException {
        super("activemq", peers, options);
    }

    @Override
    public String durability() {
        return "persistent sends and commits are answered after fdatasync (KahaDB, journal disk"
                + " sync strategy ALWAYS); acknowledgements are not forced";
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
        Ready ready =
                start(
                        ActiveMqMain.class,
                        directory.resolve("data").toString(),
                        List.of(),
                        directory);
        return new Broker(ready.process(), ready.rest());
    }
}
