package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.QueueConnection;
import jakarta.jms.ServerSession;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;

/** Facilities of application servers, the test in the role of the server. */
class ConnectionConsumerIT extends BrokerTestBase {
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final List<SessionPool> pools = new CopyOnWriteArrayList<>();

    @AfterEach
    void closePools() {
        pools.forEach(SessionPool::close);
        pools.clear();
        seen.clear();
    }

    private SessionPool pool(SessionPool.Work work, Session... sessions) {
        SessionPool pool = SessionPool.of(work, sessions);
        pools.add(pool);
        return pool;
    }

    /** What a listener does that may fail. */
    private interface Listening {
        void on(Message message) throws JMSException;
    }

    private static MessageListener listener(Listening listening) {
        return message -> {
            try {
                listening.on(message);
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        };
    }

    private Session listening(Connection connection, int mode) throws JMSException {
        Session session = connection.createSession(mode);
        session.setMessageListener(listener(message -> seen.add(described(message))));
        return session;
    }

    private void awaitSeen(String... expected) {
        await().atMost(Duration.ofMillis(PATIENCE_MS))
                .untilAsserted(() -> assertThat(seen).containsExactly(expected));
    }

    @Spec("Jakarta Messaging 3.1 §11.2")
    @Test
    void shouldGiveEachMessageToASessionOfThePoolAndAcknowledgeIt() throws Exception {
        MetaQQueue queue = newQueue();
        Connection connection = connect("clientId=" + newName());
        Session session = listening(connection, Session.AUTO_ACKNOWLEDGE);
        ConnectionConsumer consumer =
                connection.createConnectionConsumer(queue, null, pool(Session::run, session), 1);

        send(queue, "a", "b", "c");
        awaitSeen("a#1", "b#1", "c#1");

        assertThat(consumer.getServerSessionPool()).isSameAs(pools.get(0));
        connection.close();
        try (Connection other = connect()) {
            assertThat(other.createSession().createConsumer(queue).receiveNoWait()).isNull();
        }
    }

    @Spec("Jakarta Messaging 3.1 ConnectionConsumer: maxMessages")
    @Test
    void shouldLoadNoMoreThanMaxMessagesAtOnce() throws Exception {
        MetaQQueue queue = newQueue();
        Connection connection = stopped("");
        Session session = listening(connection, Session.AUTO_ACKNOWLEDGE);
        List<Integer> batches = new CopyOnWriteArrayList<>();
        SessionPool pool =
                pool(
                        s -> {
                            int before = seen.size();
                            s.run();
                            batches.add(seen.size() - before);
                        },
                        session);
        send(queue, "1", "2", "3", "4", "5", "6", "7");
        connection.createConnectionConsumer(queue, null, pool, 3);

        connection.start();

        awaitSeen("1#1", "2#1", "3#1", "4#1", "5#1", "6#1", "7#1");
        await().until(() -> pool.idleCount() == 1);
        assertThat(batches).allMatch(count -> count <= 3).contains(3);
    }

    @Spec("Jakarta Messaging 3.1 §11.2: concurrent processing")
    @Test
    void shouldRunSessionsOfThePoolAtTheSameTime() throws Exception {
        MetaQQueue queue = newQueue();
        Connection connection = connect();
        CountDownLatch both = new CountDownLatch(2);
        MessageListener meeting =
                message -> {
                    both.countDown();
                    await().until(() -> both.getCount() == 0);
                    seen.add("met");
                };
        Session one = connection.createSession();
        one.setMessageListener(meeting);
        Session two = connection.createSession();
        two.setMessageListener(meeting);
        connection.createConnectionConsumer(queue, null, pool(Session::run, one, two), 1);

        send(queue, "a", "b");

        awaitSeen("met", "met");
    }

    @Spec("Jakarta Messaging 3.1 §6.1.5")
    @Test
    void shouldDeliverNothingWhileTheConnectionIsStopped() throws Exception {
        MetaQQueue queue = newQueue();
        Connection connection = connect();
        Session session = connection.createSession();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        session.setMessageListener(
                message -> {
                    entered.countDown();
                    await().until(() -> leave.getCount() == 0);
                    seen.add("done");
                });
        connection.createConnectionConsumer(queue, null, pool(Session::run, session), 10);
        send(queue, "a", "b");
        entered.await();

        AtomicBoolean isStopped = new AtomicBoolean();
        Thread stopping =
                new Thread(
                        () -> {
                            try {
                                connection.stop();
                                isStopped.set(true);
                            } catch (JMSException e) {
                                throw new AssertionError(e);
                            }
                        });
        stopping.start();
        await().until(() -> stopping.getState() == Thread.State.WAITING);
        assertThat(isStopped).as("stop waits for the listener").isFalse();
        leave.countDown();
        stopping.join(PATIENCE_MS);
        assertThat(isStopped).isTrue();
        List<String> whenStopped = List.copyOf(seen);
        assertThat(whenStopped).containsExactly("done");

        connection.start();
        awaitSeen("done", "done");
    }

    @Spec("Jakarta Messaging 3.1 §6.2.7: the session that was loaded commits")
    @Test
    void shouldRollBackAndRedeliverWhatATransactedSessionWasLoadedWith() throws Exception {
        MetaQQueue queue = newQueue();
        MetaQQueue out = newQueue();
        Connection connection = connect();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        AtomicBoolean isSecond = new AtomicBoolean();
        session.setMessageListener(
                listener(
                        message -> {
                            seen.add(described(message));
                            send(session, out, text(message));
                            if (isSecond.getAndSet(true)) {
                                session.commit();
                            } else {
                                session.rollback();
                            }
                        }));
        connection.createConnectionConsumer(queue, null, pool(Session::run, session), 5);

        send(queue, "a");

        awaitSeen("a#1", "a#2R");
        MessageConsumer sent = connect().createSession().createConsumer(out);
        assertThat(texts(sent, 1)).containsExactly("a");
        assertThat(sent.receiveNoWait()).isNull();
    }

    @Spec("Jakarta Messaging 3.1 §6.2.8")
    @Test
    void shouldConsumeInTheBranchThatTheServerStartedAroundTheRun() throws Exception {
        MetaQQueue queue = newQueue();
        XAConnection connection = connectXa();
        XASession session = connection.createXASession();
        session.setMessageListener(listener(message -> seen.add(described(message))));
        XAResource resource = session.getXAResource();
        AtomicInteger runs = new AtomicInteger();
        SessionPool pool =
                pool(
                        s -> {
                            Xid xid = Xids.next();
                            try {
                                resource.start(xid, XAResource.TMNOFLAGS);
                                s.run();
                                resource.end(xid, XAResource.TMSUCCESS);
                                if (runs.incrementAndGet() == 1) {
                                    resource.rollback(xid);
                                } else if (resource.prepare(xid) == XAResource.XA_OK) {
                                    resource.commit(xid, false);
                                }
                            } catch (XAException e) {
                                throw new AssertionError(e);
                            }
                        },
                        session);
        connection.createConnectionConsumer(queue, null, pool, 1);

        send(queue, "a");

        awaitSeen("a#1", "a#2R");
        await().until(() -> pool.idleCount() == 1);
        connection.close();
        assertThat(connect().createSession().createConsumer(queue).receiveNoWait()).isNull();
    }

    @Spec("Jakarta Messaging 3.1 §6.2.10")
    @Test
    void shouldAcknowledgeThroughTheSessionThatWasLoaded() throws Exception {
        MetaQQueue queue = newQueue();
        Connection connection = connect();
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        session.setMessageListener(
                listener(
                        message -> {
                            seen.add(text(message));
                            if (text(message).equals("b")) {
                                message.acknowledge();
                            }
                        }));
        connection.createConnectionConsumer(queue, null, pool(Session::run, session), 5);
        send(queue, "a", "b", "c");
        awaitSeen("a", "b", "c");

        connection.close();

        MessageConsumer rest = connect().createSession().createConsumer(queue);
        assertThat(described(receive(rest))).isEqualTo("c#2R");
        assertThat(rest.receiveNoWait()).isNull();
    }

    @Spec("Jakarta Messaging 3.1 §8.7: a listener that throws")
    @Test
    void shouldRedeliverWhatTheListenerOfALoadedSessionThrewOn() throws Exception {
        MetaQQueue queue = newQueue();
        Connection connection = connect();
        Session session = connection.createSession();
        session.setMessageListener(
                listener(
                        message -> {
                            seen.add(described(message));
                            if (!message.getJMSRedelivered()) {
                                throw new UnsupportedOperationException("on purpose");
                            }
                        }));
        connection.createConnectionConsumer(queue, null, pool(Session::run, session), 5);

        send(queue, "a");

        awaitSeen("a#1", "a#2R");
    }

    @Test
    void shouldGiveMessagesBackAndTellTheExceptionListenerWhenThePoolFails() throws Exception {
        MetaQQueue queue = newQueue();
        Connection connection = connect("prefetch=10");
        AtomicReference<JMSException> told = new AtomicReference<>();
        connection.setExceptionListener(told::set);
        ConnectionConsumer consumer =
                connection.createConnectionConsumer(
                        queue,
                        null,
                        () -> {
                            throw new JMSException("no session left");
                        },
                        5);
        send(queue, "a", "b");
        await().untilAsserted(() -> assertThat(told.get()).hasMessage("no session left"));

        consumer.close();

        MessageConsumer other = connect().createSession().createConsumer(queue);
        assertThat(described(receive(other))).isEqualTo("a#1");
        assertThat(described(receive(other))).isEqualTo("b#1");
    }

    @Test
    void shouldGiveMessagesBackWhenAServerSessionDoesNotStart() throws Exception {
        MetaQQueue queue = newQueue();
        Connection connection = connect();
        Session session = listening(connection, Session.AUTO_ACKNOWLEDGE);
        AtomicReference<JMSException> told = new AtomicReference<>();
        connection.setExceptionListener(told::set);
        AtomicInteger starts = new AtomicInteger();
        connection.createConnectionConsumer(
                queue,
                null,
                () ->
                        new ServerSession() {
                            @Override
                            public Session getSession() {
                                return session;
                            }

                            @Override
                            public void start() throws JMSException {
                                if (starts.incrementAndGet() == 1) {
                                    throw new JMSException("no thread left");
                                }
                                session.run();
                            }
                        },
                5);

        send(queue, "a");

        awaitSeen("a#1");
        assertThat(told.get()).hasMessage("no thread left");
    }

    @Test
    void shouldTellWhichSessionAPoolMustGive() throws Exception {
        MetaQQueue queue = newQueue();
        Session ofAnother = connect().createSession();
        Connection connection = connect();
        AtomicReference<JMSException> told = new AtomicReference<>();
        connection.setExceptionListener(told::set);
        connection.createConnectionConsumer(queue, null, pool(Session::run, ofAnother), 1);

        send(queue, "a");

        await().untilAsserted(
                        () ->
                                assertThat(told.get())
                                        .hasMessageContaining(
                                                "must be one of the connection that the connection"
                                                        + " consumer belongs to"));
    }

    @Spec("Jakarta Messaging 3.1 Connection: the four ways to make a ConnectionConsumer of a topic")
    @Test
    void shouldServeEveryKindOfSubscription() throws Exception {
        MetaQTopic topic = newTopic();
        String name = newName();
        Connection connection = connect("clientId=" + newName());
        Session[] sessions = new Session[4];
        for (int i = 0; i < sessions.length; i++) {
            String kind = "k" + i;
            sessions[i] = connection.createSession();
            sessions[i].setMessageListener(message -> seen.add(kind));
        }
        connection.createConnectionConsumer(topic, null, pool(Session::run, sessions[0]), 1);
        connection.createSharedConnectionConsumer(
                topic, name, null, pool(Session::run, sessions[1]), 1);
        ConnectionConsumer durable =
                connection.createDurableConnectionConsumer(
                        topic, name, null, pool(Session::run, sessions[2]), 1);
        ConnectionConsumer sharedDurable =
                connection.createSharedDurableConnectionConsumer(
                        topic, name + "s", null, pool(Session::run, sessions[3]), 1);

        send(topic, "a");
        await().untilAsserted(
                        () -> assertThat(seen).containsExactlyInAnyOrder("k0", "k1", "k2", "k3"));

        durable.close();
        sharedDurable.close();
        send(topic, "b");
        MessageConsumer away = connection.createSession().createDurableConsumer(topic, name);
        assertThat(text(receive(away))).isEqualTo("b");
        away.close();
        Session unsubscribing = connection.createSession();
        unsubscribing.unsubscribe(name);
        unsubscribing.unsubscribe(name + "s");
    }

    @Spec("Jakarta Messaging 3.1 Session.setMessageListener")
    @Test
    void shouldAllowNoOtherReceiptInASessionWithItsOwnListener() throws Exception {
        Session session = connect().createSession();
        MessageListener listener = message -> seen.add("never");
        session.setMessageListener(listener);
        assertThat(session.getMessageListener()).isSameAs(listener);
        assertThatThrownBy(() -> session.createConsumer(newQueue()))
                .isInstanceOf(IllegalStateException.class);
        send(session, newQueue(), "sending is allowed");

        session.setMessageListener(null);
        session.createConsumer(newQueue());
        assertThatThrownBy(() -> session.setMessageListener(listener))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::run).isInstanceOf(IllegalStateRuntimeException.class);
    }

