package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.metaq.jms.destination.MetaQQueue;

/** Receiving: time-outs, start and stop, closing, competing consumers. */
class ReceiveIT extends BrokerTestBase {
    private static <T> FutureTask<T> inThread(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        new Thread(task, "receive-it").start();
        return task;
    }

    private static void awaitBlocked() {
        await().until(
                        () ->
                                Thread.getAllStackTraces().keySet().stream()
                                        .anyMatch(
                                                t ->
                                                        t.getName().equals("receive-it")
                                                                && (t.getState()
                                                                                == Thread.State
                                                                                        .WAITING
                                                                        || t.getState()
                                                                                == Thread.State
                                                                                        .TIMED_WAITING)));
    }

    private static <T> T get(FutureTask<T> task) throws Exception {
        return task.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
    }

    @Test
    @Spec("JMS 3.1 MessageConsumer.receive(long)")
    void shouldWaitTheFullTimeWhenTheQueueIsEmpty() throws Exception {
        MessageConsumer consumer = connect().createSession().createConsumer(newQueue());
        long start = System.nanoTime();
        assertThat(consumer.receive(500)).isNull();
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start))
                .isBetween(500L, 5_000L);
    }

    @Test
    @Spec("JMS 3.1 MessageConsumer.receive(): 0 and no argument wait without limit")
    void shouldWaitForAMessageThatComesLater() throws Exception {
        MetaQQueue queue = newQueue();
        Session session = connect().createSession();
        MessageConsumer consumer = session.createConsumer(queue);
        FutureTask<Message> forever = inThread(consumer::receive);
        awaitBlocked();
        send(queue, "a");
        assertThat(text(get(forever))).isEqualTo("a");
        FutureTask<Message> zero = inThread(() -> consumer.receive(0));
        awaitBlocked();
        send(queue, "b");
        assertThat(text(get(zero))).isEqualTo("b");
    }

    @Test
    @Spec("JMS 3.1 MessageConsumer.receiveNoWait")
    void shouldFindWithoutWaitingWhatAnotherConnectionHasSent() throws Exception {
        MetaQQueue queue = newQueue();
        Session sender = connect().createSession();
        MessageProducer producer = sender.createProducer(queue);
        MessageConsumer consumer = connect().createSession().createConsumer(queue);
        for (int i = 0; i < 200; i++) {
            producer.send(sender.createTextMessage("m" + i));
            Message found = consumer.receiveNoWait();
            assertThat(found).as("message %d", i).isNotNull();
            assertThat(text(found)).isEqualTo("m" + i);
            assertThat(consumer.receiveNoWait()).as("after message %d", i).isNull();
        }
    }

    @Test
    @Spec("JMS 3.1 MessageConsumer.receiveNoWait")
    void shouldFindABacklogWithoutWaitingWhileOthersKeepTheDiskBusy() throws Exception {
        MetaQQueue busy = newQueue();
        AtomicBoolean isDone = new AtomicBoolean();
        List<FutureTask<Integer>> load = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Session session = connect().createSession();
            MessageProducer producer = session.createProducer(busy);
            load.add(
                    inThread(
                            () -> {
                                int count = 0;
                                while (!isDone.get()) {
                                    producer.send(session.createTextMessage("load"));
                                    count++;
                                }
                                return count;
                            }));
        }
        try {
            Session sender = connect().createSession();
            for (int i = 0; i < 40; i++) {
                MetaQQueue queue = newQueue();
                send(sender, queue, "a", "b");
                Session session = connect().createSession();
                MessageConsumer consumer = session.createConsumer(queue);
                Message first = consumer.receiveNoWait();
                assertThat(first).as("first of queue %d", i).isNotNull();
                Message second = consumer.receiveNoWait();
                assertThat(second).as("second of queue %d", i).isNotNull();
                assertThat(text(second)).isEqualTo("b");
            }
        } finally {
            isDone.set(true);
        }
        for (FutureTask<Integer> each : load) {
            assertThat(get(each)).isPositive();
        }
    }

    @Test
    @Spec("JMS 3.1 MessageConsumer.receive: null if the consumer is concurrently closed")
    void shouldEndABlockedReceiveWhenSomethingAroundItIsClosed() throws Exception {
        for (String what : List.of("consumer", "session", "connection")) {
            Connection connection = connect();
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(newQueue());
            FutureTask<Message> blocked = inThread(consumer::receive);
            awaitBlocked();
            switch (what) {
                case "consumer" -> consumer.close();
                case "session" -> session.close();
                default -> connection.close();
            }
            assertThat(get(blocked)).as("receive after the close of the %s", what).isNull();
            assertThatThrownBy(consumer::receive).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    @Spec("JMS 3.1 §6.1.8, §6.2.17")
    void shouldWaitForARunningListenerWhoseCommitSucceedsWhenClosed() throws Exception {
        for (String what : List.of("session", "connection")) {
            MetaQQueue queue = newQueue();
            send(queue, "a", "b");
            Connection connection = connect();
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            CountDownLatch running = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            CompletableFuture<String> outcome = new CompletableFuture<>();
            session.createConsumer(queue)
                    .setMessageListener(
                            message -> {
                                running.countDown();
                                try {
                                    goOn.await();
                                    session.commit();
                                    outcome.complete("committed");
                                } catch (JMSException | InterruptedException e) {
                                    outcome.complete(e.toString());
                                }
                            });
            assertThat(running.await(PATIENCE_MS, TimeUnit.MILLISECONDS)).isTrue();
            FutureTask<Boolean> closed =
                    inThread(
                            () -> {
                                if (what.equals("session")) {
                                    session.close();
                                } else {
                                    connection.close();
                                }
                                return outcome.isDone();
                            });
            awaitBlocked();
            assertThat(closed.isDone()).as("close of the %s waits", what).isFalse();
            goOn.countDown();
            assertThat(get(closed)).as("the listener had returned").isTrue();
            assertThat(outcome).isCompletedWithValue("committed");
            assertThat(drain(queue)).containsExactly("b#1");
        }
    }

    @Test
    @Spec("JMS 3.1 §6.1.4, §6.1.5")
    void shouldDeliverNothingWhileStoppedAndLoseNothing() throws Exception {
        MetaQQueue queue = newQueue();
        Connection connection = stopped("");
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(queue);
        send(queue, "a", "b", "c");
        assertThat(consumer.receiveNoWait()).as("never started").isNull();
        assertThat(consumer.receive(100)).as("never started").isNull();
        connection.start();
        assertThat(texts(consumer, 1)).containsExactly("a");
        connection.stop();
        assertThat(consumer.receiveNoWait()).as("stopped").isNull();
        assertThat(consumer.receive(100)).as("stopped").isNull();
        send(session, queue, "d");
        connection.start();
        assertThat(texts(consumer, 3)).containsExactly("b", "c", "d");
    }

    @Test
    @Spec("JMS 3.1 §6.1.5")
    void shouldHoldAReceiveThatWaitsUntilTheConnectionIsStarted() throws Exception {
        MetaQQueue queue = newQueue();
        send(queue, "a");
        Connection connection = stopped("");
        MessageConsumer consumer = connection.createSession().createConsumer(queue);
        FutureTask<Message> waiting = inThread(() -> consumer.receive(PATIENCE_MS));
        awaitBlocked();
        connection.start();
        assertThat(text(get(waiting))).isEqualTo("a");
    }

    @Test
    @Spec("JMS 3.1 §6.1.5")
    void shouldCallNoListenerOnceStopHasReturned() throws Exception {
        MetaQQueue queue = newQueue();
        Connection connection = stopped("");
        Session session = connection.createSession();
        AtomicBoolean isStopped = new AtomicBoolean(true);
        List<String> wrong = new CopyOnWriteArrayList<>();
        BlockingQueue<String> got = new LinkedBlockingQueue<>();
        session.createConsumer(queue)
                .setMessageListener(
                        message -> {
                            try {
                                if (isStopped.get()) {
                                    wrong.add(text(message));
                                }
                                got.add(text(message));
                            } catch (JMSException e) {
                                wrong.add(e.toString());
                            }
                        });
        String[] texts = new String[200];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = "m" + i;
        }
        send(queue, texts);
        for (int round = 1; round <= 5; round++) {
            int wanted = round * 10;
            isStopped.set(false);
            connection.start();
            await().pollInterval(java.time.Duration.ofMillis(1)).until(() -> got.size() >= wanted);
            connection.stop();
            isStopped.set(true);
        }
        isStopped.set(false);
        connection.start();
        await().until(() -> got.size() == texts.length);
        assertThat(wrong).isEmpty();
        assertThat(got).containsExactly(texts);
    }

    @Test
    @Spec("JMS 3.1 §6.1.5, §6.2.17: not from a listener of one's own")
    void shouldRefuseToStopOrCloseFromAListener() throws Exception {
        MetaQQueue queue = newQueue();
        Connection connection = connect();
        Session session = connection.createSession();
        List<Class<?>> thrown = new CopyOnWriteArrayList<>();
        List<Callable<Object>> calls =
                List.of(
                        () -> {
                            connection.stop();
                            return "";
                        },
                        () -> {
                            connection.close();
                            return "";
                        },
                        () -> {
                            session.close();
                            return "";
                        });
        MessageConsumer consumer = session.createConsumer(queue);
        CountDownLatch done = new CountDownLatch(1);
        consumer.setMessageListener(
                message -> {
                    for (Callable<Object> call : calls) {
                        try {
                            call.call();
                            thrown.add(Object.class);
                        } catch (IllegalStateException e) {
                            thrown.add(IllegalStateException.class);
                        } catch (Exception e) {
                            thrown.add(e.getClass());
                        }
                    }
                    done.countDown();
                });
        send(queue, "a");
        assertThat(done.await(PATIENCE_MS, TimeUnit.MILLISECONDS)).isTrue();
        assertThat(thrown)
                .containsExactly(
                        IllegalStateException.class,
                        IllegalStateException.class,
                        IllegalStateException.class);
    }

    @Test
    @Spec("JMS 3.1 MessageConsumer.close: allowed from its listener")
    void shouldLetAListenerCloseItsOwnConsumer() throws Exception {
        MetaQQueue queue = newQueue();
        send(queue, "a", "b", "c");
        Connection connection = connect();
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(queue);
        BlockingQueue<String> got = new LinkedBlockingQueue<>();
        consumer.setMessageListener(
                message -> {
                    try {
                        consumer.close();
                        got.add(text(message));
                    } catch (JMSException e) {
                        got.add(e.toString());
                    }
                });
        assertThat(got.poll(PATIENCE_MS, TimeUnit.MILLISECONDS)).isEqualTo("a");
        session.close();
        assertThat(got).isEmpty();
        assertThat(drain(queue)).containsExactly("b#1", "c#1");
    }

    @Test
    @Spec("JMS 3.1 §8.7: receive is not for a consumer with a listener")
    void shouldRefuseToReceiveWhereAListenerIsSet() throws Exception {
        MessageConsumer consumer = connect().createSession().createConsumer(newQueue());
        consumer.setMessageListener(message -> {});
        assertThat(consumer.getMessageListener()).isNotNull();
        assertThatThrownBy(consumer::receive).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(consumer::receiveNoWait).isInstanceOf(IllegalStateException.class);
        consumer.setMessageListener(null);
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    @Spec("JMS 3.1 §4.1.2: each message to one consumer")
    void shouldShareAQueueBetweenConsumersWithoutLossOrCopies() throws Exception {
        MetaQQueue queue = newQueue();
        List<String> got = new CopyOnWriteArrayList<>();
        List<String> byConsumer = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 3; i++) {
            String name = "c" + i;
            connect("prefetch=5")
                    .createSession()
                    .createConsumer(queue)
                    .setMessageListener(
                            message -> {
                                try {
                                    got.add(text(message));
                                    byConsumer.add(name);
                                } catch (JMSException e) {
                                    got.add(e.toString());
                                }
                            });
        }
        Session sender = connect().createSession();
        MessageProducer producer = sender.createProducer(queue);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            sent.add("m" + i);
            producer.send(sender.createTextMessage("m" + i));
        }
        await().until(() -> got.size() >= sent.size());
        assertThat(got).containsExactlyInAnyOrderElementsOf(sent);
        assertThat(byConsumer).contains("c0", "c1", "c2");
    }

    @Test
    @Spec("JMS 3.1 §8.8: a closed consumer keeps nothing back")
    void shouldGiveBackWhatWasPrefetchedAsNeverDelivered() throws Exception {
        MetaQQueue queue = newQueue();
        send(queue, "a", "b", "c", "d");
        Session session = connect().createSession();
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(text(receive(consumer))).isEqualTo("a");
        consumer.close();
        MessageConsumer second = session.createConsumer(queue);
        assertThat(described(second, 1)).containsExactly("b#1");
        session.close();
        assertThat(drain(queue)).containsExactly("c#1", "d#1");
    }

    @Test
    @Spec("JMS 3.1 §6.2.9")
    void shouldKeepTheOrderOfASessionsSends() throws Exception {
        MetaQQueue queue = newQueue();
        Session session = connect().createSession();
        MessageProducer one = session.createProducer(queue);
        MessageProducer two = session.createProducer(queue);
        two.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            one.send(session.createTextMessage("p" + i));
            sent.add("p" + i);
        }
        for (int i = 0; i < 100; i++) {
            two.send(session.createTextMessage("n" + i));
            sent.add("n" + i);
        }
        MessageConsumer consumer = connect().createSession().createConsumer(queue);
        assertThat(texts(consumer, sent.size())).containsExactlyElementsOf(sent);
    }

    @Test
    @Spec("JMS 3.1 §6.2.17: close of a closed object does nothing")
    void shouldTolerateRepeatedClosesAndRefuseEverythingElse() throws Exception {
        Connection connection = connect();
        Session session = connection.createSession();
        MetaQQueue queue = newQueue();
        MessageConsumer consumer = session.createConsumer(queue);
        MessageProducer producer = session.createProducer(queue);
        producer.close();
        producer.close();
        consumer.close();
        consumer.close();
        assertThatThrownBy(consumer::getMessageListener).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> producer.send(session.createMessage()))
                .isInstanceOf(IllegalStateException.class);
        session.close();
        session.close();
        assertThatThrownBy(session::createMessage).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createQueue("q"))
                .isInstanceOf(IllegalStateException.class);
        connection.close();
        connection.close();
        assertThatThrownBy(connection::createSession).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(connection::start).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(connection::getMetaData).isInstanceOf(IllegalStateException.class);
    }
}
