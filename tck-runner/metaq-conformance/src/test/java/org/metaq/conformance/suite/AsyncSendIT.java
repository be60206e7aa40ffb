package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.conformance.Spec;

/** §7.3: asynchronous sends. */
class AsyncSendIT extends ConformanceTest {
    private Connection connection;
    private Session session;
    private Queue queue;
    private MessageProducer producer;

    @BeforeEach
    void connectToAQueue() throws JMSException {
        connection = connect();
        session = connection.createSession();
        queue = newQueue();
        producer = session.createProducer(queue);
    }

    /** Notes what is told, and does something with it first. */
    private static final class Noted implements CompletionListener {
        private final List<Message> completed = new CopyOnWriteArrayList<>();
        private final List<Exception> failures = new CopyOnWriteArrayList<>();
        private final CountDownLatch all;
        private final Consumer<Message> first;

        Noted(int count) {
            this(count, message -> {});
        }

        Noted(int count, Consumer<Message> first) {
            this.all = new CountDownLatch(count);
            this.first = first;
        }

        @Override
        public void onCompletion(Message message) {
            first.accept(message);
            completed.add(message);
            all.countDown();
        }

        @Override
        public void onException(Message message, Exception exception) {
            failures.add(exception);
            all.countDown();
        }

        void awaitAll() throws InterruptedException {
            await(all);
            assertThat(failures).isEmpty();
        }
    }

    @Test
    @Spec({"7.3", "7.1"})
    void shouldTellTheListenerOfEachFormOfSend() throws Exception {
        Noted noted = new Noted(4);
        MessageProducer anonymous = session.createProducer(null);
        producer.send(session.createTextMessage("a"), noted);
        producer.send(session.createTextMessage("b"), DeliveryMode.PERSISTENT, 4, 0, noted);
        anonymous.send(queue, session.createTextMessage("c"), noted);
        anonymous.send(queue, session.createTextMessage("d"), DeliveryMode.PERSISTENT, 4, 0, noted);
        noted.awaitAll();

        assertThat(drain(queue)).containsExactlyInAnyOrder("a", "b", "c", "d");
    }

    @Test
    @Spec({"7.3", "2.8"})
    void shouldSendAsynchronouslyThroughTheSimplifiedApi() throws Exception {
        Noted noted = new Noted(2);
        JMSContext context = context();
        context.createProducer().setAsync(noted).send(queue, "a").send(queue, "b");
        noted.awaitAll();

        assertThat(drain(queue)).containsExactly("a", "b");
    }

    @Test
    @Spec("7.3")
    void shouldSendAsynchronouslyToTopics() throws Exception {
        Topic topic = newTopic();
        MessageConsumer consumer = session().createConsumer(topic);
        Noted noted = new Noted(1);
        session.createProducer(topic).send(session.createTextMessage("a"), noted);
        noted.awaitAll();

        assertThat(texts(consumer, 1)).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(ints = {DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT})
    @Spec("7.3.1")
    void shouldTellWhenTheMessageIsThere(int mode) throws Exception {
        MessageConsumer consumer = session().createConsumer(queue);
        CompletableFuture<Boolean> wasThere = new CompletableFuture<>();
        Noted noted =
                new Noted(
                        1,
                        message -> {
                            try {
                                wasThere.complete(consumer.receive(PATIENCE_MS) != null);
                            } catch (JMSException e) {
                                wasThere.completeExceptionally(e);
                            }
                        });
        producer.setDeliveryMode(mode);
        producer.send(session.createTextMessage("a"), noted);

        assertThat(await(wasThere)).isTrue();
    }

    @Test
    @Spec("7.3.2")
    void shouldNotCallTheListenerWhenTheSendThrows() throws Exception {
        Noted noted = new Noted(1);
        MessageProducer anonymous = session.createProducer(null);

        assertThatThrownBy(() -> anonymous.send(null, session.createTextMessage("a"), noted))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> producer.send(null, noted)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> producer.send(session.createTextMessage("a"), null))
                .isInstanceOf(IllegalArgumentException.class);
        producer.send(session.createTextMessage("good"), noted);
        noted.awaitAll();

        assertThat(noted.completed).hasSize(1);
        assertThat(drain(queue)).containsExactly("good");
    }

    @Test
    @Spec({"7.3.3", "6.2.9", "7.3.7"})
    void shouldKeepOrderWithSynchronousSendsBetween() throws Exception {
        int count = 100;
        Noted noted = new Noted(count / 2);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Message message = session.createTextMessage("m" + i);
            if (i % 2 == 0) {
                producer.send(message, noted);
            } else {
                producer.send(message);
            }
            sent.add("m" + i);
        }
        noted.awaitAll();