    @Test
    void shouldRefuseWhatIsNotForAConnectionConsumer() throws Exception {
        Connection connection = connect();
        SessionPool pool = pool(Session::run, connection.createSession());
        MetaQQueue queue = newQueue();
        assertThatThrownBy(() -> connection.createConnectionConsumer(queue, null, null, 1))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("ServerSessionPool");
        assertThatThrownBy(() -> connection.createConnectionConsumer(queue, null, pool, 0))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("at least 1");
        assertThatThrownBy(
                        () -> connection.createConnectionConsumer((MetaQQueue) null, null, pool, 1))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(
                        () ->
                                connection.createDurableConnectionConsumer(
                                        newTopic(), "n", null, pool, 1))
                .as("no client id")
                .isInstanceOf(IllegalStateException.class);
        try (QueueConnection queues = factory("").createQueueConnection()) {
            assertThatThrownBy(
                            () ->
                                    queues.createSharedConnectionConsumer(
                                            newTopic(), "n", null, pool, 1))
                    .isInstanceOf(IllegalStateException.class);
        }
        connection.close();
        assertThatThrownBy(() -> connection.createConnectionConsumer(queue, null, pool, 1))
                .isInstanceOf(IllegalStateException.class);
    }

    @Spec("Jakarta Messaging 3.1 §6.1.8")
    @Test
    void shouldWaitForRunningListenersAndGiveTheRestBackWhenTheConnectionCloses() throws Exception {
        MetaQQueue queue = newQueue();
        Connection connection = connect();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        session.setMessageListener(
                listener(
                        message -> {
                            entered.countDown();
                            await().until(() -> leave.getCount() == 0);
                            session.commit();
                        }));
        connection.createConnectionConsumer(queue, null, pool(Session::run, session), 10);
        send(queue, "a", "b");
        entered.await();
        Thread closing =
                new Thread(
                        () -> {
                            try {
                                connection.close();
                            } catch (JMSException e) {
                                throw new AssertionError(e);
                            }
                        });
        closing.start();
        await().until(() -> closing.getState() == Thread.State.WAITING);
        leave.countDown();
        closing.join(PATIENCE_MS);
        assertThat(closing.isAlive()).isFalse();

        MessageConsumer rest = connect().createSession().createConsumer(queue);
        assertThat(described(receive(rest))).isEqualTo("b#1");
        assertThat(rest.receiveNoWait()).isNull();
    }
}
