package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.conformance.Spec;

/** §6.1.8 and §6.2.15: closing connections, sessions and contexts. */
class CloseIT extends ConformanceTest {
    private static final String CONNECTION = "connection";
    private static final String SESSION = "session";

    private static void close(String what, Connection connection, Session session)
            throws JMSException {
        if (what.equals(CONNECTION)) {
            connection.close();
        } else {
            session.close();
        }
    }

    private static List<ThrowingCallable> usesOf(
            Session session, MessageProducer producer, MessageConsumer consumer, Message message) {
        return List.of(
                session::createTextMessage,
                session::createMessage,
                session::getTransacted,
                session::getAcknowledgeMode,
                session::recover,
                session::createTemporaryQueue,
                () -> session.createQueue("q"),
                () -> session.createConsumer(newQueue()),
                () -> session.createProducer(null),
                () -> session.unsubscribe("s"),
                () -> producer.send(message),
                producer::getDestination,
                producer::getPriority,
                () -> producer.setDeliveryMode(1),
                consumer::receive,
                () -> consumer.receive(1),
                consumer::receiveNoWait,
                consumer::getMessageSelector,
                () -> consumer.setMessageListener(m -> {}));
    }

    @ParameterizedTest
    @ValueSource(strings = {CONNECTION, SESSION})
    @Spec({"6.1.8", "6.2.15"})
    void shouldRefuseEachLaterUse(String what) throws JMSException {
        Connection connection = connect();
        Session session = connection.createSession();
        Message message = session.createTextMessage("a");
        MessageProducer producer = session.createProducer(newQueue());
        MessageConsumer consumer = session.createConsumer(newQueue());

        close(what, connection, session);

        assertThat(usesOf(session, producer, consumer, message))
                .allSatisfy(
                        use -> assertThatThrownBy(use).isInstanceOf(IllegalStateException.class));
    }

    @Test
    @Spec("6.1.8")
    void shouldRefuseEachLaterUseOfAConnection() throws JMSException {
        Connection connection = connect();
        connection.close();

        assertThat(
                        List.<ThrowingCallable>of(
                                connection::createSession,
                                connection::getClientID,
                                connection::getMetaData,
                                connection::getExceptionListener,
                                () -> connection.setExceptionListener(null)))
                .allSatisfy(
                        use -> assertThatThrownBy(use).isInstanceOf(IllegalStateException.class));
    }

    @Test
    @Spec({"6.1.8", "6.2.15", "10.2"})
    void shouldRefuseEachLaterUseOfAContext() {
        Queue queue = newQueue();
        JMSContext context = context();
        JMSProducer producer = context.createProducer();
        JMSConsumer consumer = context.createConsumer(queue);
        context.close();

        assertThat(
                        List.<ThrowingCallable>of(
                                () -> producer.send(queue, "a"),
                                consumer::receiveNoWait,
                                () -> consumer.receiveBody(String.class, 1),
                                context::createTextMessage,
                                context::createTemporaryQueue,
                                () -> context.createConsumer(queue),
                                () -> context.createContext(JMSContext.AUTO_ACKNOWLEDGE),
                                context::start,
                                context::stop,
                                context::recover))
                .allSatisfy(
                        use ->
                                assertThatThrownBy(use)
                                        .isInstanceOf(IllegalStateRuntimeException.class));
    }

