package org.metaq.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Ours, from a distribution, started by its script. */
final class MetaQProvider implements Provider {
    private final Path home;
    private final BrokerProcess.Launch launch;

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
        this.launch = BrokerProcess.Launch.distribution(home, brokerOptions);
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
        return launch.options();
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
        BrokerProcess broker = BrokerProcess.start(launch.with(more), directory);
        return new Broker(broker.process(), broker.url());
    }
}
