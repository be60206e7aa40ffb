package org.metaq.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.metaq.interop.ClassicClient.TIMEOUT;
import static org.metaq.interop.ClassicClient.message;

import com.taobao.metamorphosis.client.producer.MessageProducer;
import com.taobao.metamorphosis.client.producer.SendResult;
import com.taobao.metamorphosis.exception.MetaClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.server.BrokerProcess;

/** Brokers of ours that share a ZooKeeper and a {@code server.ini}, but for their ids. */
class ClusterIT {
    private static final String TOPIC = "t";
    private static final int PARTITIONS = 2;

    @TempDir Path directory;
    private TestingServer zookeeper;
    private ZooKeeperView view;
    private ClassicClient client;

    @BeforeEach
    void startZooKeeper() throws Exception {
        zookeeper = new TestingServer();
        view = new ZooKeeperView(zookeeper.getConnectString());
        client = new ClassicClient(zookeeper.getConnectString());
    }

    @AfterEach
    void stopZooKeeper() throws Exception {
        client.close();
        view.close();
        zookeeper.close();
    }

    private OurServer start(int brokerId) throws Exception {
        ServerIni ini =
                new ServerIni(brokerId, zookeeper.getConnectString()).topic(TOPIC, PARTITIONS);
        return OurServer.start(directory.resolve("broker" + brokerId), ini);
    }

    @Test
    void shouldSpreadClientsOverBrokersThatComeAndGo() throws Exception {
        Inbox first = new Inbox();
        Inbox second = new Inbox();
        Set<String> sent = new TreeSet<>();
        try (OurServer zero = start(0);
                OurServer one = start(1);
                ClassicClient other = new ClassicClient(zookeeper.getConnectString())) {
            MessageProducer producer = client.producer(TOPIC);
            client.consumer(TOPIC, "g", first);
            other.consumer(TOPIC, "g", second);
            awaitOwners(4, 2);
            sendUntilOn(producer, sent, "two", "0-0", "0-1", "1-0", "1-1");

            try (OurServer two = start(2)) {
                awaitOwners(6, 2);
                sendUntilOn(producer, sent, "three", "0-0", "1-1", "2-0", "2-1");
                awaitAll(first, second, sent);
                two.stop();
                awaitOwners(4, 2);
                sendUntilOn(producer, sent, "left", "0-0", "0-1", "1-0", "1-1");
            }
            awaitAll(first, second, sent);
            assertThat(zero.port()).isNotEqualTo(one.port());
        }
    }

    @Test
    void shouldBringClientsBackToABrokerThatWasKilledAndStarted() throws Exception {
        Inbox inbox = new Inbox();
        Set<String> sent = new TreeSet<>();
        try (OurServer zero = start(0);
                OurServer one = start(1)) {
            MessageProducer producer = client.producer(TOPIC);
            client.consumer(TOPIC, "g", inbox);
            awaitOwners(4, 1);
            sendUntilOn(producer, sent, "before", "0-0", "0-1", "1-0", "1-1");
            one.kill9();
            sendUntilOn(producer, sent, "during", "0-0", "0-1");
            // its nodes of before may still be there
            one.restart();
            sendUntilOn(producer, sent, "after", "0-0", "0-1", "1-0", "1-1");
            awaitAll(inbox, inbox, sent);
            assertThat(zero.log()).doesNotContain("ERROR");
        }
    }

    @Test
    void shouldShareAClusterWithMetaQsOwnServer() throws Exception {
        ServerIni ini = new ServerIni(9, zookeeper.getConnectString()).topic(TOPIC, PARTITIONS);
        Set<String> sent = new TreeSet<>();
        try (MetaqServer theirs = OriginalServer.startOrSkip(directory.resolve("broker9"), ini);
                OurServer ours = start(0)) {
            Inbox inbox = new Inbox();
            client.consumer(TOPIC, "g", inbox);
            awaitOwners(4, 1);
            sendUntilOn(client.producer(TOPIC), sent, "both", "0-0", "0-1", "9-0", "9-1");
            awaitAll(inbox, inbox, sent);
            assertThat(ours.port()).isNotEqualTo(theirs.port());
        }
    }

    @Test
    void shouldRefuseToStartWithTheIdOfALiveBroker() throws Exception {
        try (OurServer zero = start(0)) {
            Path other = Files.createDirectory(directory.resolve("other"));
            ServerIni ini = new ServerIni(0, zookeeper.getConnectString()).topic(TOPIC, 1);
            Path config = ini.write(other.resolve("server.ini"));
            BrokerProcess.Refusal refusal =
                    BrokerProcess.on(other.resolve("data"))
                            .arguments("--config", config.toString())
                            .startExpectingRefusal();
            assertThat(refusal.exitStatus()).isEqualTo(1);
            assertThat(refusal.output()).isEmpty();
            assertThat(refusal.errors())
                    .contains("broker id 0 is in use by meta://127.0.0.1:" + zero.port());
            assertThat(view.text("/meta/brokers/ids/0/master"))
                    .isEqualTo("meta://127.0.0.1:" + zero.port());
        }
    }

    @Test
    void shouldServeClientsFromAZooKeeperThatTheBrokerBrings() throws Exception {
        try (BrokerProcess broker =
                        BrokerProcess.on(directory.resolve("local"))
                                .arguments("--local", "--zookeeper-port", "0")
                                .start();
                Wire wire = new Wire(broker.port())) {
            Matcher registered =
                    Pattern.compile("registered broker=0 .* connect=(\\S+)").matcher(broker.log());
            assertThat(registered.find()).isTrue();
            // a topic that comes while the broker runs
            wire.put("new", 0, "first");
            try (ZooKeeperView local = new ZooKeeperView(registered.group(1));
                    ClassicClient classic = new ClassicClient(registered.group(1))) {
                await().atMost(TIMEOUT)
                        .until(() -> local.text("/meta/brokers/topics-sub/new/0-m") != null);
                Inbox inbox = new Inbox();
                classic.consumer("new", "g", inbox);
                ClassicClient.send(classic.producer("new"), "new", "second");
                assertThat(inbox.awaitTexts(2)).containsExactly("first", "second");
            }
        }
    }

    private void awaitOwners(int partitionCount, int consumerCount) {
        await("owners of " + partitionCount + " partitions")
                .atMost(TIMEOUT)
                .until(() -> view.ownerCount("g", TOPIC, partitionCount) == consumerCount);
    }

    /** Sends until each of the partitions got one; what fails meanwhile is not counted. */
    private static void sendUntilOn(
            MessageProducer producer, Set<String> sent, String prefix, String... partitions) {
        Set<String> reached = new TreeSet<>();
        int[] number = {0};
        await("sends to " + String.join(" ", partitions))
                .atMost(TIMEOUT)
                .until(
                        () -> {
                            String text = prefix + number[0]++;
                            try {
                                SendResult result = producer.sendMessage(message(TOPIC, text));
                                if (result.isSuccess()) {
                                    sent.add(text);
                                    reached.add(result.getPartition().toString());
                                }
                            } catch (MetaClientException e) {
                                return false; // the broker is away
                            }
                            return reached.containsAll(Set.of(partitions));
                        });
    }

    private static void awaitAll(Inbox first, Inbox second, Set<String> sent) {
        await("all messages")
                .atMost(TIMEOUT)
                .untilAsserted(
                        () -> {
                            Set<String> received = new TreeSet<>(first.texts());
                            received.addAll(second.texts());
                            assertThat(received).containsAll(sent);
                        });
    }
}
