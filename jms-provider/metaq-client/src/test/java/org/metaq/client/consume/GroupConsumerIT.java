package org.metaq.client.consume;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.client.TestBroker;
import org.metaq.client.cluster.Cluster;
import org.metaq.client.cluster.Partition;
import org.metaq.client.cluster.TopicPartition;
import org.metaq.client.offset.FileOffsetStorage;
import org.metaq.client.offset.GroupOffset;
import org.metaq.client.publish.Message;
import org.metaq.client.publish.Publisher;

/** A consumer of one member over real sockets against a real broker. */
class GroupConsumerIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ConsumerOptions FAST =
            ConsumerOptions.DEFAULTS
                    .withPulls(2, 64 * 1024, 20)
                    .withRetries(3, 10)
                    .withCommitPeriodMs(50);

    @TempDir private static Path shared;
    private static TestBroker broker;

    @TempDir private Path directory;
    private Cluster cluster;
    private Publisher publisher;
    private final List<String> received = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void startBroker() throws Exception {
        broker = TestBroker.start(shared, 2, 2);
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
    }

    @BeforeEach
    void connect() {
        cluster = broker.cluster();
        publisher = new Publisher(cluster);
    }

    @AfterEach
    void disconnect() {
        publisher.close();
        cluster.close();
    }

    private static String text(ReceivedMessage message) {
        return new String(message.payload(), UTF_8);
    }

    private void send(String topic, int from, int to) throws Exception {
        for (int i = from; i < to; i++) {
            publisher.send(Message.of(topic, ("m" + i).getBytes(UTF_8)));
        }
    }

    private void sendToOnePartition(String topic, String... texts) throws Exception {
        for (String text : texts) {
            publisher.send(Message.of(topic, text.getBytes(UTF_8)));
            publisher.send(Message.of(topic, "other".getBytes(UTF_8)));
        }
    }

    private FileOffsetStorage offsets() throws IOException {
        return new FileOffsetStorage(directory.resolve("offsets.properties"));
    }

    private void awaitReceived(String... expected) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(received).containsExactlyInAnyOrder(expected));
    }

    private static String[] texts(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "m" + i).toArray(String[]::new);
    }

    @Test
    void shouldGoOnWhereTheGroupStopped() throws Exception {
        send("go-on", 0, 50);
        try (FileOffsetStorage offsets = offsets();
                GroupConsumer consumer =
                        GroupConsumer.of(cluster, "g")
                                .offsets(offsets)
                                .options(FAST)
                                .subscribe("go-on", message -> received.add(text(message)))
                                .start()) {
            awaitReceived(texts(0, 50));
            assertThat(consumer.partitions())
                    .containsExactly(
                            new TopicPartition("go-on", new Partition(2, 0)),
                            new TopicPartition("go-on", new Partition(2, 1)));
        }
        send("go-on", 50, 70);
        received.clear();
        try (FileOffsetStorage offsets = offsets();
                GroupConsumer consumer =
                        GroupConsumer.of(cluster, "g")
                                .offsets(offsets)
                                .options(FAST)
                                .subscribe("go-on", message -> received.add(text(message)))
                                .start()) {
            awaitReceived(texts(50, 70));
            assertThat(consumer.partitions()).hasSize(2);
        }
    }

    @Test
    void shouldStartANewGroupAtTheTailOrATime() throws Exception {
        send("start", 0, 2);
        Instant between = awaitNextMillisecond();
        send("start", 2, 4);
        List<String> sinceTime = new CopyOnWriteArrayList<>();
        try (FileOffsetStorage offsets = offsets();
                GroupConsumer byTime =
                        GroupConsumer.of(cluster, "by-time")
                                .offsets(offsets)
                                .options(FAST.withStart(StartPosition.time(between)))
                                .subscribe("start", message -> sinceTime.add(text(message)))
                                .start();
                GroupConsumer atTail =
                        GroupConsumer.of(cluster, "at-tail")
                                .offsets(offsets)
                                .options(FAST.withStart(StartPosition.tail()))
                                .subscribe("start", message -> received.add(text(message)))
                                .start()) {
            TopicPartition first = new TopicPartition("start", new Partition(2, 0));
            TopicPartition second = new TopicPartition("start", new Partition(2, 1));
            await().atMost(PATIENCE)
                    .until(
                            () ->
                                    offsets.load("at-tail", first) != null
                                            && offsets.load("at-tail", second) != null);
            send("start", 4, 6);
            awaitReceived("m4", "m5");
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () ->
                                    assertThat(sinceTime)
                                            .containsExactlyInAnyOrder("m2", "m3", "m4", "m5"));
            assertThat(atTail.partitions()).isEqualTo(byTime.partitions());
        }
    }

    /** The broker's clock is this machine's; a message's time is that of its batch, in ms. */
    private static Instant awaitNextMillisecond() {
        long startedMs = System.currentTimeMillis();
        await().pollInterval(Duration.ofMillis(1))
                .until(() -> System.currentTimeMillis() > startedMs + 1);
        return Instant.ofEpochMilli(startedMs + 1);
    }

    @Test
    void shouldRetryInOrderAndThenRejectAndGoOn() throws Exception {
        sendToOnePartition("retry", "a", "bad", "c");
        List<Rejection> rejections = new CopyOnWriteArrayList<>();
        try (FileOffsetStorage offsets = offsets();
                GroupConsumer consumer =
                        GroupConsumer.of(cluster, "g")
                                .offsets(offsets)
                                .options(FAST)
                                .rejectPolicy(rejections::add)
                                .subscribe(
                                        "retry",
                                        message -> {
                                            if (!text(message).equals("other")) {
                                                received.add(text(message));
                                            }
                                            if (text(message).equals("bad")) {
                                                throw new IOException("not this one");
                                            }
                                        })
                                .start()) {
            await().atMost(PATIENCE).until(() -> received.contains("c"));
            assertThat(received).containsExactly("a", "bad", "bad", "bad", "c");
            assertThat(rejections)
                    .singleElement()
                    .satisfies(
                            rejection -> {
                                assertThat(rejection.deliveryCount()).isEqualTo(3);
                                assertThat(rejection.cause()).hasMessage("not this one");
                                assertThat(text(rejection.message())).isEqualTo("bad");
                            });
            assertThat(consumer.partitions()).hasSize(2);
        }
    }

    @Test
    void shouldDeliverAgainWhatThePolicyCouldNotTake() throws Exception {
        sendToOnePartition("untaken", "bad");
        List<Rejection> taken = new CopyOnWriteArrayList<>();
        try (FileOffsetStorage offsets = offsets();
                GroupConsumer consumer =
                        GroupConsumer.of(cluster, "g")
                                .offsets(offsets)
                                .options(FAST)
                                .rejectPolicy(
                                        rejection -> {
                                            if (rejection.deliveryCount() < 5) {
                                                throw new IOException("disk full");
                                            }
                                            taken.add(rejection);
                                        })
                                .subscribe(
                                        "untaken",
                                        message -> {
                                            if (text(message).equals("bad")) {
                                                throw new IllegalStateException("no");
                                            }
                                        })
                                .start()) {
            await().atMost(PATIENCE).until(() -> !taken.isEmpty());
            assertThat(taken.get(0).deliveryCount()).isEqualTo(5);
            assertThat(consumer.partitions()).hasSize(2);
        }
    }

    @Test
    void shouldPublishRejectedMessagesToTheDeadLetterTopic() throws Exception {
        publisher.send(Message.of("dead", "poison".getBytes(UTF_8)).withAttribute("red\ngreen"));
        List<ReceivedMessage> dead = new CopyOnWriteArrayList<>();
        try (FileOffsetStorage offsets = offsets();
                GroupConsumer failing =
                        GroupConsumer.of(cluster, "failing")
                                .offsets(offsets)
                                .options(FAST)
                                .rejectPolicy(new DeadLetterTopic(publisher))
                                .subscribe(
                                        "dead",
                                        message -> {
                                            throw new IllegalStateException("no\nstock");
                                        })
                                .start();
                GroupConsumer buried =
                        GroupConsumer.of(cluster, "undertaker")
                                .offsets(offsets)
                                .options(FAST)
                                .subscribe("dead.DLQ", dead::add)
                                .start()) {
            await().atMost(PATIENCE).until(() -> !dead.isEmpty());
            assertThat(text(dead.get(0))).isEqualTo("poison");
            assertThat(dead.get(0).attribute())
                    .startsWith("topic=dead\npartition=2-")
                    .contains("\ngroup=failing\ndeliveries=3\n")
                    .endsWith(
                            "\nreason=java.lang.IllegalStateException: no stock"
                                    + "\nattribute=red\ngreen");
            assertThat(failing.partitions()).hasSize(2);
            assertThat(buried.partitions()).hasSize(2);
        }
    }

    @Test
    void shouldDeliverLocallyKeptMessagesLaterEvenAfterARestart() throws Exception {
        sendToOnePartition("kept", "fragile", "next");
        try (FileOffsetStorage offsets = offsets();
                GroupConsumer failing =
                        GroupConsumer.of(cluster, "g")
                                .offsets(offsets)
                                .options(FAST)
                                .rejectPolicy(
                                        new LocalRecovery(
                                                directory.resolve("kept"), 60_000, 60_000))
                                .subscribe(
                                        "kept",
                                        message -> {
                                            if (text(message).equals("fragile")) {
                                                throw new IOException("not yet");
                                            }
                                            received.add(text(message));
                                        })
                                .start()) {
            awaitReceived("other", "other", "next");
            assertThat(failing.partitions()).hasSize(2);
        }
        received.clear();
        List<Integer> attempts = new CopyOnWriteArrayList<>();
        try (FileOffsetStorage offsets = offsets();
                GroupConsumer healed =
                        GroupConsumer.of(cluster, "g")
                                .offsets(offsets)
                                .options(FAST)
                                .rejectPolicy(new LocalRecovery(directory.resolve("kept"), 0, 20))
                                .subscribe(
                                        "kept",
                                        message -> {
                                            attempts.add(1);
                                            if (attempts.size() == 1) {
                                                throw new IOException("still not");
                                            }
                                            received.add(text(message));
                                        })
                                .start()) {
            awaitReceived("fragile");
            assertThat(attempts).hasSize(2);
            assertThat(healed.partitions()).hasSize(2);
        }
        try (var left = Files.walk(directory.resolve("kept"))) {
            assertThat(left.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void shouldKeepWhatABatchListenerHasAcknowledged() throws Exception {
        sendToOnePartition("batch", "a", "b", "c", "d");
        List<List<String>> batches = new CopyOnWriteArrayList<>();
        try (FileOffsetStorage offsets = offsets();
                GroupConsumer consumer =
                        GroupConsumer.of(cluster, "g")
                                .offsets(offsets)
                                .options(FAST)
                                .subscribeBatches(
                                        "batch",
                                        batch -> {
                                            List<String> texts = new ArrayList<>();
                                            batch.messages().forEach(m -> texts.add(text(m)));
                                            if (texts.contains("other")) {
                                                return;
                                            }
                                            batches.add(texts);
                                            if (batches.size() == 1) {
                                                batch.acknowledge(batch.messages().get(1));
                                                throw new IOException("the rest later");
                                            }
                                        })
                                .start()) {
            await().atMost(PATIENCE).until(() -> batches.size() == 2);
            assertThat(batches).containsExactly(List.of("a", "b", "c", "d"), List.of("c", "d"));
            TopicPartition partition =
                    new TopicPartition("batch", consumer.partitions().get(0).partition());
            await().atMost(PATIENCE).until(() -> offsets.load("g", partition) != null);
        }
    }

    @Test
    void shouldBroadcastEverythingToEveryHost() throws Exception {
        Set<String> first = new HashSet<>();
        Set<String> second = new HashSet<>();
        try (GroupConsumer one = broadcast("host-1", first);
                GroupConsumer two = broadcast("host-2", second)) {
            send("broadcast", 0, 20);
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> {
                                synchronized (this) {
                                    assertThat(first).containsExactlyInAnyOrder(texts(0, 20));
                                    assertThat(second).containsExactlyInAnyOrder(texts(0, 20));
                                }
                            });
            assertThat(one.partitions()).isEqualTo(two.partitions());
        }
    }

    private GroupConsumer broadcast(String host, Set<String> into) throws IOException {
        return GroupConsumer.of(cluster, "news")
                .broadcast(directory.resolve(host))
                .options(FAST)
                .subscribe(
                        "broadcast",
                        message -> {
                            synchronized (this) {
                                into.add(text(message));
                            }
                        })
                .start();
    }

    @Test
    void shouldGoOnWhenTheBrokerIsBack(@TempDir Path other) throws Exception {
        try (TestBroker mortal = TestBroker.start(other, 0, 1);
                Cluster alone = mortal.cluster();
                Publisher toIt = new Publisher(alone);
                FileOffsetStorage offsets = offsets();
                GroupConsumer consumer =
                        GroupConsumer.of(alone, "g")
                                .offsets(offsets)
                                .options(FAST)
                                .subscribe("mortal", message -> received.add(text(message)))
                                .start()) {
            toIt.send(Message.of("mortal", "before".getBytes(UTF_8)));
            awaitReceived("before");
            mortal.kill();
            mortal.restart();
            toIt.send(Message.of("mortal", "after".getBytes(UTF_8)), 20_000);
            awaitReceived("before", "after");
            assertThat(consumer.partitions()).hasSize(1);
        }
    }

    @Test
    void shouldRefuseThatAListenerClosesItsConsumer() throws Exception {
        sendToOnePartition("self", "end");
        CompletableFuture<GroupConsumer> started = new CompletableFuture<>();
        List<Throwable> refusals = new CopyOnWriteArrayList<>();
        try (FileOffsetStorage offsets = offsets();
                GroupConsumer consumer =
                        GroupConsumer.of(cluster, "g")
                                .offsets(offsets)
                                .options(FAST)
                                .rejectPolicy(rejection -> refusals.add(rejection.cause()))
                                .subscribe("self", message -> started.get().close())
                                .start()) {
            started.complete(consumer);
            await().atMost(PATIENCE).until(() -> refusals.size() == 2);
            assertThat(refusals.get(0)).hasMessageContaining("cannot close its own consumer");
        }
    }

    @Test
    void shouldRefuseWhatIsNotComplete() {
        assertThatThrownBy(() -> GroupConsumer.of(cluster, "no good"))
                .hasMessageContaining("not allowed");
        assertThatThrownBy(() -> GroupConsumer.of(cluster, "g").start())
                .isInstanceOf(IllegalStateException.class);
        assertThat(GroupOffset.parse("-5468931864850829312-14470"))
                .isEqualTo(new GroupOffset(-5468931864850829312L, 14470));
    }
}
