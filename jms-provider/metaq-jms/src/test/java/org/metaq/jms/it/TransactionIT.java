package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;

/** Transacted sessions. */
class TransactionIT extends BrokerTestBase {
    @Test
    @Spec("JMS 3.1 §6.2.7")
    void shouldShowWhatWasSentOnlyWhenCommitted() throws Exception {
        MetaQQueue queue = newQueue();
        Session session = connect().createSession(Session.SESSION_TRANSACTED);
        send(session, queue, "a", "b");
        assertThat(drain(queue)).as("before the commit").isEmpty();
        session.commit();
        assertThat(drain(queue)).containsExactly("a#1", "b#1");
        send(session, queue, "c");
        session.rollback();
        send(session, queue, "d");
        session.commit();
        assertThat(drain(queue)).as("without the rolled back").containsExactly("d#1");
    }

    @Test
    @Spec("JMS 3.1 §6.2.7")
    void shouldCommitReceivesAndSendsOfAllDestinationsTogether() throws Exception {
        MetaQQueue from = newQueue();
        MetaQQueue to = newQueue();
        MetaQTopic topic = newTopic();
        send(from, "a", "b");
        Connection connection = connect();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageConsumer subscriber = connection.createSession().createConsumer(topic);
        MessageConsumer consumer = session.createConsumer(from);
        assertThat(texts(consumer, 2)).containsExactly("a", "b");
        send(session, to, "A");
        send(session, topic, "B");
        assertThat(subscriber.receiveNoWait()).isNull();
        session.rollback();
        assertThat(drain(to)).isEmpty();
        assertThat(described(consumer, 2)).containsExactly("a#2R", "b#2R");
        send(session, to, "A2");
        send(session, topic, "B2");
        session.commit();
        assertThat(texts(subscriber, 1)).containsExactly("B2");
        assertThat(drain(to)).containsExactly("A2#1");
        connection.close();
        assertThat(drain(from)).isEmpty();
    }

    @Test
    @Spec("JMS 3.1 §6.2.7, §6.2.9")
    void shouldKeepTheOrderAcrossRollbacksWhateverWasPrefetched() throws Exception {
        for (int prefetch : new int[] {1, 3, 100}) {
            MetaQQueue queue = newQueue();
            String[] texts = new String[20];
            for (int i = 0; i < texts.length; i++) {
                texts[i] = "m" + i;
            }
            send(queue, texts);
            Session session =
                    connect("prefetch=" + prefetch).createSession(Session.SESSION_TRANSACTED);
            MessageConsumer consumer = session.createConsumer(queue);
            for (int taken = 1; taken < texts.length; taken += 3) {
                assertThat(texts(consumer, taken))
                        .as("prefetch %d, %d taken", prefetch, taken)
                        .containsExactlyElementsOf(List.of(texts).subList(0, taken));
                session.rollback();
            }
            assertThat(texts(consumer, texts.length)).containsExactly(texts);
            session.commit();
        }
    }

    @Test
    @Spec("JMS 3.1 §6.1.8, Session.close")
    void shouldRollBackWhenTheSessionIsClosed() throws Exception {
        MetaQQueue from = newQueue();
        MetaQQueue to = newQueue();
        send(from, "a", "b");
        Session session = connect().createSession(Session.SESSION_TRANSACTED);
        receive(session.createConsumer(from));
        send(session, to, "A");
        session.close();
        assertThat(drain(from)).containsExactly("a#2R", "b#1");
        assertThat(drain(to)).isEmpty();
    }

    @Test
    @Spec("JMS 3.1 §6.1.8, Connection.close")
    void shouldRollBackWhenTheConnectionIsClosed() throws Exception {
        MetaQQueue from = newQueue();
        MetaQQueue to = newQueue();
        send(from, "a", "b");
        Connection connection = connect();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        receive(session.createConsumer(from));
        send(session, to, "A");
        connection.close();
        assertThat(drain(from)).containsExactly("a#2R", "b#1");
        assertThat(drain(to)).isEmpty();
    }

    @Test
    @Spec("JMS 3.1 §6.2.7: a consumer's close does not settle")
    void shouldCommitAndRollBackWhatAClosedConsumerDelivered() throws Exception {
        MetaQQueue queue = newQueue();
        send(queue, "a", "b");
        Session session = connect().createSession(Session.SESSION_TRANSACTED);
        MessageConsumer first = session.createConsumer(queue);
        receive(first);
        first.close();
        assertThat(drain(queue)).as("a is still held").containsExactly("b#1");
        session.rollback();
        MessageConsumer second = session.createConsumer(queue);
        assertThat(described(second, 1)).containsExactly("a#2R");
        second.close();
        session.commit();
        session.close();
        assertThat(drain(queue)).isEmpty();
    }

    @Test
    @Spec("JMS 3.1 §6.2.7, §8.7")
    void shouldLetAListenerCommitAndRollBack() throws Exception {
        MetaQQueue from = newQueue();
        MetaQQueue to = newQueue();
        send(from, "a", "b", "c");
        Connection connection = connect();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(to);
        List<String> got = new CopyOnWriteArrayList<>();
        session.createConsumer(from)
                .setMessageListener(
                        message -> {
                            try {
                                producer.send(session.createTextMessage("got " + text(message)));
                                got.add(described(message));
                                if (got.size() == 2) {
                                    session.rollback();
                                } else {
                                    session.commit();
                                }
                            } catch (JMSException e) {
                                got.add(e.toString());
                            }
                        });
        await().until(() -> got.size() == 4);
        connection.close();
        assertThat(got).containsExactly("a#1", "b#1", "b#2R", "c#1");
        assertThat(drain(from)).isEmpty();
        assertThat(drain(to)).containsExactly("got a#1", "got b#1", "got c#1");
    }

    @Test
    @Spec("JMS 3.1 Session.commit, rollback, getTransacted")
    void shouldRefuseCommitAndRollbackOutsideOfTransactedSessions() throws Exception {
        Session session = connect().createSession();
        assertThat(session.getTransacted()).isFalse();
        assertThatThrownBy(session::commit).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::rollback).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Spec("JMS 3.1 §6.2.7: one transaction at a time, empty ones too")
    void shouldCommitAndRollBackNothing() throws Exception {
        Session session = connect().createSession(Session.SESSION_TRANSACTED);
        session.commit();
        session.rollback();
        session.commit();
        assertThat(session.getAcknowledgeMode()).isEqualTo(Session.SESSION_TRANSACTED);
    }

    @Test
    @Spec("JMS 3.1 §6.2.7")
    void shouldCommitManySendsAndReceives() throws Exception {
        MetaQQueue queue = newQueue();
        Connection connection = connect();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < 3000; i++) {
            producer.send(session.createTextMessage("m" + i));
        }
        session.commit();
        MessageConsumer consumer = session.createConsumer(queue);
        for (int i = 0; i < 3000; i++) {
            assertThat(text(receive(consumer))).isEqualTo("m" + i);
        }
        session.commit();
        connection.close();
        assertThat(drain(queue)).isEmpty();
    }
}
