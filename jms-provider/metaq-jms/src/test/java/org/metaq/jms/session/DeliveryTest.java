package org.metaq.jms.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.protocol.Command;
import org.metaq.protocol.Durability;
import org.metaq.protocol.StartPosition;
import org.metaq.protocol.SubscribeOptions;

@Timeout(60)
class DeliveryTest {
    private MemoryBroker broker;
    private Connection connection;

    @BeforeEach
    void connect() throws Exception {
        broker = new MemoryBroker();
        connection = new MetaQConnectionFactory(broker.uri("")).createConnection();
        connection.start();
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
        broker.close();
        await().until(() -> threadsOf("metaq-c").isEmpty());
    }

    private static List<String> threadsOf(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(prefix))
                .toList();
    }

    private void send(String queue, int count) throws JMSException {
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(session.createQueue(queue));
        for (int i = 0; i < count; i++) {
            producer.send(session.createTextMessage("m" + i));
        }
        session.close();
    }

    private static String text(Message message) throws JMSException {
        return message == null ? null : ((TextMessage) message).getText();
    }

    private static List<String> receive(MessageConsumer consumer, int count) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Message message = consumer.receive(5000);
            texts.add(text(message) + "#" + message.getIntProperty("JMSXDeliveryCount"));
        }
        return texts;
    }

    @Test
    void shouldHandOverAndAcknowledgeEachMessageWhenSessionIsAuto() throws Exception {
        Session session = connection.createSession();
        Queue queue = session.createQueue("q");
        TextMessage sent = session.createTextMessage("hello");
        session.createProducer(queue).send(sent);
        MessageConsumer consumer = session.createConsumer(queue);

        TextMessage received = (TextMessage) consumer.receive(5000);

        assertThat(received.getText()).isEqualTo("hello");
        assertThat(received.getJMSMessageID()).startsWith("ID:").isEqualTo(sent.getJMSMessageID());
        assertThat(received.getJMSDestination()).isEqualTo(queue);
        assertThat(received.getJMSRedelivered()).isFalse();
        await().until(() -> broker.acquiredCount("q") == 0);
        assertThat(consumer.receiveNoWait()).isNull();
        assertThat(broker.commands(Command.Send.class).get(0).durability())
                .isEqualTo(Durability.POLICY);
    }

    @Test
    void shouldRedeliverInOrderWhenSessionRecovers() throws Exception {
        send("q", 6);
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
        assertThat(receive(consumer, 3)).containsExactly("m0#1", "m1#1", "m2#1");

        session.recover();

        assertThat(receive(consumer, 4)).containsExactly("m0#2", "m1#2", "m2#2", "m3#1");
        consumer.receive(5000).acknowledge();
        assertThat(broker.acquiredCount("q")).isEqualTo(1);
        assertThat(receive(consumer, 1)).containsExactly("m5#1");
    }

    @Test
    void shouldRedeliverUnacknowledgedMessagesInOrderWhenSessionCloses() throws Exception {
        send("q", 5);
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        receive(session.createConsumer(session.createQueue("q")), 2);
        session.close();

        assertThat(broker.acquiredCount("q")).isZero();
        Session second = connection.createSession();
        assertThat(receive(second.createConsumer(second.createQueue("q")), 5))
                .containsExactly("m0#2", "m1#2", "m2#1", "m3#1", "m4#1");
    }

    @Test
    void shouldCommitSendsAndReceiptsTogether() throws Exception {
        send("in", 3);
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(session.createQueue("in"));
        MessageProducer producer = session.createProducer(session.createQueue("out"));
        Session observer = connection.createSession();
        MessageConsumer out = observer.createConsumer(observer.createQueue("out"));

        producer.send(session.createTextMessage(text(consumer.receive(5000))));
        assertThat(out.receiveNoWait()).isNull();
        session.commit();

        assertThat(text(out.receive(5000))).isEqualTo("m0");
        producer.send(session.createTextMessage(text(consumer.receive(5000))));
        session.rollback();
        assertThat(out.receiveNoWait()).isNull();
        assertThat(receive(consumer, 2)).containsExactly("m1#2", "m2#1");
        session.commit();
        assertThat(broker.acquiredCount("in")).isZero();
        assertThat(broker.availableCount("in")).isZero();
    }

    @Test
    void shouldReturnNullFromBlockedReceiveWhenConsumerIsClosedByAnotherThread() throws Exception {
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
        CountDownLatch returned = new CountDownLatch(1);
        AtomicReference<Object> result = new AtomicReference<>("none");
        Thread receiver =
                new Thread(
                        () -> {
                            try {
                                result.set(consumer.receive());
                            } catch (JMSException e) {
                                result.set(e);
                            }
                            returned.countDown();
                        });
        receiver.start();
        await().until(() -> receiver.getState() == Thread.State.WAITING);

        consumer.close();

        assertThat(returned.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(result.get()).isNull();
        assertThatThrownBy(consumer::receive).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldWaitForTimeOutWhenNothingComes() throws Exception {
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
        long start = System.nanoTime();
        assertThat(consumer.receive(300)).isNull();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(300_000_000L);
    }

    @Test
    void shouldCloseOnlyAfterRunningListenerHasReturnedAndLetItCommit() throws Exception {
        send("q", 1);
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch mayReturn = new CountDownLatch(1);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicBoolean committed = new AtomicBoolean();
        session.createConsumer(session.createQueue("q"))
                .setMessageListener(
                        message -> {
                            entered.countDown();
                            try {
                                mayReturn.await();
                                session.commit();
                                committed.set(true);
                            } catch (JMSException | InterruptedException e) {
                                failure.set(e);
                            }
                        });
        assertThat(entered.await(5, TimeUnit.SECONDS)).isTrue();
        AtomicBoolean closed = new AtomicBoolean();
        Thread closer =
                new Thread(
                        () -> {
                            try {
                                session.close();
                                closed.set(true);
                            } catch (JMSException e) {
                                failure.set(e);
                            }
                        });
        closer.start();
        await().until(() -> closer.getState() == Thread.State.WAITING);
        Thread connectionCloser =
                new Thread(
                        () -> {
                            try {
                                connection.close();
                            } catch (JMSException e) {
                                failure.set(e);
                            }
                        });
        connectionCloser.start();
        await().until(() -> connectionCloser.getState() == Thread.State.WAITING);
        assertThat(closed).isFalse();

        mayReturn.countDown();
        closer.join();
        connectionCloser.join();

        assertThat(failure.get()).isNull();
        assertThat(committed).isTrue();
        assertThat(broker.acquiredCount("q")).isZero();
        assertThat(broker.availableCount("q")).isZero();
    }

    @Test
    void shouldStopOnlyAfterRunningListenerHasReturned() throws Exception {
        send("q", 2);
        Session session = connection.createSession();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch mayReturn = new CountDownLatch(1);
        List<String> seen = new CopyOnWriteArrayList<>();
        session.createConsumer(session.createQueue("q"))
                .setMessageListener(
                        message -> {
                            entered.countDown();
                            try {
                                mayReturn.await();
                                seen.add(text(message));
                            } catch (JMSException | InterruptedException e) {
                                seen.add(e.toString());
                            }
                        });
        assertThat(entered.await(5, TimeUnit.SECONDS)).isTrue();
        CountDownLatch stopped = new CountDownLatch(1);
        Thread stopper =
                new Thread(
                        () -> {
                            try {
                                connection.stop();
                                stopped.countDown();
                            } catch (JMSException e) {
                                seen.add(e.toString());
                            }
                        });
        stopper.start();
        await().until(() -> stopper.getState() == Thread.State.WAITING);

        mayReturn.countDown();

        assertThat(stopped.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(seen).containsExactly("m0");
        connection.start();
        await().until(() -> seen.size() == 2);
        assertThat(seen).containsExactly("m0", "m1");
    }

    @Test
    void shouldRefuseToCloseOrStopFromOwnListenerButLetItCloseItsConsumer() throws Exception {
        send("q", 1);
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
        List<Object> results = new CopyOnWriteArrayList<>();
        consumer.setMessageListener(
                message -> {
                    results.add(outcome(session::close));
                    results.add(outcome(connection::close));
                    results.add(outcome(connection::stop));
                    results.add(outcome(consumer::close));
                });
        await().until(() -> results.size() == 4);
        assertThat(results)
                .containsExactly(
                        IllegalStateException.class,
                        IllegalStateException.class,
                        IllegalStateException.class,
                        "done");
        await().until(() -> broker.acquiredCount("q") == 0);
        assertThat(broker.availableCount("q")).isZero();
    }

    private interface Attempt {
        void run() throws JMSException;
    }

    private static Object outcome(Attempt attempt) {
        try {
            attempt.run();
            return "done";
        } catch (JMSException e) {
            return e.getClass();
        }
    }

    @Test
    void shouldRedeliverOnlyCurrentMessageWhenAutoListenerRecovers() throws Exception {
        send("q", 3);
        Session session = connection.createSession();
        List<String> seen = new CopyOnWriteArrayList<>();
        session.createConsumer(session.createQueue("q"))
                .setMessageListener(
                        message -> {
                            try {
                                seen.add(text(message) + message.getJMSRedelivered());
                                if (text(message).equals("m1") && !message.getJMSRedelivered()) {
                                    session.recover();
                                }
                            } catch (JMSException e) {
                                seen.add(e.toString());
                            }
                        });
        await().until(() -> seen.size() >= 4);
        assertThat(seen).containsExactly("m0false", "m1false", "m1true", "m2false");
        await().until(() -> broker.acquiredCount("q") == 0);
    }

    @Test
    void shouldRedeliverWhenAutoOrDupsListenerThrows() throws Exception {
        for (int mode : new int[] {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE}) {
            String queue = "q" + mode;
            send(queue, 3);
            Session session = connection.createSession(mode);
            List<String> seen = new CopyOnWriteArrayList<>();
            session.createConsumer(session.createQueue(queue))
                    .setMessageListener(
                            message -> {
                                try {
                                    seen.add(text(message) + message.getJMSRedelivered());
                                    if (text(message).equals("m1")
                                            && !message.getJMSRedelivered()) {
                                        throw new IllegalArgumentException("on purpose");
                                    }
                                } catch (JMSException e) {
                                    seen.add(e.toString());
                                }
                            });
            await().until(() -> seen.size() >= 4);
            assertThat(seen).containsExactly("m0false", "m1false", "m1true", "m2false");
            session.close();
            assertThat(broker.acquiredCount(queue)).isZero();
            assertThat(broker.availableCount(queue)).isZero();
        }
    }

    @Test
    void shouldTellTheBrokerWhatTheListenerThrew() throws Exception {
        send("q", 1);
        Session session = connection.createSession();
        AtomicBoolean isSecond = new AtomicBoolean();
        session.createConsumer(session.createQueue("q"))
                .setMessageListener(
                        message -> {
                            if (!isSecond.getAndSet(true)) {
                                throw new UnsupportedOperationException("x".repeat(600));
                            }
                        });
        await().until(() -> broker.commands(Command.Acknowledge.class).size() == 1);

        String reason = broker.commands(Command.Release.class).get(0).reason();
        assertThat(reason).startsWith("java.lang.UnsupportedOperationException: xxx").hasSize(512);
    }

    @Test
    void shouldRedeliverAndGoOnWhenAListenerThrowsAnError() throws Exception {
        send("q", 1);
        Session session = connection.createSession();
        AtomicBoolean isSecond = new AtomicBoolean();
        session.createConsumer(session.createQueue("q"))
                .setMessageListener(
                        message -> {
                            if (!isSecond.getAndSet(true)) {
                                throw new NoClassDefFoundError("on purpose");
                            }
                        });
        await().until(() -> broker.commands(Command.Acknowledge.class).size() == 1);
        assertThat(isSecond).isTrue();
    }

    @Test
    void shouldPassOptionsOfDestinationAndUriOnWhenSubscribing() throws Exception {
        try (Connection limited =
                new MetaQConnectionFactory(broker.uri("?maxDeliveries=9&redeliveryDelay=100"))
                        .createConnection()) {
            Session session = limited.createSession();
            session.createConsumer(session.createTopic("t?from=earliest&maxDeliveries=3"));
            session.createConsumer(session.createTopic("t"), "a = 1");
        }
        List<Command.Subscribe> subscribes = broker.commands(Command.Subscribe.class);
        assertThat(subscribes.get(0).options())
                .isEqualTo(
                        new SubscribeOptions(
                                StartPosition.EARLIEST,
                                true,
                                Map.of("maxDeliveries", "3", "redeliveryDelay", "100")));
        assertThat(subscribes.get(1).options())
                .isEqualTo(
                        new SubscribeOptions(
                                null,
                                false,
                                Map.of("maxDeliveries", "9", "redeliveryDelay", "100")));
        assertThat(subscribes.get(1).selector()).isEqualTo("a = 1");
    }

    @Test
    void shouldRefuseBadOptionsWithAJmsException() throws Exception {
        Session session = connection.createSession();
        assertThatThrownBy(() -> session.createTopic("t?from=yesterday"))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("'from' cannot be 'yesterday'");
        assertThatThrownBy(() -> session.createQueue("x".repeat(300)))
                .isInstanceOf(JMSException.class);
    }

    @Test
    void shouldDropExpiredMessageAtHandOut() throws Exception {
        Session session = connection.createSession();
        Queue queue = session.createQueue("q");
        MessageProducer producer = session.createProducer(queue);
        producer.setTimeToLive(1);
        producer.send(session.createTextMessage("late"));
        long sent = System.currentTimeMillis();
        await().until(() -> System.currentTimeMillis() > sent + 5);
        producer.setTimeToLive(0);
        producer.send(session.createTextMessage("good"));
        assertThat(text(session.createConsumer(queue).receive(5000))).isEqualTo("good");
        await().until(() -> broker.acquiredCount("q") == 0);
    }

    @Test
    void shouldLeaveOutOwnMessagesWhenNoLocal() throws Exception {
        Session session = connection.createSession();
        jakarta.jms.Topic topic = session.createTopic("t");
        MessageConsumer consumer = session.createConsumer(topic, null, true);
        session.createProducer(topic).send(session.createTextMessage("own"));
        try (Connection other = new MetaQConnectionFactory(broker.uri("")).createConnection()) {
            Session foreign = other.createSession();
            foreign.createProducer(topic).send(foreign.createTextMessage("other"));
        }
        assertThat(text(consumer.receive(5000))).isEqualTo("other");
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    void shouldTellExceptionListenerOnceAndFailWhatFollowsWhenConnectionIsLost() throws Exception {
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
        List<JMSException> told = new CopyOnWriteArrayList<>();
        connection.setExceptionListener(told::add);
        broker.script.expect(Command.Send.class).thenHangUp();
        MessageProducer producer = session.createProducer(session.createQueue("q"));

        assertThatThrownBy(() -> producer.send(session.createTextMessage("x")))
                .isInstanceOf(JMSException.class)
                .hasCauseInstanceOf(org.metaq.client.ClientException.class);

        await().until(() -> told.size() == 1);
        assertThatThrownBy(consumer::receive).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> producer.send(session.createTextMessage("y")))
                .isInstanceOf(JMSException.class);
        connection.close();
        assertThat(told).hasSize(1);
    }

    @Test
    void shouldSayThatOutcomeIsUnknownWhenReplyToCommitIsLost() throws Exception {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        session.createProducer(session.createQueue("q")).send(session.createTextMessage("x"));
        broker.script.expect(Command.Commit.class).thenHangUp();
        assertThatThrownBy(session::commit)
                .isExactlyInstanceOf(JMSException.class)
                .hasMessageContaining("outcome is unknown");
    }

    @Test
    void shouldRollBackWhenSendOfTransactionWasRefused() throws Exception {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(session.createQueue("q"));
        producer.send(session.createTextMessage("x"));
        await().until(() -> broker.commands(Command.Send.class).size() == 1);
        broker.script
                .expect(Command.Send.class)
                .thenError(org.metaq.protocol.ErrorCode.TRANSACTION_TOO_LARGE, "limit 1");
        broker.makeRollbackOnly();
        producer.send(session.createTextMessage("y"));
        assertThatThrownBy(session::commit)
                .isInstanceOf(jakarta.jms.TransactionRolledBackException.class)
                .hasMessageContaining("TRANSACTION_TOO_LARGE");
        assertThat(broker.commands(Command.Rollback.class)).hasSize(1);
        producer.send(session.createTextMessage("z"));
        session.commit();
        Session reader = connection.createSession();
        MessageConsumer consumer = reader.createConsumer(reader.createQueue("q"));
        assertThat(receive(consumer, 1)).containsExactly("z#1");
    }
}
