package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XASession;
import java.time.Duration;
import java.util.List;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;

/** Distributed transactions, the test in the role of the transaction manager. */
class XaIT extends XaTestBase {
    /** The same, and the broker has rolled it back since. */
    private Xid workedTooLong() throws Exception {
        resource.setTransactionTimeout(1);
        Xid xid = worked();
        XAResource observer = connectXa().createXASession().getXAResource();
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(
                        () ->
                                assertCode(
                                        XAException.XA_RBTIMEOUT,
                                        () -> observer.start(xid, XAResource.TMRESUME)));
        return xid;
    }

    @Test
    @Spec("X/Open XA xa_prepare, xa_commit; JMS 3.1 §6.2.8")
    void shouldCommitSendsAndReceivesInTwoPhases() throws Exception {
        Xid xid = worked();
        resource.end(xid, XAResource.TMSUCCESS);
        assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
        assertThat(isInDoubt(xid)).isTrue();
        assertThat(drain(to)).as("prepared is not committed").isEmpty();
        resource.commit(xid, false);
        assertThat(isInDoubt(xid)).isFalse();
        assertThat(drain(to)).containsExactly("A#1");
        connection.close();
        assertThat(drain(from)).containsExactly("b#1");
    }

    @Test
    @Spec("X/Open XA xa_commit(TMONEPHASE)")
    void shouldCommitInOnePhase() throws Exception {
        Xid xid = worked();
        resource.end(xid, XAResource.TMSUCCESS);
        resource.commit(xid, true);
        resource.commit(xid, true);
        assertThat(drain(to)).as("also when repeated").containsExactly("A#1");
        connection.close();
        assertThat(drain(from)).containsExactly("b#1");
    }

    @Test
    @Spec("X/Open XA xa_rollback; JMS 3.1 §3.5.11")
    void shouldRollBackBeforeAndAfterPrepare() throws Exception {
        for (boolean isPrepared : new boolean[] {false, true}) {
            from = newQueue();
            Xid xid = worked();
            resource.end(xid, XAResource.TMSUCCESS);
            if (isPrepared) {
                resource.prepare(xid);
            }
            resource.rollback(xid);
            assertThat(isInDoubt(xid)).isFalse();
            assertThat(drain(from)).containsExactly("a#2R", "b#1");
            assertThat(drain(to)).isEmpty();
        }
    }

    @Test
    @Spec("design: a rollback brings its messages back first, for the session's consumers too")
    void shouldRedeliverInOrderToTheSameConsumerAfterARollback() throws Exception {
        send(from, "a", "b", "c", "d");
        MessageConsumer consumer = session.createConsumer(from);
        for (int round = 1; round <= 3; round++) {
            Xid xid = Xids.next();
            resource.start(xid, XAResource.TMNOFLAGS);
            String count = round == 1 ? "#1" : "#" + round + "R";
            assertThat(described(consumer, 2)).containsExactly("a" + count, "b" + count);
            resource.end(xid, XAResource.TMSUCCESS);
            if (round == 2) {
                resource.prepare(xid);
            }
            resource.rollback(xid);
        }
        Xid xid = Xids.next();
        resource.start(xid, XAResource.TMNOFLAGS);
        assertThat(texts(consumer, 4)).containsExactly("a", "b", "c", "d");
        resource.end(xid, XAResource.TMSUCCESS);
        resource.commit(xid, true);
        connection.close();
        assertThat(drain(from)).isEmpty();
    }