        assertThat(drain(queue)).isEqualTo(sent);
    }

    @ParameterizedTest
    @ValueSource(strings = {"producer", "session", "connection"})
    @Spec("7.3.4")
    void shouldWaitForCallbacksWhenItCloses(String what) throws Exception {
        int count = 20;
        Noted noted = new Noted(count, message -> Thread.yield());
        for (int i = 0; i < count; i++) {
            producer.send(session.createTextMessage("m" + i), noted);
        }

        switch (what) {
            case "producer" -> producer.close();
            case "session" -> session.close();
            default -> connection.close();
        }

        assertThat(noted.completed.size() + noted.failures.size()).isEqualTo(count);
        assertThat(noted.failures).isEmpty();
        assertThat(drain(queue)).hasSize(count);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Spec({"7.3.4", "6.2.7"})
    void shouldWaitForCallbacksAtCommitAndRollback(boolean isCommit) throws Exception {
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        MessageProducer sender = transacted.createProducer(queue);
        int count = 20;
        Noted noted = new Noted(count);
        for (int i = 0; i < count; i++) {
            sender.send(transacted.createTextMessage("m" + i), noted);
        }

        if (isCommit) {
            transacted.commit();
        } else {
            transacted.rollback();
        }

        assertThat(noted.completed).hasSize(count);
        assertThat(drain(queue)).hasSize(isCommit ? count : 0);
    }

    /** A use of the session within a callback. */
    private interface Use {
        void run() throws JMSException;
    }

    private void shouldRefuse(MessageProducer sender, Message message, Use use) throws Exception {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Noted noted =
                new Noted(
                        1,
                        completed -> {
                            try {
                                use.run();
                                thrown.complete(null);
                            } catch (JMSException e) {
                                thrown.complete(e);
                            }
                        });
        sender.send(message, noted);

        assertThat(await(thrown)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Spec({"7.3.4", "10.3"})
    void shouldNotCloseInACallback() throws Exception {
        shouldRefuse(producer, session.createTextMessage("a"), () -> producer.close());
        shouldRefuse(producer, session.createTextMessage("b"), () -> session.close());
        shouldRefuse(producer, session.createTextMessage("c"), () -> connection.close());

        assertThat(drain(queue)).containsExactly("a", "b", "c");
    }

    @Test
    @Spec({"7.3.4", "10.3"})
    void shouldNotCommitOrRollBackInACallback() throws Exception {
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        MessageProducer sender = transacted.createProducer(queue);
        shouldRefuse(sender, transacted.createTextMessage("a"), transacted::commit);
        shouldRefuse(sender, transacted.createTextMessage("b"), transacted::rollback);
        transacted.commit();

        assertThat(drain(queue)).containsExactly("a", "b");
    }

    @Test
    @Spec({"7.3.4", "10.2"})
    void shouldNotCloseItsContextInACallback() throws Exception {
        JMSContext context = context(JMSContext.SESSION_TRANSACTED);
        for (Runnable use : List.<Runnable>of(context::close, context::commit, context::rollback)) {
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            Noted noted =
                    new Noted(
                            1,
                            completed -> {
                                try {
                                    use.run();
                                    thrown.complete(null);
                                } catch (IllegalStateRuntimeException e) {
                                    thrown.complete(e);
                                }
                            });
            context.createProducer().setAsync(noted).send(queue, "a");
            assertThat(await(thrown)).isInstanceOf(IllegalStateRuntimeException.class);
        }
    }

    @Test
    @Spec({"7.3.6", "3.4.11"})
    void shouldHaveSetTheHeadersWhenTheListenerIsCalled() throws Exception {
        CompletableFuture<Message> completed = new CompletableFuture<>();
        producer.setTimeToLive(3_600_000);
        Message message = session.createTextMessage("a");
        producer.send(message, new Noted(1, completed::complete));

        Message told = await(completed);

        assertThat(told).isSameAs(message);
        assertThat(told.getJMSMessageID()).startsWith("ID:");
        assertThat(told.getJMSTimestamp()).isPositive();
        assertThat(told.getJMSDestination()).isEqualTo(queue);
        assertThat(told.getJMSExpiration()).isPositive();
        Message received = receive(session().createConsumer(queue));
        assertThat(received.getJMSMessageID()).isEqualTo(told.getJMSMessageID());
    }

    @Test
    @Spec("7.3.8")
    void shouldCallBackInOrderAndOneByOne() throws Exception {
        int count = 200;
        AtomicInteger running = new AtomicInteger();
        AtomicInteger mostAtOnce = new AtomicInteger();
        Noted noted =
                new Noted(
                        count,
                        message -> {
                            mostAtOnce.accumulateAndGet(running.incrementAndGet(), Math::max);
                            Thread.yield();
                            running.decrementAndGet();
                        });
        List<Message> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Message message = session.createTextMessage("m" + i);
            sent.add(message);
            producer.send(message, noted);
        }
        noted.awaitAll();

        assertThat(noted.completed).containsExactlyElementsOf(sent);
        assertThat(mostAtOnce).hasValue(1);
    }

    @Test
    @Spec("7.3.8")
    void shouldNotCallBackOnTheSendersThread() throws Exception {
        Thread sender = Thread.currentThread();
        List<Thread> threads = new CopyOnWriteArrayList<>();
        Noted noted = new Noted(10, message -> threads.add(Thread.currentThread()));
        for (int i = 0; i < 10; i++) {
            producer.send(session.createTextMessage("m" + i), noted);
        }
        noted.awaitAll();

        assertThat(threads).hasSize(10).doesNotContain(sender);
    }
}
