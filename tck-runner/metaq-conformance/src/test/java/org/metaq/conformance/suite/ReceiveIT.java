package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.conformance.Spec;

/** §8.1, §8.2, §8.5, §8.7, §8.8: receiving, listeners, closing consumers. */
class ReceiveIT extends ConformanceTest {
    private Connection connection;
    private Session session;
    private Queue queue;

    @BeforeEach
    void connectToAQueue() throws JMSException {
        connection = connect();
        session = connection.createSession();
        queue = newQueue();
    }

    // ---- synchronously

    @Test
    @Spec({"8.5", "8.1", "8.2"})
    void shouldReceiveWhatIsThere() throws JMSException {
        send(queue, "a", "b", "c", "d");
        MessageConsumer consumer = session.createConsumer(queue);

        assertThat(text(consumer.receive())).isEqualTo("a");
        assertThat(text(consumer.receive(PATIENCE_MS))).isEqualTo("b");
        assertThat(text(consumer.receive(0))).isEqualTo("c");
        assertThat(text(consumer.receiveNoWait())).isEqualTo("d");
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    @Spec({"8.5", "8.2", "2.8"})
    void shouldReceiveThroughTheSimplifiedApi() throws JMSException {
        send(queue, "a", "b", "c", "d");
        JMSConsumer consumer = context().createConsumer(queue);

        assertThat(text(consumer.receive())).isEqualTo("a");
        assertThat(text(consumer.receive(PATIENCE_MS))).isEqualTo("b");
        assertThat(text(consumer.receive(0))).isEqualTo("c");
        assertThat(text(consumer.receiveNoWait())).isEqualTo("d");
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    @Spec("8.5")
    void shouldWaitAsLongAsItIsTold() throws JMSException {
        MessageConsumer consumer = session.createConsumer(queue);
        long beforeNs = System.nanoTime();

        assertThat(consumer.receive(100)).isNull();

        assertThat(System.nanoTime() - beforeNs).isGreaterThanOrEqualTo(95_000_000L);
    }

    @Test
    @Spec("8.5")
    void shouldWaitForAMessage() throws Exception {
        MessageConsumer consumer = session.createConsumer(queue);
        CompletableFuture<String> received =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return ((TextMessage) consumer.receive()).getText();
                            } catch (JMSException e) {
                                throw new AssertionError(e);
                            }
                        });
        send(queue, "a");