    @Test
    @Spec("X/Open XA xa_end(TMSUSPEND), xa_start(TMRESUME)")
    void shouldSuspendAndResume() throws Exception {
        Xid xid = worked();
        resource.end(xid, XAResource.TMSUSPEND);
        send(session, to, "outside of the branch");
        assertThat(drain(to)).containsExactly("outside of the branch#1");
        Xid other = Xids.next();
        resource.start(other, XAResource.TMNOFLAGS);
        send(session, to, "other branch");
        resource.end(other, XAResource.TMSUCCESS);
        resource.commit(other, true);
        assertThat(drain(to)).containsExactly("other branch#1");
        assertCode(XAException.XAER_PROTO, () -> resource.prepare(xid));
        resource.start(xid, XAResource.TMRESUME);
        send(session, to, "B");
        resource.end(xid, XAResource.TMSUCCESS);
        resource.commit(xid, true);
        assertThat(drain(to)).containsExactly("A#1", "B#1");
    }

    @Test
    @Spec("X/Open XA xa_end: TMSUCCESS also ends a suspended association")
    void shouldEndASuspendedBranch() throws Exception {
        Xid xid = worked();
        resource.end(xid, XAResource.TMSUSPEND);
        resource.end(xid, XAResource.TMSUCCESS);
        assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
        resource.commit(xid, false);
        assertThat(drain(to)).containsExactly("A#1");
    }

    @Test
    @Spec("X/Open XA xa_start(TMJOIN)")
    void shouldJoinABranchOnASecondSession() throws Exception {
        Xid xid = worked();
        XASession second = connection.createXASession();
        XAResource joining = second.getXAResource();
        resource.end(xid, XAResource.TMSUCCESS);
        assertThat(joining.isSameRM(resource)).isTrue();
        joining.start(xid, XAResource.TMJOIN);
        assertThat(texts(second.createConsumer(from), 1)).containsExactly("b");
        send(second, to, "B");
        joining.end(xid, XAResource.TMSUCCESS);
        assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
        joining.commit(xid, false);
        assertThat(drain(to)).containsExactly("A#1", "B#1");
        connection.close();
        assertThat(drain(from)).isEmpty();
    }

    @Test
    @Spec("X/Open XA xa_start(TMJOIN), from another connection")
    void shouldJoinABranchOnASecondConnection() throws Exception {
        Xid xid = worked();
        XAConnection other = connectXa();
        XASession second = other.createXASession();
        XAResource joining = second.getXAResource();
        joining.start(xid, XAResource.TMJOIN);
        send(second, to, "B");
        joining.end(xid, XAResource.TMSUCCESS);
        assertCode(XAException.XAER_PROTO, () -> joining.prepare(xid));
        resource.end(xid, XAResource.TMSUCCESS);
        assertThat(joining.prepare(xid)).isEqualTo(XAResource.XA_OK);
        other.close();
        resource.commit(xid, false);
        assertThat(drain(to)).containsExactly("A#1", "B#1");
    }

    @Test
    @Spec("X/Open XA xa_prepare, xa_rollback: by whatever resource, behind the ends of all")
    void shouldDecideOverOneConnectionBehindTheEndOverAnother() throws Exception {
        XASession second = connectXa().createXASession();
        XAResource deciding = second.getXAResource();
        for (int round = 0; round < 100; round++) {
            Xid xid = Xids.next();
            resource.start(xid, XAResource.TMNOFLAGS);
            send(session, to, "A" + round);
            deciding.start(xid, XAResource.TMJOIN);
            deciding.end(xid, XAResource.TMSUCCESS);
            resource.end(xid, XAResource.TMSUCCESS);
            if (round % 2 == 0) {
                deciding.rollback(xid);
            } else {
                assertThat(deciding.prepare(xid)).isEqualTo(XAResource.XA_OK);
                deciding.commit(xid, false);
            }
        }
        assertThat(drain(to)).hasSize(50).startsWith("A1#1", "A3#1").endsWith("A99#1");
    }

    @Test
    @Spec("X/Open XA xa_commit(TMONEPHASE): XA_RB* for what xa_end did not wait for")
    void shouldTellInTheCommitThatTheBranchRanOutBeforeItsEnd() throws Exception {
        Xid xid = workedTooLong();
        resource.end(xid, XAResource.TMSUCCESS);
        assertCode(XAException.XA_RBTIMEOUT, () -> resource.commit(xid, true));
        assertThat(drain(from, 2)).containsExactly("a#2R", "b#1");
        assertThat(drain(to)).isEmpty();
    }

