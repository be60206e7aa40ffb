package org.metaq.bench;

import com.taobao.metamorphosis.client.MetaClientConfig;
import com.taobao.metamorphosis.client.MetaMessageSessionFactory;
import com.taobao.metamorphosis.utils.ZkUtils.ZKConfig;
import java.util.List;

/**
 * Main class of the JVM of an original MetaQ client, whose jars are on the class path there and
 * nowhere else. Arguments: see {@link ClientSettings}; what it prints and reads: {@link
 * ClientSession}, with the address of a ZooKeeper as URI.
 */
public final class ClassicMain {
    private static final int SESSION_TIMEOUT_MS = 10_000;

    private ClassicMain() {}

    /** Runs the workloads, and ends the process. */
    public static void main(String[] args) {
        ClientSession.run(() -> run(ClientSettings.parse(List.of(args))));
    }

    private static void run(ClientSettings settings) throws Exception {
        ClientSession.BrokerAddress broker = ClientSession.awaitBroker();
        ZKConfig zookeeper = new ZKConfig();
        zookeeper.zkConnect = broker.uri();
        zookeeper.zkSessionTimeoutMs = SESSION_TIMEOUT_MS;
        MetaClientConfig config = new MetaClientConfig();
        config.setZkConfig(zookeeper);
        MetaMessageSessionFactory factory = new MetaMessageSessionFactory(config);
        for (String name : settings.workloads()) {
            Quiet.await(broker.pid());
            Usage.restartPeak(broker.pid());
            if (!ClientSession.runWorkload(
                    name,
                    () ->
                            name.equals(WarmUp.NAME)
                                    ? warmUp(factory, broker.pid(), settings.warmUpTimes())
                                    : new ClassicWorkload(ClassicNames.valueOf(name))
                                            .run(factory, broker.pid(), settings.times()))) {
                return;
            }
        }
        factory.shutdown();
    }

    /** A bit of each workload, the one with the highest rate first. */
    private static List<Measurement> warmUp(
            MetaMessageSessionFactory factory, long brokerPid, Context.Times times)
            throws Exception {
        List<ClassicNames> kinds = List.of(ClassicNames.Ca, ClassicNames.C8, ClassicNames.C1);
        for (ClassicNames kind : kinds) {
            new ClassicWorkload(kind, kind.warmUpTopic())
                    .run(factory, brokerPid, times.shared(kinds.size()));
        }
        return List.of();
    }
}
