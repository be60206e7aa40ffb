package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.metaq.conformance.Spec;

/** §6.1.4, §6.1.5 and §8.4: started, stopped, started again. */
class StartStopIT extends ConformanceTest {
    @Test
    @Spec({"6.1.4", "8.4", "6.1.3"})
    void shouldDeliverNothingBeforeTheStart() throws Exception {
        Queue queue = newQueue();
        Connection connection = stopped();
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(queue);
        send(session, queue, "a");

        assertThat(consumer.receive(BRIEFLY_MS)).isNull();
        assertThat(consumer.receiveNoWait()).isNull();
        connection.start();
        assertThat(texts(consumer, 1)).containsExactly("a");
    }

    @Test
    @Spec({"6.1.4", "8.4"})
    void shouldCallNoListenerBeforeTheStart() throws Exception {
        Queue queue = newQueue();
        Connection connection = stopped();
        Session session = connection.createSession();
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        session.createConsumer(queue)
                .setMessageListener(message -> received.add(((Object) message).toString()));
        send(queue, "a");

        assertThat(received.poll(BRIEFLY_MS, TimeUnit.MILLISECONDS)).isNull();
        connection.start();
        assertThat(received.poll(PATIENCE_MS, TimeUnit.MILLISECONDS)).isNotNull();
    }

    @Test
    @Spec({"6.1.4", "6.1.5"})
    void shouldSendWhileStopped() throws JMSException {
        Queue queue = newQueue();
        Connection connection = stopped();
        send(connection.createSession(), queue, "before");
        connection.start();
        connection.stop();
        send(connection.createSession(), queue, "after");

        assertThat(drain(queue)).containsExactly("before", "after");
    }

    @Test
    @Spec({"6.1.4", "8.4"})
    void shouldStartAContextWithItsFirstConsumer() {
        Queue queue = newQueue();
        JMSContext context = context();
        assertThat(context.getAutoStart()).isTrue();
        JMSConsumer consumer = context.createConsumer(queue);
        context.createProducer().send(queue, "a");

        assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("a");
    }

    @Test
    @Spec({"6.1.4", "8.4"})
    void shouldNotStartAContextThatIsToldNotTo() {
        Queue queue = newQueue();
        JMSContext context = context();
        context.setAutoStart(false);
        assertThat(context.getAutoStart()).isFalse();
        JMSConsumer consumer = context.createConsumer(queue);
        context.createProducer().send(queue, "a");

        assertThat(consumer.receive(BRIEFLY_MS)).isNull();
        context.start();
        assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("a");
    }

    @Test
    @Spec({"6.1.5", "8.4"})
    void shouldPauseAndGoOn() throws Exception {
        Queue queue = newQueue();
        Connection connection = connect();
        MessageConsumer consumer = connection.createSession().createConsumer(queue);
        send(queue, "a");
        assertThat(texts(consumer, 1)).containsExactly("a");

        connection.stop();
        send(queue, "b");
        assertThat(consumer.receive(BRIEFLY_MS)).isNull();
        assertThat(consumer.receiveNoWait()).isNull();

        connection.start();
        assertThat(texts(consumer, 1)).containsExactly("b");
    }

    @Test
    @Spec({"6.1.5", "8.4"})
    void shouldPauseAContext() {
        Queue queue = newQueue();
        JMSContext context = context();
        JMSConsumer consumer = context.createConsumer(queue);
        context.stop();
        context.createProducer().send(queue, "a");

        assertThat(consumer.receive(BRIEFLY_MS)).isNull();
        context.start();
        assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("a");
    }

    @Test
    @Spec("6.1.5")
    void shouldIgnoreRepeatedStartsAndStops() throws JMSException {
        Queue queue = newQueue();
        Connection connection = connect();
        connection.start();
        connection.stop();
        connection.stop();
        connection.start();
        MessageConsumer consumer = connection.createSession().createConsumer(queue);
        send(queue, "a");

        assertThat(texts(consumer, 1)).containsExactly("a");
    }

    @Test
    @Spec("6.1.5")
    void shouldWaitForListenersWhenItStopsAndServeThemMeanwhile() throws Exception {
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
                            } catch (JMSException | InterruptedException e) {
                                throw new AssertionError(e);
                            }
                            isEnded.set(true);
                        });
        send(queue, "a", "b");
        await(isRunning);

        CompletableFuture<Boolean> stopped =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                connection.stop();
                                return isEnded.get();
                            } catch (JMSException e) {
                                throw new AssertionError(e);
                            }
                        });
        assertThat(stopped).isNotDone();
        mayEnd.countDown();

        assertThat(await(stopped)).as("the listener had ended when stop returned").isTrue();
        assertThat(drain(answers)).containsExactly("answer");
    }

    @Test
    @Spec("6.1.5")
    void shouldFailOrStopWhenAListenerStopsItsConnection() throws Exception {
        Queue queue = newQueue();
        Connection connection = connect();
        Session session = connection.createSession();
        CompletableFuture<Throwable> outcome = new CompletableFuture<>();
        session.createConsumer(queue)
                .setMessageListener(
                        message -> {
                            try {
                                connection.stop();
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
    }

    @Test
    @Spec("6.1.5")
    void shouldLetAReceiveWaitUntilTheNextStart() throws Exception {
        Queue queue = newQueue();
        Connection connection = connect();
        MessageConsumer consumer = connection.createSession().createConsumer(queue);
        connection.stop();
        AtomicReference<Thread> waiter = new AtomicReference<>();
        CompletableFuture<String> received =
                CompletableFuture.supplyAsync(
                        () -> {
                            waiter.set(Thread.currentThread());
                            try {
                                return ((TextMessage) consumer.receive(PATIENCE_MS)).getText();
                            } catch (JMSException e) {
                                throw new AssertionError(e);
                            }
                        });
        send(queue, "a");
        org.awaitility.Awaitility.await().until(() -> waiter.get() != null);
        assertThat(received).isNotDone();

        connection.start();

        assertThat(await(received)).isEqualTo("a");
    }

    @Test
    @Spec({"6.1.5", "6.1.8"})
    void shouldNotStartOrStopWhenClosed() throws JMSException {
        Connection connection = stopped();
        connection.close();

        assertThatThrownBy(connection::start).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(connection::stop).isInstanceOf(IllegalStateException.class);
    }
}