    @Test
    @Spec("X/Open XA xa_end(TMFAIL)")
    void shouldOnlyRollBackWhatWasEndedAsFailed() throws Exception {
        Xid xid = worked();
        resource.end(xid, XAResource.TMFAIL);
        assertCode(XAException.XA_RBROLLBACK, () -> resource.prepare(xid));
        assertThat(drain(from)).containsExactly("a#2R", "b#1");
        assertThat(drain(to)).isEmpty();
        resource.rollback(xid);
    }

    @Test
    @Spec("X/Open XA: a branch may be rolled back while its resource works in another")
    void shouldKeepWhatTheCurrentBranchReceivedWhenAnotherIsRolledBack() throws Exception {
        Xid first = worked();
        resource.end(first, XAResource.TMSUCCESS);
        Xid second = Xids.next();
        resource.start(second, XAResource.TMNOFLAGS);
        MessageConsumer consumer = session.createConsumer(from);
        assertThat(texts(consumer, 1)).containsExactly("b");
        resource.rollback(first);
        resource.end(second, XAResource.TMSUCCESS);
        resource.commit(second, true);
        connection.close();
        assertThat(drain(from)).containsExactly("a#2R");
    }

    @Test
    @Spec("X/Open XA xa_rollback: by another thread while the work goes on")
    void shouldGiveBackWhatIsReceivedInABranchThatWasRolledBackMeanwhile() throws Exception {
        Xid xid = worked();
        XAResource manager = connectXa().createXASession().getXAResource();
        manager.rollback(xid);
        MessageConsumer consumer = session.createConsumer(from);
        assertThat(texts(consumer, 1)).containsExactly("b");
        send(session, to, "B");
        // it does not wait for the broker, which refuses it
        resource.end(xid, XAResource.TMSUCCESS);
        Xid next = Xids.next();
        resource.start(next, XAResource.TMNOFLAGS);
        assertThat(texts(consumer, 2)).containsExactly("a", "b");
        resource.end(next, XAResource.TMSUCCESS);
        resource.commit(next, true);
        connection.close();
        assertThat(drain(from)).isEmpty();
        assertThat(drain(to)).isEmpty();
    }

