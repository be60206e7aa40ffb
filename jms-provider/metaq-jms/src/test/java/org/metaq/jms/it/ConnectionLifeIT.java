package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;

/** What connections and sessions cost and leave behind, and what they do not do. */
class ConnectionLifeIT extends BrokerTestBase {
    /** Connections that the broker counts, without the one that asks. */
    private int brokerConnections() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port())) {
            socket.getOutputStream().write("stats  1\r\n".getBytes(StandardCharsets.US_ASCII));
            BufferedReader in =
                    new BufferedReader(
                            new InputStreamReader(
                                    socket.getInputStream(), StandardCharsets.US_ASCII));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("curr_connections ")) {
                    return Integer.parseInt(line.substring("curr_connections ".length()).trim())
                            - 1;
                }
            }
            throw new IOException("no curr_connections");
        }
    }

    @Test
    @Spec("JMS 3.1 §6.1: one connection, many sessions; §6.1.8: close frees everything")
    void shouldLeaveNothingBehindAHundredSessions() throws Exception {
        awaitNoClientThreads();
        await().untilAsserted(() -> assertThat(brokerConnections()).isZero());
        MetaQQueue queue = newQueue();
        Connection connection = connect();
        List<String> got = new CopyOnWriteArrayList<>();
        List<Session> sessions = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Session session = connection.createSession();
            sessions.add(session);
            session.createConsumer(queue)
                    .setMessageListener(
                            message -> {
                                try {
                                    got.add(text(message));
                                } catch (JMSException e) {
                                    got.add(e.toString());
                                }
                            });
        }
        assertThat(brokerConnections()).as("all over one").isEqualTo(1);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            MessageProducer producer = sessions.get(i).createProducer(queue);
            producer.send(sessions.get(i).createTextMessage("m" + i));
            sent.add("m" + i);
        }
        await().until(() -> got.size() >= sent.size());
        assertThat(got).containsExactlyInAnyOrderElementsOf(sent);
        assertThat(clientThreads()).as("a reader, and a listener per session").hasSize(101);
        for (Session session : sessions.subList(0, 50)) {
            session.close();
        }
        assertThat(clientThreads()).hasSize(51);
        connection.close();
        assertThat(clientThreads()).isEmpty();
        await().untilAsserted(() -> assertThat(brokerConnections()).isZero());
    }

    @Test
    @Spec("JMS 3.1 §6.1: sessions without listeners need no threads")
    void shouldStartNoThreadsForSessionsThatOnlySendAndReceive() throws Exception {
        Connection connection = connect();
        for (int i = 0; i < 10; i++) {
            MetaQQueue queue = newQueue();
            Session session = connection.createSession();
            send(session, queue, "a");
            receive(session.createConsumer(queue));
        }
        assertThat(clientThreads()).hasSize(1);
    }

    @Test
    @Spec("JMS 3.1 §6.1.6")
    void shouldDescribeItself() throws Exception {
        ConnectionMetaData data = connect().getMetaData();
        assertThat(data.getJMSVersion()).isEqualTo("3.1");
        assertThat(data.getJMSMajorVersion()).isEqualTo(3);
        assertThat(data.getJMSMinorVersion()).isEqualTo(1);
        assertThat(data.getJMSProviderName()).isNotEmpty();
        assertThat(data.getProviderVersion())
                .matches("\\d+\\.\\d+.*")
                .startsWith(data.getProviderMajorVersion() + "." + data.getProviderMinorVersion());
        assertThat(namesIn(data.getJMSXPropertyNames()))
                .containsExactlyInAnyOrder("JMSXGroupID", "JMSXGroupSeq", "JMSXDeliveryCount");
    }

    @Test
    @Spec("JMS 3.1 §6.1.1: no broker, no connection")
    void shouldSayThatNoBrokerAnswers() {
        assertThatThrownBy(
                        () ->
                                new org.metaq.jms.MetaQConnectionFactory("metaq://127.0.0.1:1")
                                        .createConnection())
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("127.0.0.1:1");
    }

    @Test
    @Spec("JMS 3.1 §2.8.4, tables of the domain-specific interfaces")
    void shouldRefuseTheOtherDomainsMethods() throws Exception {
        QueueConnection queues = closedLater(factory("").createQueueConnection());
        QueueSession queueSession = queues.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        MetaQTopic topic = newTopic();
        for (ThrowingCallable call :
                List.<ThrowingCallable>of(
                        () -> queueSession.createTopic("t"),
                        () -> queueSession.createTemporaryTopic(),
                        () -> queueSession.createDurableSubscriber(topic, "s"),
                        () -> queueSession.createDurableConsumer(topic, "s"),
                        () -> queueSession.createSharedConsumer(topic, "s"),
                        () -> queueSession.unsubscribe("s"),
                        () -> queues.createDurableConnectionConsumer(topic, "s", "", null, 1))) {
            assertThatThrownBy(call).isInstanceOf(IllegalStateException.class);
        }
        TopicConnection topics = closedLater(factory("").createTopicConnection());
        TopicSession topicSession = topics.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        for (ThrowingCallable call :
                List.<ThrowingCallable>of(
                        () -> topicSession.createQueue("q"),
                        () -> topicSession.createTemporaryQueue(),
                        () -> topicSession.createBrowser(newQueue()))) {
            assertThatThrownBy(call).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    @Spec("JMS 3.1 §6.2: destinations must be named and known")
    void shouldRefuseBadDestinations() throws Exception {
        Session session = connect().createSession();
        assertThatThrownBy(() -> session.createConsumer(null))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createQueue("")).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session.createTopic(null)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session.unsubscribe("nobody"))
                .isInstanceOf(InvalidDestinationException.class);
        MessageProducer anonymous = session.createProducer(null);
        assertThatThrownBy(() -> anonymous.send(session.createMessage()))
                .isInstanceOf(UnsupportedOperationException.class);
        MessageProducer named = session.createProducer(newQueue());
        assertThatThrownBy(() -> named.send(newQueue(), session.createMessage()))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    @Spec("JMS 3.1 §6.1.8, §6.2.15: close waits for a running listener, whose commit succeeds")
    void shouldLetARunningListenerCommitWhenSessionOrConnectionClose() throws Exception {
        for (boolean closesConnection : List.of(true, false)) {
            MetaQQueue queue = newQueue();
            Connection connection = connect();
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            CountDownLatch isRunning = new CountDownLatch(1);
            CountDownLatch mayGoOn = new CountDownLatch(1);
            CompletableFuture<String> result = new CompletableFuture<>();
            session.createConsumer(queue)
                    .setMessageListener(
                            message -> {
                                isRunning.countDown();
                                try {
                                    mayGoOn.await();
                                    session.commit();
                                    result.complete("committed");
                                } catch (InterruptedException | JMSException e) {
                                    result.completeExceptionally(e);
                                }
                            });
            connection.start();
            Session other = connect().createSession();
            other.createProducer(queue).send(other.createTextMessage("a"));
            isRunning.await();
            AutoCloseable closing = closesConnection ? connection : session;
            Thread closer =
                    new Thread(
                            () -> {
                                try {
                                    closing.close();
                                } catch (Exception e) {
                                    result.completeExceptionally(e);
                                }
                            });
            closer.start();
            await().until(() -> closer.getState() == Thread.State.WAITING);
            mayGoOn.countDown();
            closer.join();
            assertThat(result).isCompletedWithValue("committed");
            assertThat(other.createBrowser(queue).getEnumeration().hasMoreElements()).isFalse();
        }
    }

    @Test
    @Spec("JMS 3.1 §6.2.5: close from any thread, at any time")
    void shouldSurviveOpeningAndClosingFromManyThreads() throws Exception {
        MetaQQueue queue = newQueue();
        Connection connection = connect();
        List<String> failures = new CopyOnWriteArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Thread thread =
                    new Thread(
                            () -> {
                                try {
                                    for (int n = 0; n < 20; n++) {
                                        Session session = connection.createSession();
                                        send(session, queue, "x");
                                        session.createConsumer(queue).receive(1);
                                        session.close();
                                    }
                                } catch (JMSException e) {
                                    failures.add(e.toString());
                                }
                            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join(Duration.ofSeconds(50).toMillis());
            assertThat(thread.isAlive()).isFalse();
        }
        assertThat(failures).isEmpty();
    }
}