        assertThat(await(received)).isEqualTo("a");
    }

    // ---- asynchronously

    @Test
    @Spec({"8.7", "8.1"})
    void shouldCallTheListenerWithEachMessage() throws Exception {
        List<String> received = new CopyOnWriteArrayList<>();
        CountDownLatch all = new CountDownLatch(3);
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(consumer.getMessageListener()).isNull();
        MessageListener listener =
                message -> {
                    try {
                        received.add(text(message));
                    } catch (JMSException e) {
                        throw new AssertionError(e);
                    }
                    all.countDown();
                };
        send(queue, "before");
        consumer.setMessageListener(listener);
        send(queue, "a", "b");
        await(all);

        assertThat(received).containsExactly("before", "a", "b");
    }

    @Test
    @Spec({"8.7", "2.8"})
    void shouldCallTheListenerOfAJmsConsumer() throws Exception {
        CompletableFuture<String> received = new CompletableFuture<>();
        JMSConsumer consumer = context().createConsumer(queue);
        MessageListener listener =
                message -> {
                    try {
                        received.complete(message.getBody(String.class));
                    } catch (JMSException e) {
                        received.completeExceptionally(e);
                    }
                };
        consumer.setMessageListener(listener);
        assertThat(consumer.getMessageListener()).isSameAs(listener);
        send(queue, "a");

        assertThat(await(received)).isEqualTo("a");
    }

    @Test
    @Spec({"8.7", "6.2.5"})
    void shouldNotReceiveWithAListener() throws JMSException {
        MessageConsumer consumer = session.createConsumer(queue);
        consumer.setMessageListener(message -> {});

        assertThatThrownBy(() -> consumer.receive(1)).isInstanceOf(JMSException.class);
    }

    private List<String> receivedByAListenerThatThrows(Session by, int count) throws Exception {
        List<String> received = new CopyOnWriteArrayList<>();
        CountDownLatch all = new CountDownLatch(count);
        by.createConsumer(queue)
                .setMessageListener(
                        message -> {
                            try {
                                received.add(described(message));
                            } catch (JMSException e) {
                                throw new AssertionError(e);
                            }
                            all.countDown();
                            if (received.size() == 1) {
                                throw new UnsupportedOperationException("thrown by the listener");
                            }
                        });
        await(all);
        return received;
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
    @Spec({"8.7", "3.4.7", "3.5.11"})
    void shouldRedeliverAtOnceWhenTheListenerThrows(int mode) throws Exception {
        send(queue, "a", "b");

        assertThat(receivedByAListenerThatThrows(session(mode), 3))
                .containsExactly("a#1", "a#2R", "b#1");
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED})
    @Spec("8.7")
    void shouldGoOnWithTheNextWhenTheListenerThrowsElsewhere(int mode) throws Exception {
        send(queue, "a", "b");

        assertThat(receivedByAListenerThatThrows(session(mode), 2)).containsExactly("a#1", "b#1");
    }

    @Test
    @Spec("8.7")
    void shouldRollBackAfterAListenerThrew() throws Exception {
        send(queue, "a", "b");
        Connection own = connect();
        Session transacted = own.createSession(Session.SESSION_TRANSACTED);
        assertThat(receivedByAListenerThatThrows(transacted, 2)).containsExactly("a#1", "b#1");

        own.close();

        assertThat(drain(queue)).containsExactly("a", "b");
    }

    // ---- closing consumers

    @Test
    @Spec("8.8")
    void shouldEndAWaitingReceiveWithNull() throws Exception {
        MessageConsumer consumer = session.createConsumer(queue);
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

        consumer.close();

        assertThat(await(gotNone)).isTrue();
        assertThatThrownBy(consumer::receiveNoWait).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Spec("8.8")
    void shouldWaitForTheListenerWhenItCloses() throws Exception {
        MessageConsumer consumer = session.createConsumer(queue);
        CountDownLatch isRunning = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicBoolean isEnded = new AtomicBoolean();
        consumer.setMessageListener(
                message -> {
                    isRunning.countDown();
                    try {
                        await(mayEnd);
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    isEnded.set(true);
                });
        send(queue, "a", "b");
        await(isRunning);
        CompletableFuture<Boolean> closed =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                consumer.close();
                                return isEnded.get();
                            } catch (JMSException e) {
                                throw new AssertionError(e);
                            }
                        });
        assertThat(closed).isNotDone();
        mayEnd.countDown();

        assertThat(await(closed)).isTrue();
    }

    @Test
    @Spec("8.8")
    void shouldCloseAConsumerInItsListener() throws Exception {
        MessageConsumer consumer = session.createConsumer(queue);
        List<String> received = new CopyOnWriteArrayList<>();
        CompletableFuture<Boolean> isEnded = new CompletableFuture<>();
        consumer.setMessageListener(
                message -> {
                    try {
                        received.add(text(message));
                        consumer.close();
                        isEnded.complete(true);
                    } catch (JMSException e) {
                        isEnded.completeExceptionally(e);
                    }
                });
        send(queue, "a", "b");
        await(isEnded);
        session.close();

        assertThat(received).containsExactly("a");
        assertThat(drain(queue)).containsExactly("b");
    }

    @Test
    @Spec({"8.8", "2.8"})
    void shouldCloseAJmsConsumerInItsListener() throws Exception {
        JMSContext context = context();
        JMSConsumer consumer = context.createConsumer(queue);
        CompletableFuture<Boolean> isEnded = new CompletableFuture<>();
        consumer.setMessageListener(
                message -> {
                    consumer.close();
                    isEnded.complete(true);
                });
        send(queue, "a");

        assertThat(await(isEnded)).isTrue();
        context.close();
        assertThat(drain(queue)).isEmpty();
    }

    @Test
    @Spec("8.8")
    void shouldAcknowledgeAfterItsConsumerClosed() throws JMSException {
        send(queue, "a", "b");
        Connection own = connect();
        Session client = own.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = client.createConsumer(queue);
        var message = receive(consumer);
        consumer.close();

        message.acknowledge();
        own.close();

        assertThat(drain(queue)).containsExactly("b");
    }

    @Test
    @Spec({"8.8", "6.2.10"})
    void shouldRecoverAfterItsConsumerClosed() throws JMSException {
        send(queue, "a", "b");
        Session client = session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = client.createConsumer(queue);
        assertThat(texts(consumer, 1)).containsExactly("a");
        consumer.close();

        client.recover();

        List<String> again = new ArrayList<>(texts(client.createConsumer(queue), 2));
        assertThat(again).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    @Spec("8.8")
    void shouldCommitAndRollBackAfterItsConsumerClosed() throws JMSException {
        send(queue, "a", "b");
        Session transacted = session(Session.SESSION_TRANSACTED);
        MessageConsumer first = transacted.createConsumer(queue);
        assertThat(texts(first, 1)).containsExactly("a");
        first.close();
        transacted.rollback();
        MessageConsumer second = transacted.createConsumer(queue);
        assertThat(described(receive(second))).isEqualTo("a#2R");
        second.close();
        transacted.commit();

        assertThat(drain(queue)).containsExactly("b");
    }

    @Test
    @Spec({"8.8", "6.2.10"})
    void shouldHaveAcknowledgedAutomaticallyWhenItsConsumerClosed() throws JMSException {
        send(queue, "a", "b");
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(texts(consumer, 1)).containsExactly("a");
        consumer.close();

        assertThat(drain(queue)).containsExactly("b");
    }
}
