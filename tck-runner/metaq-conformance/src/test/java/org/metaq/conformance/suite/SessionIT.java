package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.metaq.conformance.Spec;

/** §6.2 but for transactions, acknowledgement and order: what a session makes, and its threads. */
class SessionIT extends ConformanceTest {
    @Test
    @Spec({"6.2", "6.2.1"})
    void shouldServeSeveralProducersAndConsumers() throws JMSException {
        Session session = session();
        Queue[] queues = {newQueue(), newQueue(), newQueue()};
        MessageConsumer[] consumers = new MessageConsumer[queues.length];
        for (int i = 0; i < queues.length; i++) {
            consumers[i] = session.createConsumer(queues[i]);
        }
        for (Queue queue : queues) {
            MessageProducer first = session.createProducer(queue);
            MessageProducer second = session.createProducer(queue);
            first.send(session.createTextMessage("first"));
            second.send(session.createTextMessage("second"));
        }

        for (MessageConsumer consumer : consumers) {
            assertThat(texts(consumer, 2)).containsExactlyInAnyOrder("first", "second");
        }
    }

    @Test
    @Spec({"6.2.2", "6.2"})
    void shouldServeTemporaryDestinationsToAllSessionsOfTheirConnection() throws JMSException {
        Connection connection = connect();
        Session maker = connection.createSession();
        TemporaryQueue queue = maker.createTemporaryQueue();
        TemporaryTopic topic = maker.createTemporaryTopic();
        maker.close();
        Session user = connection.createSession();
        MessageConsumer fromQueue = user.createConsumer(queue);
        MessageConsumer fromTopic = user.createConsumer(topic);
        Session foreign = session();
        send(foreign, queue, "q");
        send(foreign, topic, "t");

        assertThat(texts(fromQueue, 1)).containsExactly("q");
        assertThat(texts(fromTopic, 1)).containsExactly("t");
    }

    @Test
    @Spec("6.2.2")
    void shouldDeleteTemporaryDestinations() throws JMSException {
        Session session = session();
        TemporaryQueue queue = session.createTemporaryQueue();
        TemporaryTopic topic = session.createTemporaryTopic();

        queue.delete();
        topic.delete();

        assertThatThrownBy(() -> session.createConsumer(queue)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session.createConsumer(topic)).isInstanceOf(JMSException.class);
    }

    @Test
    @Spec("6.2.2")
    void shouldNotDeleteTemporaryDestinationsInUse() throws JMSException {
        Session session = session();
        TemporaryQueue queue = session.createTemporaryQueue();
        TemporaryTopic topic = session.createTemporaryTopic();
        MessageConsumer fromQueue = session.createConsumer(queue);
        MessageConsumer fromTopic = session.createConsumer(topic);

        assertThatThrownBy(queue::delete).isInstanceOf(JMSException.class);
        assertThatThrownBy(topic::delete).isInstanceOf(JMSException.class);
        fromQueue.close();
        fromTopic.close();
        queue.delete();
        topic.delete();
    }

    @Test
    @Spec("6.2.2")
    void shouldDeleteTemporaryDestinationsWithTheirConnection() throws JMSException {
        Connection connection = connect();
        Session owner = connection.createSession();
        TemporaryQueue queue = owner.createTemporaryQueue();
        Session other = session();
        send(other, queue, "a");

        connection.close();

        assertThatThrownBy(() -> send(other, queue, "b")).isInstanceOf(JMSException.class);
    }

    @Test
    @Spec({"6.2.2", "2.16", "3.4.6", "3.4.5"})
    void shouldReplyToTemporaryQueues() throws JMSException {
        Queue requests = newQueue();
        Session client = session();
        TemporaryQueue replies = client.createTemporaryQueue();
        MessageConsumer answers = client.createConsumer(replies);
        TextMessage request = client.createTextMessage("request");
        request.setJMSReplyTo(replies);
        client.createProducer(requests).send(request);
        Session server = session();
        Message received = receive(server.createConsumer(requests));
        TextMessage reply = server.createTextMessage("reply");
        reply.setJMSCorrelationID(received.getJMSMessageID());
        server.createProducer(null).send(received.getJMSReplyTo(), reply);

        Message answer = receive(answers);

        assertThat(text(answer)).isEqualTo("reply");
        assertThat(answer.getJMSCorrelationID()).isEqualTo(request.getJMSMessageID());
    }

    @Test
    @Spec("6.2.3")
    void shouldMakeDestinationsOfNames() throws JMSException {
        Session session = session();
        JMSContext context = context();
        Queue queue = newQueue();
        Topic topic = newTopic();

        assertThat(session.createQueue(queue.getQueueName())).isEqualTo(queue);
        assertThat(session.createTopic(topic.getTopicName())).isEqualTo(topic);
        assertThat(context.createQueue(queue.getQueueName())).isEqualTo(queue);
        assertThat(context.createTopic(topic.getTopicName())).isEqualTo(topic);
    }

    @Test
    @Spec("6.2.4")
    void shouldSendMessagesOfOtherSessions() throws JMSException {
        Session maker = session();
        Session sender = session();
        Queue queue = newQueue();
        MessageProducer producer = sender.createProducer(queue);
        producer.send(maker.createTextMessage("one"));
        TextMessage orphan = maker.createTextMessage("two");
        maker.close();
        producer.send(orphan);
        context().createProducer().send(queue, sender.createTextMessage("three"));

        assertThat(texts(sender.createConsumer(queue), 3)).containsExactly("one", "two", "three");
    }

