package org.metaq.discovery;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.metaq.client.cluster.Cluster;
import org.metaq.client.consume.ConsumerOptions;
import org.metaq.client.consume.GroupConsumer;

/** A member of a group in a process of its own, to be killed; prints what it gets. */
final class ConsumerMain {
    private ConsumerMain() {}

    /** Arguments: connect string, session time-out in ms, group, topic. Runs until killed. */
    public static void main(String[] arguments) throws Exception {
        try (ZooKeeperRegistry registry =
                        ZooKeeperRegistry.connect(
                                arguments[0], "/meta", Integer.parseInt(arguments[1]));
                Cluster cluster = Cluster.of(registry.discovery());
                GroupConsumer consumer =
                        GroupConsumer.of(cluster, arguments[2])
                                .coordinator(registry.coordinator())
                                .offsets(registry.offsets())
                                .options(
                                        ConsumerOptions.DEFAULTS
                                                .withPulls(1, 65536, 20)
                                                .withCommitPeriodMs(50))
                                .subscribe(
                                        arguments[3],
                                        message ->
                                                System.out.println(
                                                        new String(message.payload(), UTF_8)))
                                .start()) {
            System.in.read();
            System.err.println("ends with " + consumer.partitions());
        }
    }
}
