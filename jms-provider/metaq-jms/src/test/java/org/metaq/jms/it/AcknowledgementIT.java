package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.jms.destination.MetaQQueue;

/** Acknowledgement and session recover, receiving and listening. */
class AcknowledgementIT extends BrokerTestBase {
    private final MetaQQueue queue = newQueue();

    private static void settle(Session session, Message last) throws JMSException {
        if (session.getTransacted()) {
            session.commit();
        } else {
            last.acknowledge();
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Session.AUTO_ACKNOWLEDGE,
                Session.DUPS_OK_ACKNOWLEDGE,
                Session.CLIENT_ACKNOWLEDGE,
                Session.SESSION_TRANSACTED
            })
    @Spec("JMS 3.1 §6.2.10")
    void shouldSettleForGoodWhatWasReceivedInEachMode(int mode) throws Exception {
        MetaQQueue mine = newQueue();
        send(mine, "a", "b", "c");
        Connection connection = connect();
        Session session = connection.createSession(mode);
        MessageConsumer consumer = session.createConsumer(mine);
        assertThat(described(consumer, 2)).containsExactly("a#1", "b#1");
        Message last = receive(consumer);
        settle(session, last);
        connection.close();
        assertThat(drain(mine)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Session.AUTO_ACKNOWLEDGE,
                Session.DUPS_OK_ACKNOWLEDGE,
                Session.CLIENT_ACKNOWLEDGE,
                Session.SESSION_TRANSACTED
            })
    @Spec("JMS 3.1 §6.2.10, §8.7")
    void shouldSettleForGoodWhatAListenerGotInEachMode(int mode) throws Exception {
        MetaQQueue mine = newQueue();
        send(mine, "a", "b", "c");
        Connection connection = connect();
        Session session = connection.createSession(mode);
        BlockingQueue<String> got = new LinkedBlockingQueue<>();
        session.createConsumer(mine)
                .setMessageListener(
                        message -> {
                            try {
                                settle(session, message);
                                got.add(described(message));
                            } catch (JMSException e) {
                                got.add(e.toString());
                            }
                        });
        await().until(() -> got.size() == 3);
        assertThat(got).containsExactly("a#1", "b#1", "c#1");
        connection.close();
        assertThat(drain(mine)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
    @Spec("JMS 3.1 §8.7; §3.5.11")
    void shouldRedeliverTheMessageWhoseListenerThrew(int mode) throws Exception {
        MetaQQueue mine = newQueue();
        send(mine, "a", "b", "c");
        Session session = connect().createSession(mode);
        List<String> got = new CopyOnWriteArrayList<>();
        AtomicInteger calls = new AtomicInteger();
        session.createConsumer(mine)
                .setMessageListener(
                        message -> {
                            try {
                                got.add(described(message));
                            } catch (JMSException e) {
                                got.add(e.toString());
                            }
                            if (calls.incrementAndGet() == 2) {
                                throw new IllegalArgumentException("fails on purpose");
                            }
                        });
        await().until(() -> got.size() == 4);
        session.close();
        assertThat(got).containsExactly("a#1", "b#1", "b#2R", "c#1");
        assertThat(drain(mine)).isEmpty();
    }

    @Test
    @Spec("JMS 3.1 §6.2.10")
    void shouldAcknowledgeAllThatTheSessionDeliveredWhenAnyMessageIsAcknowledged()
            throws Exception {
        MetaQQueue other = newQueue();
        send(queue, "a", "b", "c", "d", "e");
        send(other, "x", "y");
        Connection connection = connect();
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        MessageConsumer second = session.createConsumer(other);
        List<Message> received = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            received.add(receive(consumer));
        }
        assertThat(text(receive(second))).isEqualTo("x");
        received.get(1).acknowledge();
        assertThat(text(receive(consumer))).isEqualTo("d");
        session.recover();
        assertThat(described(consumer, 2)).containsExactly("d#2R", "e#1");
        assertThat(described(second, 1)).containsExactly("y#1");
        connection.close();
        assertThat(drain(queue)).containsExactly("d#3R", "e#2R");
        assertThat(drain(other)).containsExactly("y#2R");
    }

    @Test
    @Spec("JMS 3.1 §6.2.10; §3.4.7; §3.5.11")
    void shouldBringBackAllUnacknowledgedInOrderWhenRecovered() throws Exception {
        MetaQQueue mine = newQueue();
        send(mine, "a", "b", "c", "d");
        Session session = connect("prefetch=2").createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(mine);
        assertThat(described(consumer, 3)).containsExactly("a#1", "b#1", "c#1");
        session.recover();
        assertThat(described(consumer, 1)).containsExactly("a#2R");
        session.recover();
        assertThat(described(consumer, 4)).containsExactly("a#3R", "b#2R", "c#2R", "d#1");
    }

    @Test
    @Spec("JMS 3.1 §6.2.10")
    void shouldRedeliverAtOnceWhenAListenerRecovers() throws Exception {
        MetaQQueue mine = newQueue();
        send(mine, "a", "b", "c");
        Session session = connect().createSession(Session.CLIENT_ACKNOWLEDGE);
        List<String> got = new CopyOnWriteArrayList<>();
        session.createConsumer(mine)
                .setMessageListener(
                        message -> {
                            try {
                                got.add(described(message));
                                if (got.size() == 2) {
                                    session.recover();
                                } else if (got.size() == 5) {
                                    message.acknowledge();
                                }
                            } catch (JMSException e) {
                                got.add(e.toString());
                            }
                        });
        await().until(() -> got.size() == 5);
        session.close();
        assertThat(got).containsExactly("a#1", "b#1", "a#2R", "b#2R", "c#1");
        assertThat(drain(mine)).isEmpty();
    }

    @Test
    @Spec("JMS 3.1 §6.2.10, Session.recover")
    void shouldRedeliverOnlyTheMessageOfTheListenerWhenAnAutoSessionRecovers() throws Exception {
        MetaQQueue mine = newQueue();
        send(mine, "a", "b");
        Session session = connect().createSession(Session.AUTO_ACKNOWLEDGE);
        List<String> got = new CopyOnWriteArrayList<>();
        session.createConsumer(mine)
                .setMessageListener(
                        message -> {
                            try {
                                got.add(described(message));
                                if (got.size() == 1) {
                                    session.recover();
                                }
                            } catch (JMSException e) {
                                got.add(e.toString());
                            }
                        });
        await().until(() -> got.size() == 3);
        session.close();
        assertThat(got).containsExactly("a#1", "a#2R", "b#1");
        assertThat(drain(mine)).isEmpty();
    }

    @Test
    @Spec("JMS 3.1 Session.recover, Message.acknowledge")
    void shouldRefuseRecoverWhenTransactedAndAcknowledgeWhenClosed() throws Exception {
        MetaQQueue mine = newQueue();
        send(mine, "a");
        Connection connection = connect();
        Session transacted = connection.createSession(true, Session.SESSION_TRANSACTED);
        assertThatThrownBy(transacted::recover).isInstanceOf(IllegalStateException.class);
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        Message message = receive(session.createConsumer(mine));
        session.close();
        assertThatThrownBy(message::acknowledge).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Spec("JMS 3.1 §6.2.10: CLIENT_ACKNOWLEDGE outlives the consumer")
    void shouldAcknowledgeAndRecoverWhatAClosedConsumerDelivered() throws Exception {
        MetaQQueue mine = newQueue();
        send(mine, "a", "b");
        Session session = connect().createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer first = session.createConsumer(mine);
        Message a = receive(first);
        first.close();
        a.acknowledge();
        MessageConsumer second = session.createConsumer(mine);
        assertThat(described(second, 1)).containsExactly("b#1");
        second.close();
        session.recover();
        assertThat(described(session.createConsumer(mine), 1)).containsExactly("b#2R");
    }

    @Test
    @Spec("JMS 3.1 §6.2.15")
    void shouldCallTheListenersOfOneSessionOneAfterTheOther() throws Exception {
        List<MetaQQueue> queues = List.of(newQueue(), newQueue(), newQueue());
        for (MetaQQueue each : queues) {
            send(each, "1", "2", "3", "4", "5", "6", "7", "8", "9", "10");
        }
        Session session = connect().createSession();
        AtomicInteger running = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(30);
        List<List<String>> got = new ArrayList<>();
        for (MetaQQueue each : queues) {
            List<String> mine = new CopyOnWriteArrayList<>();
            got.add(mine);
            session.createConsumer(each)
                    .setMessageListener(
                            message -> {
                                if (running.incrementAndGet() > 1) {
                                    overlaps.incrementAndGet();
                                }
                                try {
                                    mine.add(text(message));
                                } catch (JMSException e) {
                                    mine.add(e.toString());
                                }
                                running.decrementAndGet();
                                all.countDown();
                            });
        }
        assertThat(all.await(PATIENCE_MS, TimeUnit.MILLISECONDS)).isTrue();
        assertThat(overlaps).hasValue(0);
        for (List<String> each : got) {
            assertThat(each).containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9", "10");
        }
    }
}