    @Test
    @Spec({"6.2", "10.3"})
    void shouldMakeEachKindOfMessage() throws JMSException {
        JMSContext context = context();
        Session session = session();

        assertThat(session.createTextMessage("a").getText()).isEqualTo("a");
        assertThat(context.createTextMessage("a").getText()).isEqualTo("a");
        assertThat(session.createObjectMessage(1).getObject()).isEqualTo(1);
        assertThat(context.createObjectMessage(1).getObject()).isEqualTo(1);
        assertThat(namesIn(context.createMapMessage().getMapNames())).isEmpty();
        assertThat(session.createMessage().getJMSMessageID()).isNull();
        assertThat(context.createMessage().getJMSDestination()).isNull();
    }

    // ---- threads

    @Test
    @Spec({"6.2.5", "6.2.13"})
    void shouldLetListenersUseTheirSession() throws Exception {
        Queue in = newQueue();
        Queue out = newQueue();
        Session session = session();
        MessageProducer producer = session.createProducer(out);
        session.createConsumer(in)
                .setMessageListener(
                        message -> {
                            try {
                                producer.send(session.createTextMessage("re: " + text(message)));
                            } catch (JMSException e) {
                                throw new AssertionError(e);
                            }
                        });
        send(in, "a", "b");

        assertThat(texts(session().createConsumer(out), 2)).containsExactly("re: a", "re: b");
    }

    @Test
    @Spec("6.2.6")
    void shouldMakeAndCloseContextsOnOtherThreads() throws Exception {
        Queue queue = newQueue();
        JMSContext context = context();
        JMSConsumer consumer = context.createConsumer(queue);
        CountDownLatch isCalled = new CountDownLatch(1);
        consumer.setMessageListener(message -> isCalled.countDown());

        CompletableFuture<Void> elsewhere =
                CompletableFuture.runAsync(
                        () -> {
                            try (JMSContext further =
                                    context.createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
                                further.createProducer().send(queue, "a");
                            }
                        });
        await(elsewhere);
        await(isCalled);
        await(CompletableFuture.runAsync(consumer::close));
        await(CompletableFuture.runAsync(context::close));
    }

    @Test
    @Spec("6.2.6")
    void shouldTakeASecondListenerWhileDeliveringToTheFirst() throws Exception {
        Queue one = newQueue();
        Queue two = newQueue();
        JMSContext context = context();
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        context.createConsumer(one).setMessageListener(message -> first.countDown());
        JMSConsumer other = context.createConsumer(two);
        other.setMessageListener(message -> second.countDown());
        send(one, "a");
        send(two, "b");

        await(first);
        await(second);
    }

    @Test
    @Spec({"6.2.13", "6.2.5"})
    void shouldCallTheListenersOfASessionOneByOne() throws Exception {
        Connection connection = stopped();
        Session session = connection.createSession();
        int count = 20;
        AtomicInteger running = new AtomicInteger();
        AtomicInteger mostAtOnce = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(2 * count);
        Queue[] queues = {newQueue(), newQueue()};
        for (Queue queue : queues) {
            session.createConsumer(queue)
                    .setMessageListener(
                            message -> {
                                int now = running.incrementAndGet();
                                mostAtOnce.accumulateAndGet(now, Math::max);
                                Thread.yield();
                                running.decrementAndGet();
                                all.countDown();
                            });
        }
        connection.start();
        for (int i = 0; i < count; i++) {
            send(queues[0], "a");
            send(queues[1], "b");
        }

        await(all);

        assertThat(mostAtOnce).hasValue(1);
    }

    @Test
    @Spec("6.2.14")
    void shouldCallListenersOfSeveralSessionsAtOnce() throws Exception {
        Connection connection = connect();
        CyclicBarrier meeting = new CyclicBarrier(2);
        CountDownLatch met = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            Queue queue = newQueue();
            connection
                    .createSession()
                    .createConsumer(queue)
                    .setMessageListener(
                            message -> {
                                try {
                                    meeting.await(PATIENCE_MS, TimeUnit.MILLISECONDS);
                                    met.countDown();
                                } catch (Exception e) {
                                    throw new AssertionError(e);
                                }
                            });
            send(queue, "a");
        }

        await(met);
    }

    @Test
    @Spec({"6.2.5", "6.2.15"})
    void shouldCloseASessionFromAnotherThread() throws Exception {
        Connection connection = connect();
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(newQueue());
        CountDownLatch isWaiting = new CountDownLatch(1);
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        Thread receiver =
                new Thread(
                        () -> {
                            isWaiting.countDown();
                            try {
                                assertThat(consumer.receive()).isNull();
                            } catch (IllegalStateException e) {
                                // closed before it began to wait
                            } catch (JMSException | AssertionError e) {
                                failures.add(e);
                            }
                        });
        receiver.start();
        await(isWaiting);

        session.close();
        receiver.join(PATIENCE_MS);

        assertThat(receiver.isAlive()).isFalse();
        assertThat(failures).isEmpty();
        assertThat(connection.createSession()).isNotNull();
    }
}