    @Test
    @Spec("X/Open XA xa_prepare: XA_RDONLY")
    void shouldVoteReadOnlyForABranchThatDidNothing() throws Exception {
        Xid xid = Xids.next();
        resource.start(xid, XAResource.TMNOFLAGS);
        resource.end(xid, XAResource.TMSUCCESS);
        assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_RDONLY);
        assertCode(XAException.XAER_NOTA, () -> resource.commit(xid, false));
    }

    @Test
    @Spec("X/Open XA: what a prepared branch acknowledged stays locked, whoever closes")
    void shouldKeepPreparedMessagesLockedAndFinishFromAnotherConnection() throws Exception {
        Xid xid = worked();
        resource.end(xid, XAResource.TMSUCCESS);
        resource.prepare(xid);
        connection.close();
        assertThat(drain(from)).as("a is locked").containsExactly("b#1");
        assertThat(drain(to)).isEmpty();
        assertThat(isInDoubt(xid)).as("over a connection of the resource's own").isTrue();
        XAResource other = connectXa().createXASession().getXAResource();
        other.commit(xid, false);
        assertThat(drain(to)).containsExactly("A#1");
        assertThat(drain(from)).isEmpty();
        assertThat(isInDoubt(xid)).isFalse();
    }

    @Test
    @Spec("X/Open XA: an unprepared branch ends with its connection")
    void shouldRollBackAnUnpreparedBranchWhenItsConnectionCloses() throws Exception {
        Xid xid = worked();
        connection.close();
        assertThat(drain(from, 2)).containsExactly("a#2R", "b#1");
        assertThat(drain(to)).isEmpty();
        XAResource other = connectXa().createXASession().getXAResource();
        assertCode(XAException.XA_RBROLLBACK, () -> other.prepare(xid));
    }

    @Test
    @Spec("X/Open XA: XAER_NOTA, XAER_PROTO, XAER_DUPID, XAER_INVAL")
    void shouldNameEachMisuse() throws Exception {
        Xid unknown = Xids.next();
        assertCode(XAException.XAER_NOTA, () -> resource.end(unknown, XAResource.TMSUCCESS));
        assertCode(XAException.XAER_NOTA, () -> resource.prepare(unknown));
        assertCode(XAException.XAER_NOTA, () -> resource.commit(unknown, false));
        // nobody else has a word about it: see docs/xa.md
        assertCode(XAException.XA_RBROLLBACK, () -> resource.commit(unknown, true));
        assertCode(XAException.XAER_NOTA, () -> resource.rollback(unknown));
        assertCode(XAException.XAER_NOTA, () -> resource.forget(unknown));
        assertCode(XAException.XAER_NOTA, () -> resource.start(unknown, XAResource.TMJOIN));
        assertCode(XAException.XAER_NOTA, () -> resource.start(unknown, XAResource.TMRESUME));
        assertCode(XAException.XAER_INVAL, () -> resource.start(unknown, XAResource.TMFAIL));
        assertCode(XAException.XAER_INVAL, () -> resource.end(unknown, XAResource.TMJOIN));
        assertCode(XAException.XAER_INVAL, () -> resource.recover(XAResource.TMJOIN));
        assertCode(XAException.XAER_PROTO, () -> resource.recover(XAResource.TMNOFLAGS));
        Xid xid = worked();
        XAResource second = connection.createXASession().getXAResource();
        assertCode(XAException.XAER_DUPID, () -> second.start(xid, XAResource.TMNOFLAGS));
        assertCode(XAException.XAER_PROTO, () -> resource.start(Xids.next(), 0));
        assertCode(XAException.XAER_PROTO, () -> resource.prepare(xid));
        assertCode(XAException.XAER_PROTO, () -> resource.commit(xid, true));
        resource.end(xid, XAResource.TMSUCCESS);
        assertCode(XAException.XAER_PROTO, () -> resource.end(xid, XAResource.TMSUCCESS));
        assertCode(XAException.XAER_PROTO, () -> resource.commit(xid, false));
        resource.prepare(xid);
        assertCode(XAException.XAER_DUPID, () -> resource.start(xid, XAResource.TMNOFLAGS));
        assertCode(XAException.XAER_PROTO, () -> resource.prepare(xid));
        assertCode(XAException.XAER_PROTO, () -> resource.commit(xid, true));
        assertCode(XAException.XAER_PROTO, () -> resource.forget(xid));
        resource.rollback(xid);
    }

    @Test
    @Spec("X/Open XA xa_recover: scans")
    void shouldListInDoubtBranchesOncePerScan() throws Exception {
        Xid xid = worked();
        resource.end(xid, XAResource.TMSUCCESS);
        assertThat(isInDoubt(xid)).as("not prepared").isFalse();
        resource.prepare(xid);
        assertThat(resource.recover(XAResource.TMSTARTRSCAN))
                .anyMatch(each -> Xids.isSame(each, xid));
        assertThat(resource.recover(XAResource.TMNOFLAGS)).isEmpty();
        assertThat(resource.recover(XAResource.TMENDRSCAN)).isEmpty();
        resource.commit(xid, false);
    }

    @Test
    @Spec("XAResource.setTransactionTimeout; X/Open XA: XA_RBTIMEOUT")
    void shouldRollBackABranchThatTakesTooLong() throws Exception {
        assertThat(resource.getTransactionTimeout()).as("the broker's default").isEqualTo(60);
        assertThat(resource.setTransactionTimeout(1)).isTrue();
        assertThat(resource.getTransactionTimeout()).isEqualTo(1);
        Xid xid = worked();
        Session plain = connect().createSession();
        MessageConsumer observer = plain.createConsumer(from);
        assertThat(described(observer, 1)).as("not held").containsExactly("b#1");
        resource.end(xid, XAResource.TMSUCCESS);
        assertThat(described(receive(observer))).as("came back").isEqualTo("a#2R");
        assertCode(XAException.XA_RBTIMEOUT, () -> resource.prepare(xid));
        assertThat(drain(to)).isEmpty();
        resource.rollback(xid);
    }

    @Test
    @Spec("X/Open XA: XA_RBTIMEOUT from xa_prepare; what it received comes back")
    void shouldGiveBackWhatABranchReceivedThatRanOutBeforeItsEnd() throws Exception {
        Xid xid = workedTooLong();
        resource.end(xid, XAResource.TMSUCCESS);
        assertCode(XAException.XA_RBTIMEOUT, () -> resource.prepare(xid));
        resource.rollback(xid);
        assertThat(drain(from, 2)).containsExactly("a#2R", "b#1");
        assertThat(drain(to)).isEmpty();
    }

    @Test
    @Spec("JMS 3.1 §6.2.8: XASession")
    void shouldBeTransactedAndRefuseItsOwnCommit() throws Exception {
        assertThat(session.getTransacted()).isTrue();
        assertThatThrownBy(session::commit).isInstanceOf(TransactionInProgressException.class);
        assertThatThrownBy(session::rollback).isInstanceOf(TransactionInProgressException.class);
        assertThat(session.getXAResource()).isSameAs(resource);
        assertThat(session.getSession()).isNotNull();
    }

    @Test
    @Spec("JMS 3.1 XAJMSContext")
    void shouldDriveAContext() throws Exception {
        send(from, "a");
        XAJMSContext context = closedLater(factory("").createXAContext());
        XAResource driven = context.getXAResource();
        JMSConsumer consumer = context.createConsumer(from);
        Xid xid = Xids.next();
        driven.start(xid, XAResource.TMNOFLAGS);
        assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("a");
        context.createProducer().send(to, "A");
        assertThatThrownBy(context::commit).isInstanceOf(JMSRuntimeException.class);
        driven.end(xid, XAResource.TMSUCCESS);
        assertThat(driven.prepare(xid)).isEqualTo(XAResource.XA_OK);
        driven.commit(xid, false);
        context.close();
        assertThat(drain(to)).containsExactly("A#1");
        assertThat(drain(from)).isEmpty();
    }

    @Test
    @Spec("XAResource.isSameRM")
    void shouldKnowTheResourcesOfTheSameBroker() throws Exception {
        XAResource other = connectXa().createXASession().getXAResource();
        assertThat(resource.isSameRM(other)).isTrue();
        assertThat(resource.isSameRM(resource)).isTrue();
    }

    @Test
    @Spec("JMS 3.1 §6.2.8: many branches, one after the other and interleaved")
    void shouldCommitInterleavedBranches() throws Exception {
        XASession second = connection.createXASession();
        List<XASession> sessions = List.of(session, second);
        for (int i = 0; i < 10; i++) {
            Xid one = Xids.next();
            Xid two = Xids.next();
            session.getXAResource().start(one, XAResource.TMNOFLAGS);
            second.getXAResource().start(two, XAResource.TMNOFLAGS);
            for (Session each : sessions) {
                send(each, to, "m" + i);
            }
            session.getXAResource().end(one, XAResource.TMSUCCESS);
            second.getXAResource().end(two, XAResource.TMSUCCESS);
            session.getXAResource().commit(one, true);
            second.getXAResource().rollback(two);
        }
        Connection plain = connect();
        assertThat(texts(plain.createSession().createConsumer(to), 10))
                .containsExactly("m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9");
        assertThat(drain(to)).isEmpty();
    }
}
