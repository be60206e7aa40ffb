package org.metaq.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.metaq.interop.ClassicClient.TIMEOUT;
import static org.metaq.interop.ClassicClient.consumerConfig;
import static org.metaq.interop.ClassicClient.message;
import static org.metaq.interop.ClassicClient.send;

import com.taobao.metamorphosis.Message;
import com.taobao.metamorphosis.client.MetaClientConfig;
import com.taobao.metamorphosis.client.StatsResult;
import com.taobao.metamorphosis.client.TopicBrowser;
import com.taobao.metamorphosis.client.consumer.ConsumerConfig;
import com.taobao.metamorphosis.client.consumer.MessageConsumer;
import com.taobao.metamorphosis.client.consumer.storage.LocalOffsetStorage;
import com.taobao.metamorphosis.client.extension.AsyncMetaMessageSessionFactory;
import com.taobao.metamorphosis.client.extension.MetaBroadcastMessageSessionFactory;
import com.taobao.metamorphosis.client.extension.OrderedMetaMessageSessionFactory;
import com.taobao.metamorphosis.client.extension.producer.AsyncMessageProducer;
import com.taobao.metamorphosis.client.extension.producer.OrderedMessagePartitionSelector;
import com.taobao.metamorphosis.client.producer.MessageProducer;
import com.taobao.metamorphosis.client.producer.SendMessageCallback;
import com.taobao.metamorphosis.client.producer.SendResult;
import com.taobao.metamorphosis.client.producer.XAMessageProducer;
import com.taobao.metamorphosis.cluster.Partition;
import com.taobao.metamorphosis.consumer.MessageIterator;
import com.taobao.metamorphosis.exception.MetaClientException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** What MetaQ's client does with one server, whosever it is. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class ClassicClientTests {
    private static final int BROKER_ID = 7;
    private static final Duration IDLE = Duration.ofSeconds(25);
    private static final List<String> TOPICS =
            List.of(
                    "recipe",
                    "callback",
                    "local",
                    "xa",
                    "group",
                    "stored",
                    "file",
                    "tail",
                    "broadcast",
                    "ordered",
                    "async",
                    "direct",
                    "browsed",
                    "large");

    private TestingServer zookeeper;
    private ZooKeeperView view;
    private MetaqServer server;
    private ClassicClient client;

    private Tap tap;
    private ClassicClient idleClient;
    private MessageProducer idleProducer;
    private long idleSinceNs;

    abstract MetaqServer start(Path serverDirectory, ServerIni ini) throws Exception;

    @BeforeAll
    void startServers(@TempDir Path directory) throws Exception {
        zookeeper = new TestingServer();
        view = new ZooKeeperView(zookeeper.getConnectString());
        ServerIni ini = new ServerIni(BROKER_ID, zookeeper.getConnectString());
        TOPICS.forEach(topic -> ini.topic(topic, 2));
        ini.topic("idle", 1);
        server = start(directory, ini);
        startIdleProducer();
    }

    /** It is left alone while the other tests run, and looked at last. */
    private void startIdleProducer() throws Exception {
        tap = new Tap(server.port());
        tap.register(view, BROKER_ID, "idle");
        idleClient = new ClassicClient(zookeeper.getConnectString(), Tap.ROOT);
        idleProducer = idleClient.producer("idle");
        send(idleProducer, "idle", "before");
        idleSinceNs = System.nanoTime();
    }

    @AfterAll
    void stopServers() throws Exception {
        if (server != null) {
            idleClient.close();
            tap.close();
            server.close();
        }
        view.close();
        zookeeper.close();
    }

    @BeforeEach
    void openClient() {
        client = new ClassicClient(zookeeper.getConnectString());
    }

    @AfterEach
    void closeClient() throws Exception {
        client.close();
    }

    /** Sends numbered messages to a topic. */
    private List<String> sendAll(String topic, String prefix, int count) throws Exception {
        MessageProducer producer = client.producer(topic);
        List<String> sent = IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
        for (String text : sent) {
            send(producer, topic, text);
        }
        client.close(producer);
        return sent;
    }

    @Test
    void shouldDeliverAThousandMessagesWithTheirAttributes() throws Exception {
        MessageProducer producer = client.producer("recipe");
        Map<Partition, Long> nextOffsets = new HashMap<>();
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            boolean hasAttribute = i % 10 == 0;
            String text = "message " + i;
            SendResult result =
                    send(
                            producer,
                            hasAttribute
                                    ? new Message("recipe", text.getBytes(UTF_8), "attribute" + i)
                                    : message("recipe", text));
            int bodyLength = text.length() + (hasAttribute ? 4 + ("attribute" + i).length() : 0);
            assertThat(result.getOffset())
                    .isEqualTo(nextOffsets.getOrDefault(result.getPartition(), 0L));
            nextOffsets.put(result.getPartition(), result.getOffset() + 20 + bodyLength);
            sent.add(text);
        }
        assertThat(nextOffsets.keySet())
                .containsExactlyInAnyOrder(
                        new Partition(BROKER_ID, 0), new Partition(BROKER_ID, 1));

        Inbox inbox = new Inbox();
        client.consumer("recipe", "recipe-group", inbox);
        assertThat(inbox.awaitTexts(1000)).containsExactlyInAnyOrderElementsOf(sent);
        for (Message message : inbox.messages()) {
            String number = new String(message.getData(), UTF_8).substring("message ".length());
            assertThat(message.getAttribute())
                    .isEqualTo(number.endsWith("0") ? "attribute" + number : null);
        }
    }

    @Test
    void shouldCallBackForEverySend() throws Exception {
        MessageProducer producer = client.producer("callback");
        List<CompletableFuture<SendResult>> results = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            CompletableFuture<SendResult> result = new CompletableFuture<>();
            results.add(result);
            producer.sendMessage(
                    message("callback", "message " + i),
                    new SendMessageCallback() {
                        @Override
                        public void onMessageSent(SendResult sent) {
                            result.complete(sent);
                        }

                        @Override
                        public void onException(Throwable e) {
                            result.completeExceptionally(e);
                        }
                    });
        }
        for (CompletableFuture<SendResult> result : results) {
            assertThat(result.get(30, TimeUnit.SECONDS).isSuccess()).isTrue();
        }
        assertThat(results.stream().map(result -> result.join().getPartition()).distinct())
                .hasSize(2);
    }

    @Test
    void shouldCarryLargeAndEmptyMessages() throws Exception {
        MessageProducer producer = client.producer("large");
        byte[] large = new byte[900 * 1024];
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) i;
        }
        send(producer, new Message("large", large));
        send(producer, new Message("large", new byte[0], ""));
        send(producer, new Message("large", "end".getBytes(UTF_8), "ключ=値"));
        Inbox inbox = new Inbox();
        client.consumer("large", "large-group", inbox);
        inbox.awaitTexts(3);
        assertThat(inbox.messages().stream().map(Message::getData))
                .containsExactlyInAnyOrder(large, new byte[0], "end".getBytes(UTF_8));
        assertThat(inbox.messages().stream().map(Message::getAttribute))
                .containsExactlyInAnyOrder(null, "", "ключ=値");
    }

    @Test
    void shouldShowWhatALocalTransactionCommittedAndNothingElse() throws Exception {
        MessageProducer producer = client.producer("local");
        producer.beginTransaction();
        for (int i = 0; i < 4; i++) {
            SendResult result = send(producer, "local", "committed" + i);
            assertThat(result.getOffset()).isEqualTo(-1);
        }
        producer.commit();
        producer.beginTransaction();
        send(producer, "local", "rolled back");
        producer.rollback();
        send(producer, "local", "outside");
        Inbox inbox = new Inbox();
        client.consumer("local", "local-group", inbox);
        assertThat(inbox.awaitTexts(5))
                .containsExactlyInAnyOrder(
                        "committed0", "committed1", "committed2", "committed3", "outside");
    }

    @Test
    void shouldRefuseToCommitATransactionInWhichNothingWasSent() throws Exception {
        MessageProducer producer = client.producer("local");
        producer.beginTransaction();
        assertThatThrownBy(producer::commit).isInstanceOf(MetaClientException.class);
    }

    @Test
    void shouldDriveXaBranchesThroughAllTheirOutcomes() throws Exception {
        XAMessageProducer producer = client.opened(client.factory().createXAProducer());
        producer.publish("xa");

        Branch committed = Branch.next();
        XAResource resource = sendIn(producer, committed, "two phases");
        assertThat(resource.prepare(committed)).isEqualTo(XAResource.XA_OK);
        assertThat(resource.recover(XAResource.TMSTARTRSCAN)).anyMatch(committed::isSame);
        resource.commit(committed, false);

        Branch onePhase = Branch.next();
        sendIn(producer, onePhase, "one phase").commit(onePhase, true);

        Branch rolledBack = Branch.next();
        resource = sendIn(producer, rolledBack, "rolled back");
        assertThat(resource.prepare(rolledBack)).isEqualTo(XAResource.XA_OK);
        resource.rollback(rolledBack);

        Branch readOnly = Branch.next();
        resource = producer.getXAResource();
        resource.start(readOnly, XAResource.TMNOFLAGS);
        resource.end(readOnly, XAResource.TMSUCCESS);
        assertThat(resource.prepare(readOnly)).isEqualTo(XAResource.XA_RDONLY);

        XAResource last = producer.getXAResource();
        assertThat(xaCode(() -> last.commit(Branch.next(), false)))
                .isEqualTo(XAException.XAER_NOTA);
        Xid[] left = last.recover(XAResource.TMSTARTRSCAN);
        assertThat(left).noneMatch(committed::isSame).noneMatch(rolledBack::isSame);

        Inbox inbox = new Inbox();
        client.consumer("xa", "xa-group", inbox);
        sendAll("xa", "end", 2);
        assertThat(inbox.awaitTexts(4))
                .containsExactlyInAnyOrder("two phases", "one phase", "end0", "end1");
    }

    private static XAResource sendIn(XAMessageProducer producer, Xid branch, String text)
            throws Exception {
        XAResource resource = producer.getXAResource();
        resource.start(branch, XAResource.TMNOFLAGS);
        assertThat(send(producer, "xa", text).getOffset()).isEqualTo(-1);
        resource.end(branch, XAResource.TMSUCCESS);
        return resource;
    }

    private interface XaCall {
        void run() throws XAException;
    }

    private static int xaCode(XaCall call) {
        try {
            call.run();
        } catch (XAException e) {
            return e.errorCode;
        }
        throw new AssertionError("no XAException");
    }

    @Test
    void shouldRefuseTheSecondPhaseOfABranchThatIsNotPrepared() throws Exception {
        XAMessageProducer producer = client.opened(client.factory().createXAProducer());
        producer.publish("xa");
        Branch branch = Branch.next();
        XAResource resource = sendIn(producer, branch, "never");
        assertThat(xaCode(() -> resource.commit(branch, false))).isEqualTo(XAException.XAER_PROTO);
    }

    @Test
    void shouldSplitPartitionsBetweenConsumersThatComeAndGo() throws Exception {
        Inbox first = new Inbox();
        client.consumer("group", "group-group", first);
        awaitOwners("group-group", "group", 1);
        ClassicClient other = new ClassicClient(zookeeper.getConnectString());
        Inbox second = new Inbox();
        try (other) {
            other.consumer("group", "group-group", second);
            awaitOwners("group-group", "group", 2);
            sendAll("group", "shared", 20);
            await().atMost(TIMEOUT)
                    .until(() -> first.messages().size() + second.messages().size() >= 20);
            assertThat(first.texts()).hasSize(10);
            assertThat(second.texts()).hasSize(10);
        }
        awaitOwners("group-group", "group", 1);
        sendAll("group", "alone", 10);
        assertThat(first.awaitTexts(20))
                .containsAll(IntStream.range(0, 10).mapToObj(i -> "alone" + i).toList());
    }

    private void awaitOwners(String group, String topic, int count) {
        await("owners of " + topic)
                .atMost(TIMEOUT)
                .until(() -> view.ownerCount(group, topic, 2) == count);
    }

    @Test
    void shouldStoreOffsetsInZooKeeperAndGoOnFromThem() throws Exception {
        sendAll("stored", "first", 10);
        Inbox inbox = new Inbox();
        MessageConsumer consumer = client.consumer("stored", "stored-group", inbox);
        inbox.awaitTexts(10);
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> {
                            for (String partition : List.of("7-0", "7-1")) {
                                assertThat(view.storedOffset("stored-group", "stored", partition))
                                        .isEqualTo(5L * (20 + "first0".length()));
                            }
                        });
        client.close(consumer);
        List<String> later = sendAll("stored", "later", 10);
        Inbox next = new Inbox();
        client.consumer("stored", "stored-group", next);
        assertThat(next.awaitTexts(10)).containsExactlyInAnyOrderElementsOf(later);
    }

    @Test
    void shouldStoreOffsetsInAFileAndGoOnFromThem(@TempDir Path directory) throws Exception {
        sendAll("file", "first", 10);
        Path file = directory.resolve("offsets.json");
        Inbox inbox = new Inbox();
        LocalOffsetStorage storage = new LocalOffsetStorage(file.toString());
        MessageConsumer consumer =
                client.subscribe(
                        client.factory().createConsumer(consumerConfig("file-group"), storage),
                        "file",
                        inbox);
        inbox.awaitTexts(10);
        client.close(consumer);
        assertThat(Files.readString(file)).contains("file-group");

        List<String> later = sendAll("file", "later", 10);
        Inbox next = new Inbox();
        LocalOffsetStorage reopened = new LocalOffsetStorage(file.toString());
        client.subscribe(
                client.factory().createConsumer(consumerConfig("file-group"), reopened),
                "file",
                next);
        assertThat(next.awaitTexts(10)).containsExactlyInAnyOrderElementsOf(later);
    }

    @Test
    void shouldStartANewGroupAtTheTailWhenAskedTo() throws Exception {
        sendAll("tail", "old", 10);
        ConsumerConfig config = consumerConfig("tail-group");
        config.setConsumeFromMaxOffset();
        Inbox inbox = new Inbox();
        client.consumer(client.factory(), "tail", config, inbox);
        MessageProducer producer = client.producer("tail");
        // nothing tells that it is at the tail: send until something comes
        await().atMost(TIMEOUT)
                .pollInterval(Duration.ofMillis(100))
                .until(
                        () -> {
                            send(producer, "tail", "new");
                            return !inbox.texts().isEmpty();
                        });
        assertThat(inbox.texts()).containsOnly("new");
    }

    @Test
    void shouldGiveABroadcastConsumerEverything() throws Exception {
        List<String> sent = sendAll("broadcast", "message", 20);
        List<Inbox> inboxes = List.of(new Inbox(), new Inbox());
        for (Inbox inbox : inboxes) {
            MetaBroadcastMessageSessionFactory factory =
                    client.opened(new MetaBroadcastMessageSessionFactory(client.config()));
            // hosts make groups of their own, and keep their offsets in the home directory; here
            // one host plays two
            String group = "broadcast-" + UUID.randomUUID();
            client.subscribe(
                    factory.createBroadcastConsumer(consumerConfig(group)), "broadcast", inbox);
        }
        for (Inbox inbox : inboxes) {
            assertThat(inbox.awaitTexts(20)).containsExactlyInAnyOrderElementsOf(sent);
        }
    }

    @Test
    void shouldKeepTheOrderOfAnOrderedProducer() throws Exception {
        MetaClientConfig config = client.config();
        Properties partitions = new Properties();
        partitions.setProperty("topic.num.ordered", BROKER_ID + ":2");
        config.setPartitionsInfo(partitions);
        OrderedMetaMessageSessionFactory factory =
                client.opened(new OrderedMetaMessageSessionFactory(config));
        MessageProducer producer =
                client.opened(
                        factory.createProducer(
                                new OrderedMessagePartitionSelector() {
                                    @Override
                                    protected Partition choosePartition(
                                            String topic, List<Partition> all, Message message) {
                                        return all.get(message.getAttribute().hashCode() & 1);
                                    }
                                }));
        producer.publish("ordered");
        for (int i = 0; i < 50; i++) {
            for (String key : List.of("a", "b")) {
                send(producer, new Message("ordered", (key + i).getBytes(UTF_8), key));
            }
        }
        Inbox inbox = new Inbox();
        client.consumer("ordered", "ordered-group", inbox);
        List<String> received = inbox.awaitTexts(100);
        for (String key : List.of("a", "b")) {
            assertThat(received.stream().filter(text -> text.startsWith(key)))
                    .containsExactlyElementsOf(
                            IntStream.range(0, 50).mapToObj(i -> key + i).toList());
        }
    }

    @Test
    void shouldStoreWhatAnAsyncProducerSends() throws Exception {
        AsyncMetaMessageSessionFactory factory =
                client.opened(new AsyncMetaMessageSessionFactory(client.config()));
        AsyncMessageProducer producer = client.opened(factory.createAsyncProducer());
        producer.publish("async");
        List<String> sent = IntStream.range(0, 200).mapToObj(i -> "message" + i).toList();
        for (String text : sent) {
            producer.asyncSendMessage(message("async", text));
        }
        Inbox inbox = new Inbox();
        client.consumer("async", "async-group", inbox);
        assertThat(inbox.awaitTexts(200)).containsExactlyInAnyOrderElementsOf(sent);
    }

    @Test
    void shouldAnswerReadsByPartitionAndOffset() throws Exception {
        MessageProducer producer = client.producer("direct");
        SendResult result = send(producer, "direct", "first");
        MessageConsumer consumer =
                client.opened(client.factory().createConsumer(consumerConfig("direct-group")));
        MessageIterator messages =
                consumer.get("direct", result.getPartition(), result.getOffset(), 1024);
        assertThat(messages.hasNext()).isTrue();
        assertThat(new String(messages.next().getData(), UTF_8)).isEqualTo("first");
        assertThat(messages.hasNext()).isFalse();
    }

    @Test
    void shouldBrowseATopicOverAllPartitions() throws Exception {
        List<String> sent = sendAll("browsed", "message", 20);
        TopicBrowser browser =
                client.opened(
                        client.factory().createTopicBrowser("browsed", 1024, 5, TimeUnit.SECONDS));
        List<String> seen = new ArrayList<>();
        for (Iterator<Message> messages = browser.iterator(); messages.hasNext(); ) {
            seen.add(new String(messages.next().getData(), UTF_8));
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(sent);
    }

    @Test
    void shouldTellTheClientItsStatistics() throws Exception {
        client.producer("recipe");
        Map<InetSocketAddress, StatsResult> stats = client.factory().getStats();
        assertThat(stats).hasSize(1);
        StatsResult summary = stats.values().iterator().next();
        assertThat(summary.getValue("broker_id")).isEqualTo("7");
        assertThat(summary.getValue("port")).isEqualTo(Integer.toString(server.port()));
        assertThat(summary.getStatsKeySet())
                .contains(
                        "pid",
                        "curr_connections",
                        "cmd_put",
                        "cmd_get",
                        "cmd_offset",
                        "tx_begin",
                        "tx_xa_begin",
                        "tx_commit",
                        "tx_rollback",
                        "get_miss",
                        "put_failed",
                        "total_messages",
                        "topics",
                        "config_checksum");
        for (String item : List.of("topics", "offsets", "help", "realtime", "recipe")) {
            assertThat(client.factory().getStats(item)).as(item).hasSize(1);
        }
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void shouldAnswerTheHeartbeatsOfAnIdleClient() throws Exception {
        await().atMost(IDLE.plusSeconds(5))
                .until(() -> System.nanoTime() - idleSinceNs > IDLE.toNanos());
        assertThat(tap.count("version")).isGreaterThanOrEqualTo(2);
        send(idleProducer, "idle", "after");
    }
}
