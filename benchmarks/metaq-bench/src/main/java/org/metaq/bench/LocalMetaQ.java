package org.metaq.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Our broker with a ZooKeeper of its own, as original clients need it. */
final class LocalMetaQ implements Server {
    private static final String CONFIG = "server.ini";

    private final MetaQProvider metaq;

    LocalMetaQ(MetaQProvider metaq) {
        this.metaq = metaq;
    }

    @Override
    public String name() {
        return metaq.name();
    }

    @Override
    public String durability() {
        return metaq.durability();
    }

    @Override
    public String brokerOptions() {
        return metaq.brokerOptions();
    }

    @Override
    public Broker start(Path directory) throws BenchException, InterruptedException {
        Path config = directory.resolve(CONFIG);
        try {
            Files.writeString(
                    config, ClassicNames.serverIni(List.of(), List.of("zk.zkEnable=false")));
        } catch (IOException e) {
            throw new BenchException("cannot write " + config + ": " + e, e);
        }
        int zookeeperPort = Jvm.freePort();
        Broker broker =
                metaq.start(
                        directory,
                        List.of(
                                "--config",
                                config.toString(),
                                "--local",
                                "--zookeeper-port",
                                Integer.toString(zookeeperPort)));
        return new Broker(broker.process(), broker.pid(), "127.0.0.1:" + zookeeperPort);
    }
}
