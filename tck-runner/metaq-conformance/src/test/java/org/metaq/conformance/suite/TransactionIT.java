package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metaq.conformance.Spec;

/** §6.2.7: local transactions. */
class TransactionIT extends ConformanceTest {
    private Session session;
    private Queue queue;

    @BeforeEach
    void beginATransaction() throws JMSException {
        session = session(Session.SESSION_TRANSACTED);
        queue = newQueue();
    }

    @Test
    @Spec({"6.2.7", "6.2"})
    void shouldSendAtCommit() throws JMSException {
        Queue other = newQueue();
        MessageConsumer consumer = session().createConsumer(queue);
        send(session, queue, "a", "b");
        send(session, other, "c");
        assertThat(consumer.receiveNoWait()).isNull();

        session.commit();

        assertThat(texts(consumer, 2)).containsExactly("a", "b");
        assertThat(drain(other)).containsExactly("c");
    }

    @Test
    @Spec("6.2.7")
    void shouldDestroyAtRollbackWhatWasSent() throws JMSException {
        send(session, queue, "lost");
        session.rollback();
        send(session, queue, "kept");
        session.commit();

        assertThat(drain(queue)).containsExactly("kept");
    }

    @Test
    @Spec({"6.2.7", "6.2.10"})
    void shouldAcknowledgeAtCommit() throws JMSException {
        send(queue, "a", "b");
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(texts(consumer, 2)).containsExactly("a", "b");

        session.commit();
        session.close();

        assertThat(drain(queue)).isEmpty();
    }

    @Test
    @Spec({"6.2.7", "6.2.10", "3.5.11", "3.4.7"})
    void shouldRecoverAtRollbackWhatWasReceived() throws JMSException {
        send(queue, "a", "b", "c");
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(texts(consumer, 1)).containsExactly("a");
        session.commit();
        assertThat(texts(consumer, 1)).containsExactly("b");

        session.rollback();

        assertThat(described(receive(consumer))).isEqualTo("b#2R");
        assertThat(described(receive(consumer))).isEqualTo("c#1");
    }

    @Test
    @Spec("6.2.7")
    void shouldJoinSendsAndReceives() throws JMSException {
        Queue out = newQueue();
        send(queue, "a");
        MessageConsumer consumer = session.createConsumer(queue);
        send(session, out, "for " + text(receive(consumer)));
        session.rollback();
        assertThat(drain(out)).isEmpty();

        send(session, out, "again for " + text(receive(consumer)));
        session.commit();

        session.close();
        assertThat(drain(out)).containsExactly("again for a");
        assertThat(drain(queue)).isEmpty();
    }

    @Test
    @Spec("6.2.7")
    void shouldBeginTheNextTransactionByItself() throws JMSException {
        for (int i = 0; i < 4; i++) {
            send(session, queue, "m" + i);
            if (i % 2 == 0) {
                session.commit();
            } else {
                session.rollback();
            }
        }
        session.commit();
        session.rollback();

        assertThat(drain(queue)).containsExactly("m0", "m2");
    }

    @Test
    @Spec({"6.2.7", "4.2.2"})
    void shouldPublishAtCommit() throws JMSException {
        Topic topic = newTopic();
        MessageConsumer one = session().createConsumer(topic);
        MessageConsumer other = session().createConsumer(topic);
        send(session, topic, "lost");
        session.rollback();
        send(session, topic, "a");
        assertThat(one.receiveNoWait()).isNull();
        session.commit();

        assertThat(texts(one, 1)).containsExactly("a");
        assertThat(texts(other, 1)).containsExactly("a");
    }

    @Test
    @Spec("6.2.7")
    void shouldNotDeliverOwnSendsBeforeTheCommit() throws JMSException {
        MessageConsumer consumer = session.createConsumer(queue);
        send(session, queue, "a");
        assertThat(consumer.receiveNoWait()).isNull();

        session.commit();

        assertThat(texts(consumer, 1)).containsExactly("a");
    }

    @Test
    @Spec("6.2.7")
    void shouldCommitWhatAClosedConsumerAndProducerDid() throws JMSException {
        Queue out = newQueue();
        send(queue, "a", "b");
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(texts(consumer, 1)).containsExactly("a");
        consumer.close();
        send(session, out, "sent");

        session.commit();

        assertThat(drain(out)).containsExactly("sent");
        assertThat(drain(queue)).containsExactly("b");
    }

    @Test
    @Spec({"6.2.7", "6.2.9.2"})
    void shouldKeepOrderWithinATransaction() throws JMSException {
        String[] texts = new String[50];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = "m" + i;
        }
        send(session, queue, texts);
        session.commit();

        assertThat(drain(queue)).containsExactly(texts);
    }

    @Test
    @Spec({"6.2.7", "8.7"})
    void shouldCommitAndRollBackInListeners() throws Exception {
        List<String> received = new CopyOnWriteArrayList<>();
        CountDownLatch three = new CountDownLatch(3);
        session.createConsumer(queue)
                .setMessageListener(
                        message -> {
                            try {
                                received.add(described(message));
                                if (message.getJMSRedelivered() || received.size() > 1) {
                                    session.commit();
                                } else {
                                    session.rollback();
                                }
                            } catch (JMSException e) {
                                throw new AssertionError(e);
                            }
                            three.countDown();
                        });
        send(queue, "a");
        send(queue, "b");

        await(three);

        assertThat(received).containsExactly("a#1", "a#2R", "b#1");
    }

    @Test
    @Spec({"6.2.7", "6.2.10", "10.3"})
    void shouldRefuseCommitAndRollbackElsewhereAndRecoverHere() throws JMSException {
        Session plain = session();

        assertThatThrownBy(plain::commit).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(plain::rollback).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::recover).isInstanceOf(IllegalStateException.class);
        JMSContext context = context();
        assertThatThrownBy(context::commit).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(context::rollback).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> context(JMSContext.SESSION_TRANSACTED).recover())
                .isInstanceOf(IllegalStateRuntimeException.class);
    }

    @Test
    @Spec({"6.2.7", "2.8"})
    void shouldWorkInContexts() {
        JMSContext context = context(JMSContext.SESSION_TRANSACTED);
        context.createProducer().send(queue, "lost");
        context.rollback();
        context.createProducer().send(queue, "a");
        context.commit();
        JMSConsumer consumer = context.createConsumer(queue);
        assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("a");
        context.rollback();
        assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("a");
        context.commit();

        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    @Spec({"6.2.7", "3.6"})
    void shouldIgnoreAcknowledgeInATransaction() throws JMSException {
        send(queue, "a");
        MessageConsumer consumer = session.createConsumer(queue);
        receive(consumer).acknowledge();

        session.rollback();

        assertThat(described(receive(consumer))).isEqualTo("a#2R");
    }
}
