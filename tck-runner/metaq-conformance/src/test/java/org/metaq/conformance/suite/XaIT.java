package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicSession;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionInProgressRuntimeException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueConnectionFactory;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XASession;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicConnectionFactory;
import jakarta.jms.XATopicSession;
import java.util.Arrays;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metaq.conformance.Feature;
import org.metaq.conformance.ProviderUnderTest.Credentials;
import org.metaq.conformance.Requires;
import org.metaq.conformance.Spec;

/** §6.2.8, §11.3, §11.4: distributed transactions; the test is the transaction manager. */
@Requires(Feature.XA)
class XaIT extends ConformanceTest {
    private XAConnection connection;
    private XASession session;
    private XAResource resource;
    private Queue queue;

    @BeforeEach
    void connectToAQueue() throws JMSException {
        connection = closedLater(provider().xaConnectionFactory().createXAConnection());
        connection.start();
        session = connection.createXASession();
        resource = session.getXAResource();
        queue = newQueue();
    }

    private Xid begin() throws XAException {
        Xid xid = Xids.next();
        resource.start(xid, XAResource.TMNOFLAGS);
        return xid;
    }

    private void prepare(Xid xid) throws XAException {
        resource.end(xid, XAResource.TMSUCCESS);
        assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
    }

    private static void shouldFail(ThrowingCallable call, int... codes) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        XAException.class, e -> assertThat(codes).contains(e.errorCode));
    }

    private boolean isRecovered(Xid xid) throws XAException {
        return Arrays.stream(resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN))
                .anyMatch(found -> Xids.isSame(found, xid));
    }

    @Test
    @Spec({"11.3", "11.3.5", "6.2.8"})
    void shouldCommitInTwoPhases() throws Exception {
        Queue in = newQueue();
        send(in, "in");
        Xid xid = begin();
        send(session, queue, "out for " + texts(session.createConsumer(in), 1).get(0));
        prepare(xid);
        assertThat(drain(queue)).isEmpty();

        resource.commit(xid, false);

        connection.close();
        assertThat(drain(queue)).containsExactly("out for in");
        assertThat(drain(in)).isEmpty();
    }

    @Test
    @Spec({"11.3", "11.3.5"})
    void shouldRollBackWhatIsPrepared() throws Exception {
        Queue in = newQueue();
        send(in, "in");
        Xid xid = begin();
        assertThat(texts(session.createConsumer(in), 1)).containsExactly("in");
        send(session, queue, "out");
        prepare(xid);

        resource.rollback(xid);

        connection.close();
        assertThat(drain(queue)).isEmpty();
        assertThat(drain(in)).containsExactly("in");
    }

    @Test
    @Spec("11.3.5")
    void shouldRollBackWhatIsNotPrepared() throws Exception {
        Xid xid = begin();
        send(session, queue, "lost");
        resource.end(xid, XAResource.TMSUCCESS);

        resource.rollback(xid);

        assertThat(drain(queue)).isEmpty();
    }

    @Test
    @Spec("11.3.5")
    void shouldCommitInOnePhase() throws Exception {
        Xid xid = begin();
        send(session, queue, "a");
        resource.end(xid, XAResource.TMSUCCESS);

        resource.commit(xid, true);

        assertThat(drain(queue)).containsExactly("a");
    }

    @Test
    @Spec("11.3.5")
    void shouldVoteForAnEmptyBranch() throws Exception {
        Xid xid = begin();
        resource.end(xid, XAResource.TMSUCCESS);
        if (resource.prepare(xid) == XAResource.XA_OK) {
            resource.commit(xid, false);
        }

        shouldFail(() -> resource.commit(xid, false), XAException.XAER_NOTA);
    }

    @Test
    @Spec("11.3.5")
    void shouldSuspendAndResume() throws Exception {
        Xid xid = begin();
        send(session, queue, "first");
        resource.end(xid, XAResource.TMSUSPEND);
        Xid other = begin();
        send(session, queue, "of the other");
        resource.end(other, XAResource.TMSUCCESS);
        resource.start(xid, XAResource.TMRESUME);
        send(session, queue, "second");
        resource.end(xid, XAResource.TMSUCCESS);

        resource.rollback(other);
        resource.commit(xid, true);

        assertThat(drain(queue)).containsExactly("first", "second");
    }

    @Test
    @Spec("11.3.5")
    void shouldInterleaveBranches() throws Exception {
        Xid one = begin();
        send(session, queue, "one");
        resource.end(one, XAResource.TMSUCCESS);
        Xid other = begin();
        send(session, queue, "other");
        resource.end(other, XAResource.TMSUCCESS);
        assertThat(resource.prepare(one)).isEqualTo(XAResource.XA_OK);
        resource.commit(other, true);
        assertThat(drain(queue)).containsExactly("other");
        resource.commit(one, false);

        assertThat(drain(queue)).containsExactly("one");
    }

    @Test
    @Spec("11.3.5")
    void shouldJoinABranchFromAnotherSession() throws Exception {
        XASession second = connection.createXASession();
        assertThat(resource.isSameRM(second.getXAResource())).isTrue();
        Xid xid = begin();
        send(session, queue, "one");
        resource.end(xid, XAResource.TMSUCCESS);
        second.getXAResource().start(xid, XAResource.TMJOIN);
        send(second, queue, "two");
        second.getXAResource().end(xid, XAResource.TMSUCCESS);

        assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
        resource.commit(xid, false);

        assertThat(drain(queue)).containsExactlyInAnyOrder("one", "two");
    }

    @Test
    @Spec("11.3.5")
    void shouldTellBranchesOfOneTransactionApart() throws Exception {
        Xid one = begin();
        send(session, queue, "one");
        resource.end(one, XAResource.TMSUCCESS);
        Xid sibling = Xids.sibling(one);
        resource.start(sibling, XAResource.TMNOFLAGS);
        send(session, queue, "sibling");
        resource.end(sibling, XAResource.TMSUCCESS);

        resource.commit(one, true);
        resource.rollback(sibling);

        assertThat(drain(queue)).containsExactly("one");
    }

    @Test
    @Spec("11.3.5")
    void shouldRecoverPreparedBranchesOnly() throws Exception {
        Xid active = begin();
        send(session, queue, "active");
        resource.end(active, XAResource.TMSUCCESS);
        Xid prepared = begin();
        send(session, queue, "prepared");
        prepare(prepared);

        assertThat(isRecovered(prepared)).isTrue();
        assertThat(isRecovered(active)).isFalse();
        resource.commit(prepared, false);
        assertThat(isRecovered(prepared)).isFalse();
        resource.rollback(active);
    }

    @Test
    @Spec("11.3.5")
    void shouldSettleAPreparedBranchFromAnotherConnection() throws Exception {
        Xid xid = begin();
        send(session, queue, "a");
        prepare(xid);
        connection.close();

        XAConnection later = closedLater(provider().xaConnectionFactory().createXAConnection());
        later.createXASession().getXAResource().commit(xid, false);

        assertThat(drain(queue)).containsExactly("a");
    }

    /** Whether it is forgotten at once or when the transaction manager says so. */
    @Test
    @Spec({"11.3.5", "6.1.8"})
    void shouldRollBackAnUnpreparedBranchAfterItsConnectionClosed() throws Exception {
        Queue in = newQueue();
        send(in, "in");
        Xid xid = begin();
        assertThat(texts(session.createConsumer(in), 1)).containsExactly("in");
        send(session, queue, "out");
        connection.close();

        XAConnection later = closedLater(provider().xaConnectionFactory().createXAConnection());
        try {
            later.createXASession().getXAResource().rollback(xid);
        } catch (XAException e) {
            assertThat(e.errorCode).isEqualTo(XAException.XAER_NOTA);
        }

        assertThat(drain(queue)).isEmpty();
        assertThat(texts(session().createConsumer(in), 1)).containsExactly("in");
    }

    @Test
    @Spec("11.3.5")
    void shouldRefuseWhatDoesNotFitTheState() throws Exception {
        Xid unknown = Xids.next();
        shouldFail(() -> resource.commit(unknown, false), XAException.XAER_NOTA);
        shouldFail(() -> resource.rollback(unknown), XAException.XAER_NOTA);
        shouldFail(() -> resource.prepare(unknown), XAException.XAER_NOTA);
        shouldFail(
                () -> resource.end(unknown, XAResource.TMSUCCESS),
                XAException.XAER_NOTA,
                XAException.XAER_PROTO);
        shouldFail(
                () -> resource.start(unknown, XAResource.TMRESUME),
                XAException.XAER_NOTA,
                XAException.XAER_PROTO);
        Xid xid = begin();
        shouldFail(() -> resource.start(Xids.next(), XAResource.TMNOFLAGS), XAException.XAER_PROTO);
        resource.end(xid, XAResource.TMSUCCESS);
        shouldFail(
                () -> resource.start(xid, XAResource.TMNOFLAGS),
                XAException.XAER_DUPID,
                XAException.XAER_PROTO);
        resource.rollback(xid);
    }

    @Test
    @Spec("11.3.5")
    void shouldRollBackABranchThatFailed() throws Exception {
        Xid xid = begin();
        send(session, queue, "a");
        resource.end(xid, XAResource.TMFAIL);

        try {
            resource.rollback(xid);
        } catch (XAException e) {
            assertThat(e.errorCode).isBetween(XAException.XA_RBBASE, XAException.XA_RBEND);
        }
        assertThat(drain(queue)).isEmpty();
    }

    @Test
    @Spec("11.3.5")
    void shouldHaveATimeout() throws Exception {
        int before = resource.getTransactionTimeout();
        if (resource.setTransactionTimeout(before + 10)) {
            assertThat(resource.getTransactionTimeout()).isEqualTo(before + 10);
        } else {
            assertThat(resource.getTransactionTimeout()).isEqualTo(before);
        }
    }

    @Test
    @Spec({"6.2.8", "6.2.7", "10.3"})
    void shouldRefuseTheSessionsOwnDemarcation() throws Exception {
        Xid xid = begin();

        assertThatThrownBy(() -> session.commit())
                .isInstanceOf(TransactionInProgressException.class);
        assertThatThrownBy(() -> session.rollback())
                .isInstanceOf(TransactionInProgressException.class);
        resource.end(xid, XAResource.TMSUCCESS);
        resource.rollback(xid);
    }

    @Test
    @Spec({"11.3.1", "11.3.2", "11.3.3"})
    void shouldGiveASessionThatLooksNormal() throws Exception {
        Session plain = session.getSession();
        assertThat(session.getTransacted()).isTrue();
        Xid xid = begin();
        send(plain, queue, "a");
        prepare(xid);
        resource.commit(xid, false);
        assertThat(drain(queue)).containsExactly("a");

        Session ordinary = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        send(ordinary, queue, "b");
        assertThat(texts(ordinary.createConsumer(queue), 1)).containsExactly("b");
    }

    @Test
    @Spec({"11.3.1", "6.1.1"})
    void shouldTakeUserAndPassword() throws JMSException {
        XAConnectionFactory factory = provider().xaConnectionFactory();
        Credentials good = provider().acceptedCredentials();
        try (XAConnection own = factory.createXAConnection(good.user(), good.password());
                XAJMSContext context = factory.createXAContext(good.user(), good.password())) {
            assertThat(own.createXASession().getXAResource()).isNotNull();
            assertThat(context.getXAResource()).isNotNull();
        }
    }

    @Test
    @Requires(Feature.AUTHENTICATION)
    @Spec({"11.3.1", "10.3"})
    void shouldRefuseAWrongPassword() {
        XAConnectionFactory factory = provider().xaConnectionFactory();
        Credentials bad = provider().rejectedCredentials();

        assertThatThrownBy(() -> factory.createXAConnection(bad.user(), bad.password()))
                .isInstanceOf(JMSSecurityException.class);
    }

    @Test
    @Spec({"11.3.4", "11.3.1", "6.2.8"})
    void shouldWorkInContexts() throws Exception {
        XAJMSContext context = closedLater(provider().xaConnectionFactory().createXAContext());
        JMSContext plain = context.getContext();
        XAResource own = context.getXAResource();
        Xid xid = Xids.next();
        own.start(xid, XAResource.TMNOFLAGS);
        plain.createProducer().send(queue, "a");
        assertThat(context.getTransacted()).isTrue();
        assertThatThrownBy(context::commit)
                .isInstanceOf(TransactionInProgressRuntimeException.class);
        own.end(xid, XAResource.TMSUCCESS);
        own.commit(xid, true);

        assertThat(drain(queue)).containsExactly("a");
    }

    @Test
    @Spec({"11.4", "11.3.1", "11.3.2", "11.3.3"})
    void shouldWorkInTheQueueApi() throws Exception {
        if (!(provider().xaConnectionFactory() instanceof XAQueueConnectionFactory factory)) {
            throw new AssertionError("no XAQueueConnectionFactory");
        }
        XAQueueConnection queues = closedLater(factory.createXAQueueConnection());
        XAQueueSession xa = queues.createXAQueueSession();
        QueueSession plain = xa.getQueueSession();
        Xid xid = Xids.next();
        xa.getXAResource().start(xid, XAResource.TMNOFLAGS);
        plain.createSender(queue).send(plain.createTextMessage("a"));
        xa.getXAResource().end(xid, XAResource.TMSUCCESS);
        xa.getXAResource().commit(xid, true);

        assertThat(drain(queue)).containsExactly("a");
    }

    @Test
    @Spec({"11.4", "11.3.1", "11.3.2", "11.3.3"})
    void shouldWorkInTheTopicApi() throws Exception {
        if (!(provider().xaConnectionFactory() instanceof XATopicConnectionFactory factory)) {
            throw new AssertionError("no XATopicConnectionFactory");
        }
        Topic topic = newTopic();
        MessageConsumer consumer = session().createConsumer(topic);
        XATopicConnection topics = closedLater(factory.createXATopicConnection());
        XATopicSession xa = topics.createXATopicSession();
        TopicSession plain = xa.getTopicSession();
        Xid xid = Xids.next();
        xa.getXAResource().start(xid, XAResource.TMNOFLAGS);
        plain.createPublisher(topic).publish(plain.createTextMessage("a"));
        xa.getXAResource().end(xid, XAResource.TMSUCCESS);
        assertThat(consumer.receiveNoWait()).isNull();
        xa.getXAResource().commit(xid, true);

        assertThat(texts(consumer, 1)).containsExactly("a");
    }
}
