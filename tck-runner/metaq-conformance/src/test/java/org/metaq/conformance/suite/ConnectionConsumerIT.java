package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.metaq.conformance.Feature;
import org.metaq.conformance.Requires;
import org.metaq.conformance.Spec;

/** §11.2: connection consumers; the test is the application server. */
@Requires(Feature.CONNECTION_CONSUMER)
class ConnectionConsumerIT extends ConformanceTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    /** A pool of server sessions, as an application server has one. */
    private final class Pool implements ServerSessionPool {
        private final BlockingQueue<ServerSession> idle = new LinkedBlockingQueue<>();
        private final AtomicInteger starts = new AtomicInteger();

        Pool(Connection connection, int mode, int size, MessageListener listener)
                throws JMSException {
            for (int i = 0; i < size; i++) {
                Session session = connection.createSession(mode);
                session.setMessageListener(listener);
                idle.add(new Member(session));
            }
        }

        @Override
        public ServerSession getServerSession() throws JMSException {
            try {
                ServerSession session = idle.poll(PATIENCE_MS, TimeUnit.MILLISECONDS);
                if (session == null) {
                    throw new JMSException("no session became idle");
                }
                return session;
            } catch (InterruptedException e) {
                throw new JMSException("interrupted");
            }
        }

        private final class Member implements ServerSession {
            private final Session session;

            Member(Session session) {
                this.session = session;
            }

            @Override
            public Session getSession() {
                return session;
            }

            @Override
            public void start() {
                starts.incrementAndGet();
                threads.execute(
                        () -> {
                            session.run();
                            idle.add(this);
                        });
            }
        }
    }

    private static MessageListener into(List<String> received, CountDownLatch latch) {
        return message -> {
            try {
                received.add(text(message));
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
            latch.countDown();
        };
    }

    @Test
    @Spec({"11.2", "11.2.1", "11.2.2", "11.2.4", "11.2.5"})
    void shouldDeliverAQueueThroughServerSessions() throws Exception {
        Queue queue = newQueue();
        Connection connection = connect();
        List<String> received = new CopyOnWriteArrayList<>();
        CountDownLatch all = new CountDownLatch(10);
        Pool pool = new Pool(connection, Session.AUTO_ACKNOWLEDGE, 1, into(received, all));
        ConnectionConsumer consumer = connection.createConnectionConsumer(queue, null, pool, 3);
        String[] sent = new String[10];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = "m" + i;
        }
        send(queue, sent);
        await(all);

        assertThat(received).containsExactly(sent);
        assertThat(pool.starts.get()).isGreaterThanOrEqualTo(4);
        assertThat(consumer.getServerSessionPool()).isSameAs(pool);
        consumer.close();
        connection.close();
        assertThat(drain(queue)).isEmpty();
    }

    @Test
    @Spec({"11.2", "11.2.5"})
    void shouldUseSeveralSessionsAtOnce() throws Exception {
        Queue queue = newQueue();
        Connection connection = connect();
        CyclicBarrier meeting = new CyclicBarrier(2);
        CountDownLatch met = new CountDownLatch(2);
        Pool pool =
                new Pool(
                        connection,
                        Session.AUTO_ACKNOWLEDGE,
                        2,
                        message -> {
                            try {
                                meeting.await(PATIENCE_MS, TimeUnit.MILLISECONDS);
                                met.countDown();
                            } catch (Exception e) {
                                throw new AssertionError(e);
                            }
                        });
        connection.createConnectionConsumer(queue, null, pool, 1);
        send(queue, "a", "b");

        await(met);
    }

    @Test
    @Spec({"11.2.4", "3.8"})
    void shouldDeliverWhatIsSelected() throws Exception {
        Queue queue = newQueue();
        Connection connection = connect();
        List<String> received = new CopyOnWriteArrayList<>();
        CountDownLatch two = new CountDownLatch(2);
        Pool pool = new Pool(connection, Session.AUTO_ACKNOWLEDGE, 1, into(received, two));
        ConnectionConsumer consumer =
                connection.createConnectionConsumer(queue, "color = 'blue'", pool, 10);
        Session session = session();
        MessageProducer producer = session.createProducer(queue);
        for (String color : new String[] {"red", "blue", "green", "blue"}) {
            Message message = session.createTextMessage(color);
            message.setStringProperty("color", color);
            producer.send(message);
        }
        await(two);
        consumer.close();

        assertThat(received).containsExactly("blue", "blue");
        assertThat(drain(queue)).containsExactly("red", "green");
    }

    @Test
    @Spec("11.2.3")
    void shouldLoseNothingWhileThePoolIsEmpty() throws Exception {
        Queue queue = newQueue();
        Connection connection = connect();
        List<String> received = new CopyOnWriteArrayList<>();
        CountDownLatch all = new CountDownLatch(4);
        Semaphore permits = new Semaphore(1);
        MessageListener blocking =
                message -> {
                    try {
                        permits.acquire();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    into(received, all).onMessage(message);
                };
        Pool pool = new Pool(connection, Session.AUTO_ACKNOWLEDGE, 1, blocking);
        connection.createConnectionConsumer(queue, null, pool, 1);
        send(queue, "a", "b", "c", "d");
        Awaitility.await().until(() -> received.size() == 1);
        assertThat(all.getCount()).isEqualTo(3);

        permits.release(3);
        await(all);

        assertThat(received).containsExactly("a", "b", "c", "d");
    }

    @Test
    @Spec({"11.2.4", "4.2.2"})
    void shouldServeTopics() throws Exception {
        Topic topic = newTopic();
        Connection connection = connect();
        List<String> received = new CopyOnWriteArrayList<>();
        CountDownLatch two = new CountDownLatch(2);
        Pool pool = new Pool(connection, Session.AUTO_ACKNOWLEDGE, 1, into(received, two));
        connection.createConnectionConsumer(topic, null, pool, 1);
        MessageConsumer other = session().createConsumer(topic);
        send(topic, "a", "b");
        await(two);

        assertThat(received).containsExactly("a", "b");
        assertThat(texts(other, 2)).containsExactly("a", "b");
    }

    @Test
    @Spec({"11.2.4", "8.3.3", "8.3.4", "8.3.2"})
    void shouldServeEachKindOfSubscription() throws Exception {
        Topic topic = newTopic();
        Connection connection = connect(newName());
        Set<String> received = new ConcurrentSkipListSet<>();
        CountDownLatch three = new CountDownLatch(3);
        String[] names = {"durable", "shared", "sharedDurable"};
        Pool[] pools = new Pool[names.length];
        for (int i = 0; i < names.length; i++) {
            String name = names[i];
            pools[i] =
                    new Pool(
                            connection,
                            Session.AUTO_ACKNOWLEDGE,
                            1,
                            message -> {
                                received.add(name);
                                three.countDown();
                            });
        }
        connection.createDurableConnectionConsumer(topic, names[0], null, pools[0], 1);
        connection.createSharedConnectionConsumer(topic, names[1], null, pools[1], 1);
        connection.createSharedDurableConnectionConsumer(topic, names[2], null, pools[2], 1);
        send(topic, "a");
        await(three);

        assertThat(received).containsExactlyInAnyOrder(names);
    }

    @Test
    @Spec({"11.2.1", "6.2.7"})
    void shouldRollBackInAServerSession() throws Exception {
        Queue queue = newQueue();
        Connection connection = connect();
        List<String> received = new CopyOnWriteArrayList<>();
        CountDownLatch two = new CountDownLatch(2);
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        transacted.setMessageListener(
                message -> {
                    try {
                        received.add(described(message));
                        if (message.getJMSRedelivered()) {
                            transacted.commit();
                        } else {
                            transacted.rollback();
                        }
                    } catch (JMSException e) {
                        throw new AssertionError(e);
                    }
                    two.countDown();
                });
        Pool pool = new Pool(connection, Session.AUTO_ACKNOWLEDGE, 0, null);
        pool.idle.add(pool.new Member(transacted));
        ConnectionConsumer consumer = connection.createConnectionConsumer(queue, null, pool, 1);
        send(queue, "a");
        await(two);
        consumer.close();
        connection.close();

        assertThat(received).containsExactly("a#1", "a#2R");
        assertThat(drain(queue)).isEmpty();
    }

    @Test
    @Spec({"11.2.4", "6.1.4"})
    void shouldDeliverNothingBeforeTheStart() throws Exception {
        Queue queue = newQueue();
        Connection connection = stopped();
        List<String> received = new CopyOnWriteArrayList<>();
        CountDownLatch one = new CountDownLatch(1);
        Pool pool = new Pool(connection, Session.AUTO_ACKNOWLEDGE, 1, into(received, one));
        connection.createConnectionConsumer(queue, null, pool, 1);
        send(queue, "a");
        assertThat(one.await(BRIEFLY_MS, TimeUnit.MILLISECONDS)).isFalse();

        connection.start();
        await(one);
    }

    @Test
    @Spec({"11.2.4", "11.4", "2.9"})
    void shouldServeTheDomainSpecificConnections() throws Exception {
        Queue queue = newQueue();
        Topic topic = newTopic();
        QueueConnection queues =
                closedLater(provider().queueConnectionFactory().createQueueConnection());
        TopicConnection topics =
                closedLater(provider().topicConnectionFactory().createTopicConnection());
        List<String> received = new CopyOnWriteArrayList<>();
        CountDownLatch two = new CountDownLatch(2);
        Session queueSession = queues.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        queueSession.setMessageListener(into(received, two));
        Session topicSession = topics.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        topicSession.setMessageListener(into(received, two));
        Pool queuePool = new Pool(queues, Session.AUTO_ACKNOWLEDGE, 0, null);
        queuePool.idle.add(queuePool.new Member(queueSession));
        Pool topicPool = new Pool(topics, Session.AUTO_ACKNOWLEDGE, 0, null);
        topicPool.idle.add(topicPool.new Member(topicSession));
        queues.createConnectionConsumer(queue, null, queuePool, 1);
        topics.createConnectionConsumer(topic, null, topicPool, 1);
        queues.start();
        topics.start();
        send(queue, "q");
        send(topic, "t");
        await(two);

        assertThat(received).containsExactlyInAnyOrder("q", "t");
    }

    @Test
    @Spec({"11.2.4", "10.3"})
    void shouldRefuseBadArguments() throws Exception {
        Connection connection = stopped();
        Pool pool = new Pool(connection, Session.AUTO_ACKNOWLEDGE, 0, null);

        assertThatThrownBy(() -> connection.createConnectionConsumer((Queue) null, null, pool, 1))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> connection.createConnectionConsumer(newQueue(), "a =", pool, 1))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> connection.createConnectionConsumer(newQueue(), null, pool, 0))
                .isInstanceOf(JMSException.class);
    }
}
