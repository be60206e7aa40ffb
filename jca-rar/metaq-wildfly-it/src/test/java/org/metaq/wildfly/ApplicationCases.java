package org.metaq.wildfly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.metaq.jms.MetaQConnectionFactory;

/** What an application does with the resource adapter, on one server that runs for all cases. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(240)
public abstract class ApplicationCases {
    private Site site;

    @BeforeAll
    void startServerBeforeBroker() throws Exception {
        site = Site.ofTestApplication("application").startServer();
    }

    @AfterAll
    void stop() throws Exception {
        try {
            site.server().stop();
        } finally {
            site.close();
        }
    }

    @Test
    @Order(1)
    void shouldDeliverWhenABrokerComesThatWasDownAtDeployment() throws Exception {
        site.broker().start();
        site.send("test.in", "test.replies", "ok late broker");
        assertThat(site.receiveTexts("test.replies", 1)).containsExactly("ok late broker");
        assertThat(site.rows("queue")).containsExactly("ok late broker 1");
    }

    @Test
    @Order(2)
    void shouldSendAndWriteInOneTransaction() throws Exception {
        assertDone(site.run("send", "queue", "test.out", "text", "committed"));
        assertThat(site.receiveTexts("test.out", 1)).containsExactly("committed");
        assertThat(site.rows("sent")).containsExactly("committed 0");
    }

    @Test
    @Order(3)
    void shouldNeitherSendNorWriteWhatIsRolledBack() throws Exception {
        site.run("roll-back", "queue", "test.out", "text", "rolled back");
        assertThat(site.run("throw", "queue", "test.out", "text", "thrown").statusCode())
                .isEqualTo(500);
        assertDone(site.run("send", "queue", "test.out", "text", "next"));
        assertThat(site.receiveTexts("test.out", 1)).containsExactly("next");
        assertThat(site.rows("sent")).doesNotContain("rolled back 0", "thrown 0");
        assertThat(site.view().inDoubt()).isZero();
    }

    @Test
    @Order(4)
    void shouldDeliverAgainWhatABeanRolledBackOrFailedAt() throws Exception {
        site.send("test.in", "test.replies", "roll-back-once a", "throw-once b");
        assertThat(site.receiveTexts("test.replies", 2))
                .containsExactlyInAnyOrder("roll-back-once a", "throw-once b");
        assertThat(site.rows("queue")).contains("roll-back-once a 2", "throw-once b 2");
        site.awaitQuiet("test.in");
        // Narayana's warning of what is ended twice.
        assertThat(site.server().log()).content().doesNotContain("ARJUNA016129");
    }

    @Test
    @Order(5)
    void shouldParkPoisonWithItsCauseWhileOthersFlow() throws Exception {
        site.send("test.in", "test.replies", "poison", "ok after poison");
        assertThat(site.receiveTexts("test.replies", 1)).containsExactly("ok after poison");
        List<Message> dead = site.receive("DLQ", 1);
        assertThat(dead).hasSize(1);
        assertThat(dead.get(0).getBody(String.class)).isEqualTo("poison");
        assertThat(dead.get(0).getStringProperty("JMS_METAQ_DeadLetterException"))
                .contains("cannot handle poison");
        assertThat(site.rows("queue")).noneMatch(row -> row.startsWith("poison"));
    }

    @Test
    @Order(6)
    void shouldDeliverOfATopicWhatTheSelectorWants() throws Exception {
        awaitRunning("TopicBean");
        publish("other", "test.topic", "unwanted");
        publish("wanted", "test.topic", "wanted");
        site.awaitRows("topic", "wanted 1");
    }

    @Test
    @Order(7)
    void shouldAcknowledgeWithoutContainerTransactionWhenTheBeanReturns() throws Exception {
        site.send("test.none", null, "ok none", "throw-once none");
        site.send("test.bean", null, "ok bean", "throw-once bean");
        // What the failed delivery wrote stays: no transaction covers it.
        Awaitility.await()
                .atMost(Site.MAX)
                .until(() -> site.rows("none").contains("throw-once none 2"));
        assertThat(site.rows("none"))
                .containsExactlyInAnyOrder("ok none 1", "throw-once none 1", "throw-once none 2");
        site.awaitRows("bean", "ok bean 1", "throw-once bean 2");
        site.awaitQuiet("test.none");
        site.awaitQuiet("test.bean");
    }

    @Test
    @Order(8)
    void shouldOpenSendAndCloseHundredsOfTimesInOneTransaction() throws Exception {
        assertDone(site.run("open-send-close", "queue", "test.many", "text", "", "count", "600"));
        assertThat(site.receiveTexts("test.many", 600))
                .containsExactlyElementsOf(
                        IntStream.range(0, 600).mapToObj(Integer::toString).toList());
    }

    @Test
    @Order(9)
    void shouldServeDefaultFactoryAndItsInjectedContext() throws Exception {
        assumeTrue(hasDefaultFactory());
        assertDone(site.run("default-factory", "queue", "test.default", "text", "default"));
        sendAndFail("injected", "test.default");
        assertThat(site.receiveTexts("test.default", 3))
                .containsExactly("default", "injected", "last");
    }

    /** Whether the server's default connection factory can be this adapter's. */
    protected boolean hasDefaultFactory() {
        return true;
    }

    @Test
    @Order(9)
    void shouldServeAnInjectedContextOfAFactoryByName() throws Exception {
        sendAndFail("named", "test.injected");
        assertThat(site.receiveTexts("test.injected", 2)).containsExactly("named", "last");
    }

    private void sendAndFail(String name, String queue) throws Exception {
        assertDone(site.run(name, "queue", queue, "text", name));
        String failing = name + "-throw";
        assertThat(site.run(failing, "queue", queue, "text", failing).statusCode()).isEqualTo(500);
        assertDone(site.run("send", "queue", queue, "text", "last"));
    }

    @Test
    @Order(10)
    void shouldServeFactoryAndQueueThatTheApplicationDefines() throws Exception {
        assertThat(site.run("defined-throw", "text", "rolled back").statusCode()).isEqualTo(500);
        assertDone(site.run("defined", "text", "by annotations"));
        site.awaitRows("defined", "by annotations 1");
        site.awaitQuiet("test.defined");
    }

    @Test
    @Order(11)
    void shouldListenToAnAdministeredObject() throws Exception {
        site.send("test.lookup", null, "looked up");
        site.awaitRows("lookup", "looked up 1");
    }

    @Test
    @Order(12)
    void shouldShareADurableSubscriptionAmongActivations() throws Exception {
        awaitRunning("SharedFirstBean");
        awaitRunning("SharedSecondBean");
        List<String> texts = IntStream.range(0, 40).mapToObj(i -> "shared " + i).toList();
        publish("any", "test.shared", texts.toArray(String[]::new));
        Awaitility.await()
                .atMost(Site.MAX)
                .untilAsserted(
                        () -> assertThat(shared()).containsExactlyInAnyOrderElementsOf(texts));
        assertThat(site.rows("first")).isNotEmpty();
        assertThat(site.rows("second")).isNotEmpty();
    }

    @Test
    @Order(13)
    void shouldDeliverAgainWhenABeanOutlastsItsTransaction() throws Exception {
        site.send("test.time-out", null, "late");
        site.awaitRows("time-out", "late 2");
        site.awaitQuiet("test.time-out");
    }

    @Test
    @Order(14)
    void shouldTryLittleWhileTheDatabaseIsDeadAndLoseNothing() throws Exception {
        site.database().start();
        assertDone(site.run("create-remote-rows"));
        List<String> sent = new ArrayList<>();
        sendToRemote(sent, 200);
        Awaitility.await().atMost(Site.MAX).until(() -> remoteRows().size() > 50);
        pauseRemote();
        sendToRemote(sent, 200);
        site.database().kill9();
        assertDone(site.run("endpoint-run", "bean", "RemoteBean", "text", "resume"));
        sendToRemote(sent, 200);
        Awaitility.await()
                .pollDelay(outage())
                .atMost(outage().plus(Site.MAX))
                .until(() -> remoteEndpoint("FailedCount") > 0);
        assertThat(remoteEndpoint("FailedCount")).isLessThan(100 * outage().toSeconds() / 60);
        site.database().start();
        Awaitility.await()
                .atMost(Site.MAX)
                .untilAsserted(
                        () -> assertThat(remoteRows()).containsExactlyInAnyOrderElementsOf(sent));
        site.awaitQuiet("test.remote");
        assertThat(site.view().depth("DLQ")).isZero();
        System.out.println(remoteEndpoint("FailedCount") + " failed deliveries in " + outage());
    }

    /** How long the database is dead. */
    protected Duration outage() {
        return Duration.ofSeconds(60);
    }

    /**
     * Until nothing is under way: a database that is killed within a commit would leave a row in
     * doubt for ever, because H2's driver then throws an XAException without a code, and servers
     * give the branch up.
     */
    private void pauseRemote() throws Exception {
        assertDone(site.run("endpoint-run", "bean", "RemoteBean", "text", "pause"));
        Awaitility.await().atMost(Site.MAX).until(() -> remoteEndpoint("BusySessionCount") == 0);
    }

    private void sendToRemote(List<String> sent, int count) {
        String[] texts =
                IntStream.range(sent.size(), sent.size() + count)
                        .mapToObj(i -> "remote " + i)
                        .toArray(String[]::new);
        site.send("test.remote", null, texts);
        sent.addAll(List.of(texts));
    }

    private List<String> remoteRows() throws Exception {
        HttpResponse<String> answer = site.run("remote-rows");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body().lines().toList();
    }

    private long remoteEndpoint(String attribute) throws Exception {
        return Long.parseLong(site.run("endpoint", "bean", "RemoteBean", "text", attribute).body());
    }

    private List<String> shared() throws Exception {
        return Stream.concat(site.rows("first").stream(), site.rows("second").stream())
                .map(row -> row.substring(0, row.lastIndexOf(' ')))
                .toList();
    }

    @Test
    @Order(16)
    void shouldKeepForADurableSubscriptionWhatComesWhileTheApplicationIsAway() throws Exception {
        site.server().undeploy(site.archive());
        publish("wanted", "test.topic", "kept");
        publish("any", "test.shared", "kept");
        site.server().deploy(site.archiveFile());
        site.awaitRows("topic", "kept 1", "wanted 1");
        Awaitility.await().atMost(Site.MAX).until(() -> shared().contains("kept"));
    }

    @Test
    @Order(15)
    void shouldGoOnWhenTheBrokerIsKilledUnderBeansAndPool() throws Exception {
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            if (i == 30) {
                site.broker().kill9();
                site.broker().start();
            }
            sendUntilDone("broker " + i);
            sent.add("broker " + i);
        }
        Awaitility.await()
                .atMost(Site.MAX)
                .untilAsserted(
                        () ->
                                assertThat(processed("broker "))
                                        .containsExactlyInAnyOrderElementsOf(sent));
        site.awaitQuiet("test.in");
    }

    /** The last: the application is not there afterwards. */
    @Test
    @Order(Integer.MAX_VALUE)
    void shouldLeaveNothingBehindWhenDeployedTenTimes() throws Exception {
        assumeTrue(canDisableTheAdapter());
        new Redeployment(site).leavesNothingBehind();
    }

    /** Whether the adapter can be disabled and enabled while the server runs. */
    protected boolean canDisableTheAdapter() {
        return true;
    }

    /** A transaction that failed did nothing, unless its commit's answer was lost: then it did. */
    private void sendUntilDone(String text) throws Exception {
        HttpResponse<String> answer = site.run("send", "queue", "test.in", "text", text);
        for (int tries = 0; answer.statusCode() != 200; tries++) {
            assertThat(tries).as(answer.body()).isLessThan(50);
            if (site.rows("sent").contains(text + " 0")) {
                return;
            }
            answer = site.run("send", "queue", "test.in", "text", text);
        }
    }

    private List<String> processed(String prefix) throws Exception {
        return site.rows("queue").stream()
                .filter(row -> row.startsWith(prefix))
                .map(row -> row.substring(0, row.lastIndexOf(' ')))
                .toList();
    }

    /** With the broker, which made the subscription then. */
    private void awaitRunning(String bean) {
        Awaitility.await()
                .atMost(Site.MAX)
                .until(
                        () -> site.run("endpoint", "bean", bean, "text", "State").body(),
                        "RUNNING"::equals);
    }

    /** Sends texts to a topic, for whom a kind of messages is. */
    private void publish(String kind, String topic, String... texts) {
        try (JMSContext context = new MetaQConnectionFactory(site.broker().uri()).createContext()) {
            for (String text : texts) {
                context.createProducer()
                        .setProperty("kind", kind)
                        .send(context.createTopic(topic), text);
            }
        }
    }

    private static void assertDone(HttpResponse<String> answer) {
        assertThat(answer.body()).isEqualTo("done\n");
    }
}
