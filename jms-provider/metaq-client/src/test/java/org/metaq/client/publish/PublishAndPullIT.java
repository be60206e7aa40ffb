package org.metaq.client.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.client.ClientException;
import org.metaq.client.TestBroker;
import org.metaq.client.cluster.Cluster;
import org.metaq.client.cluster.Partition;
import org.metaq.client.consume.PullResult;
import org.metaq.client.consume.Puller;
import org.metaq.client.consume.ReceivedMessage;
import org.metaq.protocol.ErrorCode;

/** Publisher and puller over real sockets against a real broker. */
class PublishAndPullIT {
    @TempDir private static Path directory;
    private static TestBroker broker;

    private Cluster cluster;
    private Publisher publisher;
    private Puller puller;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = TestBroker.start(directory, 3, 4);
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
    }

    @BeforeEach
    void connect() {
        cluster = broker.cluster();
        publisher = new Publisher(cluster);
        puller = new Puller(cluster);
    }

    @AfterEach
    void disconnect() {
        publisher.close();
        cluster.close();
    }

    private List<ReceivedMessage> pullAll(String topic, Partition partition) throws Exception {
        List<ReceivedMessage> all = new ArrayList<>();
        long offset = 0;
        while (true) {
            PullResult result = puller.pull(topic, partition, offset, 4096);
            if (result.status() == PullResult.Status.NOTHING) {
                return all;
            }
            all.addAll(result.messages());
            offset = result.nextOffset();
        }
    }

    @Test
    void shouldReadBackWhatWasSentWithItsAttribute() throws Exception {
        SendResult first = publisher.send(Message.of("plain", "one".getBytes(UTF_8)));
        SendResult second =
                publisher.send(Message.of("plain", "two".getBytes(UTF_8)).withAttribute("größe"));
        assertThat(first.partition().brokerId()).isEqualTo(3);
        assertThat(second.messageId()).isNotEqualTo(first.messageId());
        assertThat(pullAll("plain", first.partition()))
                .singleElement()
                .satisfies(
                        message -> {
                            assertThat(message.payload()).asString(UTF_8).isEqualTo("one");
                            assertThat(message.attribute()).isNull();
                            assertThat(message.messageId()).isEqualTo(first.messageId());
                            assertThat(message.offset()).isEqualTo(first.offset());
                        });
        assertThat(pullAll("plain", second.partition()))
                .singleElement()
                .satisfies(
                        message -> {
                            assertThat(message.payload()).asString(UTF_8).isEqualTo("two");
                            assertThat(message.attribute()).isEqualTo("größe");
                        });
    }

    @Test
    void shouldUseAllPartitionsInTurnAndOneForEachKey() throws Exception {
        Set<Partition> inTurn = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            inTurn.add(publisher.send(Message.of("selected", new byte[1])).partition());
        }
        assertThat(inTurn).hasSize(4);
        try (Publisher byKey =
                new Publisher(
                        cluster,
                        PublisherOptions.DEFAULTS.withSelector(PartitionSelector.keyHash()))) {
            Set<Partition> ofKey = new HashSet<>();
            for (int i = 0; i < 5; i++) {
                Message message = Message.of("selected", new byte[1]).withKey("customer-7");
                ofKey.add(byKey.send(message).partition());
            }
            assertThat(ofKey).hasSize(1);
        }
    }

    @Test
    void shouldKeepTheOrderOfAsynchronousSendsInAPartition() throws Exception {
        Partition only = publisher.publish("ordered").get(1);
        try (Publisher toOne =
                new Publisher(
                        cluster, PublisherOptions.DEFAULTS.withSelector((m, all) -> all.get(1)))) {
            List<CompletableFuture<SendResult>> sends = new ArrayList<>();
            for (int i = 0; i < 3_000; i++) {
                sends.add(toOne.sendAsync(Message.of("ordered", ("m" + i).getBytes(UTF_8))));
            }
            for (CompletableFuture<SendResult> send : sends) {
                send.get(30, TimeUnit.SECONDS);
            }
        }
        List<ReceivedMessage> received = pullAll("ordered", only);
        assertThat(received).hasSize(3_000);
        for (int i = 0; i < received.size(); i++) {
            assertThat(received.get(i).payload()).asString(UTF_8).isEqualTo("m" + i);
        }
    }

    @Test
    void shouldShowAllOfATransactionOrNothing() throws Exception {
        List<Partition> partitions = publisher.publish("together");
        try (PublisherTransaction committed = publisher.begin(30);
                PublisherTransaction rolledBack = publisher.begin(30);
                PublisherTransaction forgotten = publisher.begin(0)) {
            for (int i = 0; i < 4; i++) {
                Message message = Message.of("together", ("c" + i).getBytes(UTF_8));
                assertThat(committed.send(message).offset()).isEqualTo(-1);
                rolledBack.send(Message.of("together", "r".getBytes(UTF_8)));
                forgotten.send(Message.of("together", "f".getBytes(UTF_8)));
            }
            for (Partition partition : partitions) {
                assertThat(pullAll("together", partition)).isEmpty();
            }
            committed.commit();
            rolledBack.rollback();
            assertThatThrownBy(committed::commit).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> rolledBack.send(Message.of("together", new byte[1])))
                    .isInstanceOf(IllegalStateException.class);
        }
        List<String> visible = new ArrayList<>();
        for (Partition partition : partitions) {
            pullAll("together", partition)
                    .forEach(message -> visible.add(new String(message.payload(), UTF_8)));
        }
        assertThat(visible).containsExactlyInAnyOrder("c0", "c1", "c2", "c3");
        publisher.begin(0).commit();
    }

    @Test
    void shouldLeadAPullFromTheEndsOfThePartition() throws Exception {
        SendResult sent = publisher.send(Message.of("ends", new byte[100]));
        long tail = puller.tailOffset("ends", sent.partition());
        assertThat(puller.headOffset("ends", sent.partition())).isZero();
        assertThat(tail).isEqualTo(120);
        PullResult atTail = puller.pull("ends", sent.partition(), tail, 1024);
        assertThat(atTail.status()).isEqualTo(PullResult.Status.NOTHING);
        assertThat(atTail.nextOffset()).isEqualTo(tail);
        PullResult beyond = puller.pull("ends", sent.partition(), Long.MAX_VALUE, 1024);
        assertThat(beyond.status()).isEqualTo(PullResult.Status.MOVED);
        assertThat(beyond.nextOffset()).isEqualTo(tail);
        PullResult below = puller.pull("ends", sent.partition(), -5, 1024);
        assertThat(below.status()).isEqualTo(PullResult.Status.MOVED);
        assertThat(below.nextOffset()).isZero();
    }

    @Test
    void shouldRefuseWhatMakesNoSense() throws Exception {
        SendResult sent = publisher.send(Message.of("refused", "x".repeat(100).getBytes(UTF_8)));
        assertThatThrownBy(() -> puller.pull("refused", sent.partition(), 0, 0))
                .isInstanceOfSatisfying(
                        ClientException.class,
                        e -> {
                            assertThat(e.replyStatus()).isEqualTo(400);
                            assertThat(e.code()).isEqualTo(ErrorCode.BAD_REQUEST);
                        });
        assertThatThrownBy(() -> puller.headOffset("refused", new Partition(3, 99)))
                .isInstanceOfSatisfying(
                        ClientException.class, e -> assertThat(e.replyStatus()).isEqualTo(404));
        assertThatThrownBy(() -> puller.pull("refused", sent.partition(), 30, 1024))
                .hasMessageContaining("no message at offset 30");
        assertThatThrownBy(() -> puller.pull("refused", new Partition(9, 0), 0, 1024))
                .isInstanceOfSatisfying(
                        ClientException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CONNECTION_LOST));
    }

    @Test
    void shouldSendAgainWhenTheBrokerIsBack(@TempDir Path other) throws Exception {
        try (TestBroker mortal = TestBroker.start(other, 0, 1);
                Cluster alone = mortal.cluster();
                Publisher patient = new Publisher(alone)) {
            patient.send(Message.of("again", "before".getBytes(UTF_8)));
            mortal.kill();
            // The first may find the dead connection only after its put went out.
            assertThatThrownBy(() -> patient.send(Message.of("again", new byte[1]), 300))
                    .isInstanceOf(ClientException.class);
            assertThatThrownBy(() -> patient.send(Message.of("again", new byte[1]), 300))
                    .isInstanceOfSatisfying(
                            ClientException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.CONNECTION_LOST));
            CompletableFuture<SendResult> failing =
                    patient.sendAsync(Message.of("again", new byte[1]));
            assertThat(failing).isCompletedExceptionally();
            mortal.restart();
            SendResult sent = patient.send(Message.of("again", "after".getBytes(UTF_8)), 20_000);
            assertThat(sent.offset()).isEqualTo(26);
        }
    }
}
