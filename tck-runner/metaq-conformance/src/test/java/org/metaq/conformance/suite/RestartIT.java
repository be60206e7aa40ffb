package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.metaq.conformance.Feature;
import org.metaq.conformance.Requires;
import org.metaq.conformance.Spec;

/** §9.1, §7.7, §6.1.7: what a restart of the broker leaves. While it runs, no other test does. */
@Isolated
@Requires(Feature.RESTART)
class RestartIT extends ConformanceTest {
    @Test
    @Spec({"9.1", "7.7", "4.1.8"})
    void shouldKeepPersistentMessagesOfQueues() throws JMSException {
        Queue queue = newQueue();
        send(queue, "a", "b");

        provider().restartBroker();

        assertThat(drain(queue)).containsExactly("a", "b");
    }

    @Test
    @Spec({"9.1", "7.7"})
    void shouldNotDeliverOtherMessagesTwice() throws JMSException {
        Queue queue = newQueue();
        Session session = session();
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        producer.send(session.createTextMessage("a"));
        producer.send(session.createTextMessage("b"));

        provider().restartBroker();

        List<String> left = drain(queue);
        assertThat(left).isSubsetOf("a", "b").doesNotHaveDuplicates();
        assertThat(drain(queue)).isEmpty();
    }

    @Test
    @Spec({"9.1", "4.2.11", "8.3.3", "8.3.4"})
    void shouldKeepDurableSubscriptionsAndTheirMessages() throws JMSException {
        Topic topic = newTopic();
        String clientId = newName();
        String shared = newName();
        Connection connection = connect(clientId);
        connection.createSession().createDurableConsumer(topic, "sub").close();
        session().createSharedDurableConsumer(topic, shared).close();
        send(topic, "before");
        connection.close();

        provider().restartBroker();

        send(topic, "after");
        Session again = connect(clientId).createSession();
        assertThat(texts(again.createDurableConsumer(topic, "sub"), 2))
                .containsExactly("before", "after");
        assertThat(texts(session().createSharedDurableConsumer(topic, shared), 2))
                .containsExactly("before", "after");
    }

    @Test
    @Spec({"9.1", "6.2.11"})
    void shouldNotDeliverAgainWhatWasAcknowledged() throws JMSException {
        Queue queue = newQueue();
        send(queue, "a", "b");
        Connection connection = connect();
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        receive(session.createConsumer(queue)).acknowledge();
        connection.close();

        provider().restartBroker();

        assertThat(drain(queue)).containsExactly("b");
    }

    @Test
    @Spec({"9.1", "3.4.7", "3.5.11", "6.2.11"})
    void shouldFlagWhatWasNotAcknowledged() throws JMSException {
        Queue queue = newQueue();
        send(queue, "a");
        MessageConsumer consumer = session(Session.CLIENT_ACKNOWLEDGE).createConsumer(queue);
        assertThat(described(receive(consumer))).isEqualTo("a#1");

        provider().restartBroker();

        Message again = receive(session().createConsumer(queue));
        assertThat(text(again)).isEqualTo("a");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isGreaterThanOrEqualTo(2);
    }

    @Test
    @Spec({"9.1", "6.2.7"})
    void shouldForgetWhatWasNotCommitted() throws JMSException {
        Queue in = newQueue();
        Queue out = newQueue();
        send(in, "in");
        Session transacted = session(Session.SESSION_TRANSACTED);
        assertThat(texts(transacted.createConsumer(in), 1)).containsExactly("in");
        send(transacted, out, "out");

        provider().restartBroker();

        assertThat(drain(out)).isEmpty();
        assertThat(drain(in)).containsExactly("in");
    }

    @Test
    @Spec({"9.1", "7.9", "3.4.13"})
    void shouldKeepTheDelayOfMessages() throws JMSException {
        Queue queue = newQueue();
        Session session = session();
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryDelay(3_600_000);
        producer.send(session.createTextMessage("in an hour"));
        producer.setDeliveryDelay(500);
        Message soon = session.createTextMessage("soon");
        producer.send(soon);

        provider().restartBroker();

        MessageConsumer consumer = session().createConsumer(queue);
        assertThat(text(receive(consumer))).isEqualTo("soon");
        assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(soon.getJMSDeliveryTime());
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    @Spec({"6.1.7", "10.2"})
    void shouldTellTheExceptionListenerOfALostConnection() throws Exception {
        Connection connection = connect();
        CompletableFuture<JMSException> told = new CompletableFuture<>();
        connection.setExceptionListener(told::complete);
        connection.createSession().createConsumer(newQueue());

        provider().restartBroker();

        assertThat(await(told).getMessage()).isNotBlank();
    }

    @Test
    @Requires({Feature.RESTART, Feature.XA})
    @Spec({"11.3.5", "9.1"})
    void shouldKeepPreparedBranches() throws Exception {
        Queue queue = newQueue();
        Xid xid = Xids.next();
        XAConnection connection =
                closedLater(provider().xaConnectionFactory().createXAConnection());
        XASession session = connection.createXASession();
        XAResource resource = session.getXAResource();
        resource.start(xid, XAResource.TMNOFLAGS);
        send(session, queue, "a");
        resource.end(xid, XAResource.TMSUCCESS);
        assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);

        provider().restartBroker();

        XAConnection later = closedLater(provider().xaConnectionFactory().createXAConnection());
        XAResource recovering = later.createXASession().getXAResource();
        assertThat(recovering.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN))
                .anyMatch(found -> Xids.isSame(found, xid));
        assertThat(drain(queue)).isEmpty();
        recovering.commit(xid, false);
        assertThat(drain(queue)).containsExactly("a");
    }
}
