package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.MessageConsumer;
import jakarta.jms.XASession;
import java.util.List;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;

/** Several sessions in a branch, sessions outside of one, and outcomes that are told again. */
class XaSessionsIT extends XaTestBase {
    @Test
    @Spec("X/Open XA xa_start(TMJOIN): sessions of one connection, at the same time")
    void shouldTakeInWhatTwoSessionsOfAConnectionDoAtTheSameTime() throws Exception {
        Xid xid = worked();
        XASession second = connection.createXASession();
        XAResource joining = second.getXAResource();
        joining.start(xid, XAResource.TMJOIN);
        assertThat(texts(second.createConsumer(from), 1)).containsExactly("b");
        resource.end(xid, XAResource.TMSUCCESS);
        assertCode(XAException.XAER_PROTO, () -> resource.prepare(xid));
        send(second, to, "B");
        joining.end(xid, XAResource.TMSUCCESS);
        assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
        resource.commit(xid, false);
        assertThat(drain(to)).containsExactly("A#1", "B#1");
        connection.close();
        assertThat(drain(from)).as("both are acknowledged").isEmpty();
    }

    @Test
    @Spec("X/Open XA xa_start(TMRESUME): another session of the same resource manager")
    void shouldResumeInAnotherSessionAndInAnotherConnection() throws Exception {
        XASession sibling = connection.createXASession();
        XASession remote = connectXa().createXASession();
        for (XASession second : List.of(sibling, remote)) {
            from = newQueue();
            Xid xid = worked();
            resource.end(xid, XAResource.TMSUSPEND);
            XAResource resuming = second.getXAResource();
            resuming.start(xid, XAResource.TMRESUME);
            send(second, to, "B");
            assertCode(XAException.XAER_PROTO, () -> resource.start(xid, XAResource.TMRESUME));
            assertCode(XAException.XAER_PROTO, () -> resource.end(xid, XAResource.TMSUCCESS));
            resuming.end(xid, XAResource.TMSUCCESS);
            resource.commit(xid, true);
            assertThat(drain(to)).containsExactly("A#1", "B#1");
        }
    }

    @Test
    @Spec("X/Open XA xa_start(TMRESUME): once more while it is active; stays committable")
    void shouldRefuseASecondResumeAndGoOn() throws Exception {
        Xid xid = worked();
        resource.end(xid, XAResource.TMSUSPEND);
        resource.start(xid, XAResource.TMRESUME);
        assertCode(XAException.XAER_PROTO, () -> resource.start(xid, XAResource.TMRESUME));
        send(session, to, "B");
        resource.end(xid, XAResource.TMSUCCESS);
        assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
        resource.commit(xid, false);
        assertThat(drain(to)).containsExactly("A#1", "B#1");
    }

    @Test
    @Spec("X/Open XA xa_rollback: by another thread, while three sessions work in the branch")
    void shouldGiveBackWhatEachSessionReceivedInABranchThatWasRolledBackMeanwhile()
            throws Exception {
        send(from, "a", "b", "c");
        XASession sibling = connection.createXASession();
        XASession remote = connectXa().createXASession();
        Xid xid = Xids.next();
        int mode = XAResource.TMNOFLAGS;
        for (XASession each : List.of(session, sibling, remote)) {
            each.getXAResource().start(xid, mode);
            MessageConsumer consumer = each.createConsumer(from);
            receive(consumer);
            consumer.close();
            mode = XAResource.TMJOIN;
        }
        connectXa().createXASession().getXAResource().rollback(xid);
        for (XASession each : List.of(session, sibling, remote)) {
            each.getXAResource().end(xid, XAResource.TMSUCCESS);
        }
        assertCode(XAException.XAER_NOTA, () -> resource.prepare(xid));
        assertThat(drain(from, 3)).as("while all are open").hasSize(3);
    }

    @Test
    @Spec("JMS 3.1 §6.2.8: sessions that come and go within a branch")
    void shouldCommitWhatSessionsDidThatWereClosedWithinTheBranch() throws Exception {
        send(from, "a", "b");
        Xid xid = Xids.next();
        int mode = XAResource.TMNOFLAGS;
        for (String text : List.of("A", "B")) {
            XASession each = connection.createXASession();
            each.getXAResource().start(xid, mode);
            receive(each.createConsumer(from));
            send(each, to, text);
            each.close();
            each.getXAResource().end(xid, XAResource.TMSUCCESS);
            mode = XAResource.TMJOIN;
        }
        resource.commit(xid, true);
        assertThat(drain(to)).containsExactly("A#1", "B#1");
        connection.close();
        assertThat(drain(from)).isEmpty();
    }

    @Test
    @Spec("docs/xa.md: work outside of a branch is as with AUTO_ACKNOWLEDGE")
    void shouldSendAndReceiveAtOnceOutsideOfABranch() throws Exception {
        send(from, "a", "b");
        MessageConsumer consumer = session.createConsumer(from);
        assertThat(text(receive(consumer))).isEqualTo("a");
        send(session, to, "A");
        assertThat(drain(to)).as("sent at once").containsExactly("A#1");
        connection.close();
        assertThat(drain(from)).as("acknowledged at once, nothing locked").containsExactly("b#1");
        assertThat(isInDoubt(Xids.next())).isFalse();
    }

    @Test
    @Spec("X/Open XA: ended and not prepared, and the connection is closed")
    void shouldSayThatABranchIsRolledBackWhoseConnectionWasClosed() throws Exception {
        Xid xid = worked();
        resource.end(xid, XAResource.TMSUCCESS);
        connection.close();
        assertThat(drain(from, 2)).containsExactly("a#2R", "b#1");
        assertCode(XAException.XA_RBROLLBACK, () -> resource.commit(xid, false));
        assertCode(XAException.XA_RBROLLBACK, () -> resource.commit(xid, true));
        resource.rollback(xid);
        assertThat(drain(to)).isEmpty();
    }

    @Test
    @Spec("X/Open XA: a late commit after a rollback, a late rollback after a commit")
    void shouldKeepAnOutcomeWhateverComesLater() throws Exception {
        Xid rolledBack = worked();
        resource.end(rolledBack, XAResource.TMSUCCESS);
        resource.prepare(rolledBack);
        resource.rollback(rolledBack);
        assertThat(drain(from)).containsExactly("a#2R", "b#1");
        Xid committed = worked();
        resource.end(committed, XAResource.TMSUCCESS);
        resource.prepare(committed);
        resource.commit(committed, false);
        XAResource late = connectXa().createXASession().getXAResource();
        assertCode(XAException.XA_RBROLLBACK, () -> late.commit(rolledBack, false));
        assertCode(XAException.XA_RBROLLBACK, () -> late.commit(rolledBack, true));
        assertCode(XAException.XAER_NOTA, () -> late.rollback(committed));
        late.commit(committed, false);
        late.rollback(rolledBack);
        assertThat(drain(to)).as("that of the committed one, once").containsExactly("A#1");
        assertThat(drain(from)).containsExactly("b#1");
    }
}