    @Test
    @Spec({"6.1.8", "6.2.15"})
    void shouldIgnoreRepeatedCloses() throws JMSException {
        Connection connection = connect();
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(newQueue());
        MessageConsumer consumer = session.createConsumer(newQueue());
        consumer.close();
        consumer.close();
        producer.close();
        producer.close();
        session.close();
        session.close();
        connection.close();
        connection.close();
        session.close();
        producer.close();
        consumer.close();
        JMSContext context = context();
        context.close();

        assertThatCode(context::close).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {CONNECTION, SESSION})
    @Spec({"6.1.8", "6.2.15"})
    void shouldEndAWaitingReceive(String what) throws Exception {
        Connection connection = connect();
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(newQueue());
        CountDownLatch isWaiting = new CountDownLatch(1);
        CompletableFuture<Boolean> gotNone =
                CompletableFuture.supplyAsync(
                        () -> {
                            isWaiting.countDown();
                            try {
                                return consumer.receive() == null;
                            } catch (IllegalStateException e) {
                                // closed before it began to wait
                                return true;
                            } catch (JMSException e) {
                                throw new AssertionError(e);
                            }
                        });
        await(isWaiting);

        close(what, connection, session);

        assertThat(await(gotNone)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {CONNECTION, SESSION})
    @Spec({"6.1.8", "6.2.15", "6.2.5"})
    void shouldWaitForListenersAndServeThemMeanwhile(String what) throws Exception {
        Queue queue = newQueue();
        Queue answers = newQueue();
        Connection connection = connect();
        Session session = connection.createSession();
        CountDownLatch isRunning = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicBoolean isEnded = new AtomicBoolean();
        session.createConsumer(queue)
                .setMessageListener(
                        message -> {
                            isRunning.countDown();
                            try {
                                await(mayEnd);
                                send(session, answers, "answer");
                                isEnded.set(true);
                            } catch (JMSException | InterruptedException e) {
                                throw new AssertionError(e);
                            }
                        });
        send(queue, "a");
        await(isRunning);

        CompletableFuture<Boolean> closed =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                close(what, connection, session);
                                return isEnded.get();
                            } catch (JMSException e) {
                                throw new AssertionError(e);
                            }
                        });
        assertThat(closed).isNotDone();
        mayEnd.countDown();

        assertThat(await(closed)).as("the listener had ended when close returned").isTrue();
        assertThat(drain(answers)).containsExactly("answer");
        assertThat(drain(queue)).as("acknowledged").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {CONNECTION, SESSION})
    @Spec({"6.1.8", "6.2.15"})
    void shouldFailOrCloseWhenAListenerClosesIt(String what) throws Exception {
        Queue queue = newQueue();
        Connection connection = connect();
        Session session = connection.createSession();
        CompletableFuture<Throwable> outcome = new CompletableFuture<>();
        session.createConsumer(queue)
                .setMessageListener(
                        message -> {
                            try {
                                close(what, connection, session);
                                outcome.complete(null);
                            } catch (JMSException e) {
                                outcome.complete(e);
                            }
                        });
        send(queue, "a");

        Throwable thrown = await(outcome);
        if (thrown != null) {
            assertThat(thrown).isInstanceOf(IllegalStateException.class);
        }
        connection.close();
        assertThat(drain(queue)).as("acknowledged when the listener returned").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {CONNECTION, SESSION})
    @Spec({"6.1.8", "6.2.15", "6.2.7"})
    void shouldRollBack(String what) throws JMSException {
        Queue in = newQueue();
        Queue out = newQueue();
        send(in, "in");
        Connection connection = connect();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        assertThat(texts(session.createConsumer(in), 1)).containsExactly("in");
        send(session, out, "out");

        close(what, connection, session);

        assertThat(drain(out)).isEmpty();
        assertThat(drain(in)).containsExactly("in");
    }

    @ParameterizedTest
    @ValueSource(strings = {CONNECTION, SESSION})
    @Spec({"6.1.8", "6.2.15", "6.2"})
    void shouldAcknowledgeNothing(String what) throws JMSException {
        Queue queue = newQueue();
        send(queue, "a", "b");
        Connection connection = connect();
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        receive(consumer).acknowledge();
        Message second = receive(consumer);

        close(what, connection, session);

        assertThatThrownBy(second::acknowledge).isInstanceOf(IllegalStateException.class);
        Message again = receive(session().createConsumer(queue));
        assertThat(text(again)).isEqualTo("b");
        assertThat(again.getJMSRedelivered()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {CONNECTION, SESSION})
    @Spec({"6.1.8", "6.2.15"})
    void shouldLeaveMessagesUsable(String what) throws JMSException {
        Queue queue = newQueue();
        Connection connection = connect();
        Session session = connection.createSession();
        send(queue, "a");
        Message received = receive(session.createConsumer(queue));
        TextMessage created = session.createTextMessage("b");

        close(what, connection, session);

        assertThat(text(received)).isEqualTo("a");
        received.clearBody();
        ((TextMessage) received).setText("changed");
        created.setText("c");
        Queue other = newQueue();
        Session later = session();
        later.createProducer(other).send(created);
        assertThat(texts(later.createConsumer(other), 1)).containsExactly("c");
    }

    @Test
    @Spec("6.2.15")
    void shouldLeaveOtherSessionsOpen() throws JMSException {
        Queue queue = newQueue();
        Connection connection = connect();
        Session first = connection.createSession();
        Session second = connection.createSession();
        first.close();
        send(second, queue, "a");

        assertThat(texts(second.createConsumer(queue), 1)).containsExactly("a");
    }

    @Test
    @Spec({"6.1.8", "6.2.15", "2.8.2"})
    void shouldCloseTheConnectionWithTheLastContext() {
        String id = newName();
        JMSContext first = context(id);
        JMSContext second = closedLater(first.createContext(JMSContext.AUTO_ACKNOWLEDGE));
        Queue queue = newQueue();
        first.close();
        second.createProducer().send(queue, "a");
        assertThat(second.createConsumer(queue).receiveBody(String.class, PATIENCE_MS))
                .isEqualTo("a");

        second.close();

        assertThat(context(id).getClientID()).as("free again").isEqualTo(id);
    }

    @Test
    @Spec({"6.1.8", "6.2.15"})
    void shouldCloseAtTheEndOfATryStatement() throws JMSException {
        Connection outer;
        try (Connection connection = provider().connectionFactory().createConnection();
                Session session = connection.createSession()) {
            outer = connection;
            Destination queue = newQueue();
            send(session, queue, "a");
        }

        assertThatThrownBy(outer::createSession).isInstanceOf(IllegalStateException.class);
    }
}
