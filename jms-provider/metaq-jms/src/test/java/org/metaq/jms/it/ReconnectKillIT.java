package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.server.BrokerProcess;

/** Clients with reconnect=true, whose broker is killed with -9 again and again. */
@Timeout(180)
class ReconnectKillIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int KILLS = 3;

    @TempDir Path directory;
    private final List<Connection> connections = new ArrayList<>();
    private BrokerProcess broker;

    @BeforeEach
    void startBroker() throws Exception {
        broker = start(0);
    }

    private BrokerProcess start(int port) throws Exception {
        return BrokerProcess.on(directory.resolve("data"))
                .port(port)
                .jvmOptions("-Xmx256m", "-XX:TieredStopAtLevel=1")
                .start();
    }

    @AfterEach
    void stop() throws Exception {
        for (Connection connection : connections) {
            connection.close();
        }
        broker.close();
        BrokerTestBase.awaitNoClientThreads();
    }

    private void killAndRestart() throws Exception {
        int port = broker.port();
        broker.kill9();
        broker = start(port);
    }

    private Connection connect() throws JMSException {
        Connection connection =
                new MetaQConnectionFactory(
                                "metaq://127.0.0.1:"
                                        + broker.port()
                                        + "?reconnect=true&reconnectDelay=50")
                        .createConnection();
        connections.add(connection);
        connection.start();
        return connection;
    }

    @Test
    void shouldStoreEachSendOnceThoughTheBrokerIsKilled() throws Exception {
        MetaQQueue queue = BrokerTestBase.newQueue();
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicInteger sent = new AtomicInteger();
        List<Exception> failures = new CopyOnWriteArrayList<>();
        Session session = connect().createSession();
        MessageProducer producer = session.createProducer(queue);
        Thread sender =
                new Thread(
                        () -> {
                            try {
                                while (!isOver.get()) {
                                    producer.send(session.createTextMessage("m" + sent.get()));
                                    sent.incrementAndGet();
                                }
                            } catch (JMSException e) {
                                failures.add(e);
                            }
                        });
        sender.start();
        for (int i = 0; i < KILLS; i++) {
            int before = sent.get();
            await().atMost(PATIENCE).until(() -> sent.get() > before + 50);
            killAndRestart();
        }
        int last = sent.get();
        await().atMost(PATIENCE).until(() -> sent.get() > last + 50);
        isOver.set(true);
        sender.join();
        assertThat(failures).isEmpty();
        MessageConsumer consumer = connect().createSession().createConsumer(queue);
        for (int i = 0; i < sent.get(); i++) {
            assertThat(BrokerTestBase.text(BrokerTestBase.receive(consumer))).isEqualTo("m" + i);
        }
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    void shouldMoveEachMessageOnceInLocalTransactions() throws Exception {
        MetaQQueue in = BrokerTestBase.newQueue();
        MetaQQueue out = BrokerTestBase.newQueue();
        int count = 2_000;
        Session filling = connect().createSession(true, Session.SESSION_TRANSACTED);
        for (int i = 0; i < count; i++) {
            filling.createProducer(in).send(filling.createTextMessage("m" + i));
        }
        filling.commit();
        AtomicInteger moved = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);
        List<Exception> failures = new CopyOnWriteArrayList<>();
        Thread mover =
                new Thread(
                        () -> {
                            try {
                                move(in, out, count, moved);
                            } catch (JMSException e) {
                                failures.add(e);
                            }
                            done.countDown();
                        });
        mover.start();
        for (int i = 1; i <= KILLS; i++) {
            int enough = i * count / (KILLS + 1);
            await().atMost(PATIENCE).until(() -> moved.get() >= enough || done.getCount() == 0);
            killAndRestart();
        }
        mover.join();
        assertThat(failures).isEmpty();
        MessageConsumer consumer = connect().createSession().createConsumer(out);
        Set<String> seen = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            String text = BrokerTestBase.text(BrokerTestBase.receive(consumer));
            assertThat(seen.add(text)).as("%s once", text).isTrue();
        }
        assertThat(consumer.receiveNoWait()).as("in neither").isNull();
        assertThat(connect().createSession().createConsumer(in).receiveNoWait()).isNull();
    }

    private void move(MetaQQueue in, MetaQQueue out, int count, AtomicInteger moved)
            throws JMSException {
        Session session = connect().createSession(true, Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(in);
        MessageProducer producer = session.createProducer(out);
        while (moved.get() < count) {
            try {
                Message message = BrokerTestBase.receive(consumer);
                producer.send(session.createTextMessage(BrokerTestBase.text(message)));
                session.commit();
                moved.incrementAndGet();
            } catch (TransactionRolledBackException e) {
                session.rollback();
            }
        }
    }

    @Test
    void shouldLoseNoMessageOfAListener() throws Exception {
        MetaQQueue queue = BrokerTestBase.newQueue();
        int count = 3_000;
        Session filling = connect().createSession(true, Session.SESSION_TRANSACTED);
        for (int i = 0; i < count; i++) {
            filling.createProducer(queue).send(filling.createTextMessage("m" + i));
        }
        filling.commit();
        Set<String> heard = new ConcurrentSkipListSet<>();
        List<String> repeatedUnflagged = new CopyOnWriteArrayList<>();
        MessageConsumer consumer = connect().createSession().createConsumer(queue);
        consumer.setMessageListener(
                message -> {
                    try {
                        String text = BrokerTestBase.text(message);
                        if (!heard.add(text) && !message.getJMSRedelivered()) {
                            repeatedUnflagged.add(text);
                        }
                    } catch (JMSException e) {
                        repeatedUnflagged.add(e.toString());
                    }
                });
        for (int i = 0; i < KILLS; i++) {
            int enough = (i + 1) * count / (KILLS + 1);
            await().atMost(PATIENCE).until(() -> heard.size() >= enough);
            killAndRestart();
        }
        await().atMost(PATIENCE).until(() -> heard.size() == count);
        assertThat(repeatedUnflagged).isEmpty();
    }

    /** A counter that a restart or a new consumer set back would never reach the limit. */
    @Test
    void shouldCountDeliveriesOverKillsAndNewConsumersUpToTheLimit() throws Exception {
        MetaQQueue queue = BrokerTestBase.newQueue();
        Session session = connect().createSession(true, Session.SESSION_TRANSACTED);
        Queue limited = session.createQueue(queue.getQueueName() + "?maxDeliveries=5");
        session.createProducer(queue).send(session.createTextMessage("bad"));
        session.commit();
        Queue deadLetters = session.createQueue("DLQ");
        List<Integer> counts = new ArrayList<>();
        MessageConsumer consumer = session.createConsumer(limited);
        for (int i = 0;
                !session.createBrowser(deadLetters).getEnumeration().hasMoreElements();
                i++) {
            Message message = BrokerTestBase.receive(consumer);
            counts.add(message.getIntProperty("JMSXDeliveryCount"));
            session.rollback();
            if (i % 2 == 0) {
                killAndRestart();
            } else {
                consumer.close();
                consumer = session.createConsumer(limited);
            }
        }
        // One that came before a kill, and went to the application after it, the broker forgot.
        assertThat(counts).isSorted().startsWith(1).contains(2, 3, 4).endsWith(5);
        Message dead = BrokerTestBase.receive(session.createConsumer(deadLetters));
        assertThat(BrokerTestBase.text(dead)).isEqualTo("bad");
        assertThat(dead.getIntProperty("JMS_METAQ_DeadLetterCount")).isEqualTo(5);
        assertThat(consumer.receiveNoWait()).isNull();
    }
}
