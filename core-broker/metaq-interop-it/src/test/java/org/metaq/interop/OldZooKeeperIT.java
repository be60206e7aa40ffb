package org.metaq.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.taobao.metamorphosis.client.producer.MessageProducer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A team's ZooKeeper may be as old as its MetaQ: 3.4 drops requests that came later. */
class OldZooKeeperIT {
    private static final String TOPIC = "t";

    @TempDir Path directory;

    @Test
    void shouldRegisterInAZooKeeperOfMetaQsTimeAndServeItsClients() throws Exception {
        try (OldZooKeeper zookeeper = OldZooKeeper.start(directory)) {
            String connect = zookeeper.connectString();
            ServerIni ini = new ServerIni(4, connect).topic(TOPIC, 2);
            try (OurServer broker = OurServer.start(directory.resolve("broker"), ini);
                    ClassicClient client = new ClassicClient(connect)) {
                Inbox inbox = new Inbox();
                client.consumer(TOPIC, "g", inbox);
                MessageProducer producer = client.producer(TOPIC);
                for (int i = 0; i < 20; i++) {
                    assertThat(ClassicClient.send(producer, TOPIC, "m" + i).isSuccess()).isTrue();
                }
                assertThat(inbox.awaitTexts(20)).hasSize(20);
                assertThat(broker.log()).doesNotContain("ERROR");
            }
        }
    }
}
