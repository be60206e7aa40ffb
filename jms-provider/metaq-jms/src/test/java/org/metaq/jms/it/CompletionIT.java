package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.metaq.jms.destination.MetaQQueue;

/** Asynchronous sends. */
class CompletionIT extends BrokerTestBase {
    /** What a completion listener may do that throws. */
    @FunctionalInterface
    private interface Body {
        void run(Message message) throws JMSException, InterruptedException;
    }

    private static CompletionListener listener(
            BlockingQueue<String> events, String name, Body body) {
        return new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                try {
                    body.run(message);
                    events.add(name + " done");
                } catch (JMSException | InterruptedException e) {
                    events.add(name + " threw " + e.getClass().getSimpleName());
                }
            }

            @Override
            public void onException(Message message, Exception exception) {
                events.add(name + " failed: " + exception.getClass().getSimpleName());
            }
        };
    }

    private static String next(BlockingQueue<String> events) throws InterruptedException {
        return events.poll(PATIENCE_MS, TimeUnit.MILLISECONDS);
    }

    @Test
    @Spec("JMS 3.1 §7.3: order of the callbacks, and one at a time")
    void shouldCallBackInTheOrderOfTheSends() throws Exception {
        MetaQQueue queue = newQueue();
        Session session = connect().createSession();
        MessageProducer producer = session.createProducer(queue);
        List<String> order = new CopyOnWriteArrayList<>();
        CountDownLatch all = new CountDownLatch(200);
        Thread sender = Thread.currentThread();
        List<String> sent = new ArrayList<>();
        List<Thread> threads = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 200; i++) {
            sent.add("m" + i);
            producer.send(
                    session.createTextMessage("m" + i),
                    new CompletionListener() {
                        @Override
                        public void onCompletion(Message message) {
                            try {
                                order.add(((TextMessage) message).getText());
                            } catch (JMSException e) {
                                order.add(e.toString());
                            }
                            threads.add(Thread.currentThread());
                            all.countDown();
                        }

                        @Override
                        public void onException(Message message, Exception exception) {
                            order.add(exception.toString());
                            all.countDown();
                        }
                    });
        }
        assertThat(all.await(PATIENCE_MS, TimeUnit.MILLISECONDS)).isTrue();
        assertThat(order).containsExactlyElementsOf(sent);
        assertThat(threads).doesNotContain(sender);
        assertThat(drain(queue)).hasSize(200);
    }

    @Test
    @Spec("JMS 3.1 §7.3.4: not close, commit or rollback of its own session")
    void shouldRefuseToCloseCommitOrRollBackFromACallback() throws Exception {
        Connection connection = connect();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(newQueue());
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        List<Body> bodies =
                List.of(
                        message -> session.close(),
                        message -> connection.close(),
                        message -> session.commit(),
                        message -> session.rollback(),
                        message -> producer.close());
        for (Body body : bodies) {
            producer.send(session.createMessage(), listener(events, "send", body));
            assertThat(next(events)).isEqualTo("send threw IllegalStateException");
        }
        session.commit();
    }

    @Test
    @Spec("JMS 3.1 §7.3.5, MessageProducer.close, Session.close, commit: wait for the callbacks")
    void shouldWaitForRunningCallbacksWhenClosedOrCommitted() throws Exception {
        for (String what : List.of("producer", "session", "connection", "commit")) {
            MetaQQueue queue = newQueue();
            Connection connection = connect();
            Session session = connection.createSession(what.equals("commit"), 1);
            MessageProducer producer = session.createProducer(queue);
            BlockingQueue<String> events = new LinkedBlockingQueue<>();
            CountDownLatch running = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            producer.send(
                    session.createTextMessage("a"),
                    listener(
                            events,
                            "first",
                            message -> {
                                running.countDown();
                                goOn.await();
                            }));
            producer.send(
                    session.createTextMessage("b"), listener(events, "second", message -> {}));
            assertThat(running.await(PATIENCE_MS, TimeUnit.MILLISECONDS)).isTrue();
            CompletableFuture<List<String>> seenAtReturn = new CompletableFuture<>();
            Thread closer =
                    new Thread(
                            () -> {
                                try {
                                    switch (what) {
                                        case "producer" -> producer.close();
                                        case "session" -> session.close();
                                        case "commit" -> session.commit();
                                        default -> connection.close();
                                    }
                                    seenAtReturn.complete(new ArrayList<>(events));
                                } catch (JMSException e) {
                                    seenAtReturn.completeExceptionally(e);
                                }
                            });
            closer.start();
            assertThat(seenAtReturn).as("%s waits", what).isNotDone();
            goOn.countDown();
            assertThat(seenAtReturn.get(PATIENCE_MS, TimeUnit.MILLISECONDS))
                    .as(what)
                    .containsExactly("first done", "second done");
            assertThat(drain(queue)).containsExactly("a#1", "b#1");
        }
    }

    @Test
    @Spec("JMS 3.1 §7.3.4, §6.1.5: only close, commit and rollback are refused to a callback")
    void shouldLetACallbackStopAndStartItsConnection() throws Exception {
        MetaQQueue queue = newQueue();
        Connection connection = connect();
        Session session = connection.createSession();
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        session.createProducer(queue)
                .send(
                        session.createTextMessage("a"),
                        listener(
                                events,
                                "first",
                                message -> {
                                    connection.stop();
                                    connection.start();
                                }));
        assertThat(next(events)).isEqualTo("first done");
    }

    @Test
    @Spec("JMS 3.1 §7.3: a callback may send")
    void shouldLetACallbackSend() throws Exception {
        MetaQQueue queue = newQueue();
        Session session = connect().createSession();
        MessageProducer producer = session.createProducer(queue);
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        CompletionListener second = listener(events, "second", message -> {});
        producer.send(
                session.createTextMessage("a"),
                listener(
                        events,
                        "first",
                        message -> producer.send(session.createTextMessage("b"), second)));
        assertThat(next(events)).isEqualTo("first done");
        assertThat(next(events)).isEqualTo("second done");
        assertThat(drain(queue)).containsExactly("a#1", "b#1");
    }

    @Test
    @Spec(
            "JMS 3.1 §7.3: what the send itself finds is thrown, what comes later goes to the"
                    + " callback")
    void shouldReportFailuresToTheCallback() throws Exception {
        Connection owner = connect();
        var gone = owner.createSession().createTemporaryQueue();
        owner.close();
        Session session = connect().createSession();
        MessageProducer producer = session.createProducer(null);
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        org.awaitility.Awaitility.await()
                .untilAsserted(
                        () ->
                                assertThatThrownBy(
                                                () -> producer.send(gone, session.createMessage()))
                                        .isInstanceOf(JMSException.class));
        producer.send(gone, session.createMessage(), listener(events, "gone", message -> {}));
        assertThat(next(events)).isEqualTo("gone failed: InvalidDestinationException");
        BytesMessage large = session.createBytesMessage();
        large.writeBytes(new byte[7 << 20]);
        assertThatThrownBy(
                        () ->
                                producer.send(
                                        newQueue(),
                                        large,
                                        listener(events, "large", message -> {})))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> producer.send(newQueue(), session.createMessage(), null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(events).isEmpty();
        session.close();
        assertThatThrownBy(session::createMessage).isInstanceOf(IllegalStateException.class);
    }
}
