package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.MessageConsumer;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.io.IOException;
import java.util.Arrays;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.metaq.client.TcpProxy;
import org.metaq.jms.MetaQConnectionFactory;

/**
 * The network is cut under each call of a resource, before the broker gets it or behind its doing:
 * the manager is told to ask again, and what it gets then is the truth.
 */
class XaCutIT extends XaTestBase {
    /** Where the network is cut. */
    private enum Cut {
        BEFORE_REQUEST,
        BEFORE_REPLY
    }

    private static final int OK = 0;

    private TcpProxy proxy;
    private XASession cutSession;
    private XAResource cutResource;
    private Xid xid;

    @BeforeEach
    void connectThroughProxy() throws Exception {
        proxy = new TcpProxy(port());
        XAConnection cut =
                closedLater(
                        new MetaQConnectionFactory("metaq://127.0.0.1:" + proxy.port())
                                .createXAConnection());
        cut.start();
        cutSession = cut.createXASession();
        cutResource = cutSession.getXAResource();
        xid = Xids.next();
    }

    @AfterEach
    void closeProxy() throws IOException {
        proxy.close();
    }

    private void cut(Cut where) {
        if (where == Cut.BEFORE_REQUEST) {
            proxy.cutAtNextRequest();
        } else {
            proxy.cutAtNextReply();
        }
    }

    private interface XaCall {
        void run() throws XAException;
    }

    private static int code(XaCall call) {
        try {
            call.run();
            return OK;
        } catch (XAException e) {
            return e.errorCode;
        }
    }

    private static boolean isRollback(int code) {
        return code >= XAException.XA_RBBASE && code <= XAException.XA_RBEND;
    }

    /** Receives one of two messages, sends another; leaves no request of the client's open. */
    private void work() throws Exception {
        send(from, "a", "b");
        cutResource.start(xid, XAResource.TMNOFLAGS);
        MessageConsumer consumer = cutSession.createConsumer(from);
        assertThat(text(receive(consumer))).isEqualTo("a");
        consumer.close();
        send(cutSession, to, "A");
    }

    private void prepare() throws Exception {
        work();
        cutResource.end(xid, XAResource.TMSUCCESS);
        assertThat(cutResource.prepare(xid)).isEqualTo(XAResource.XA_OK);
    }

    private void assertRolledBack() throws Exception {
        assertThat(drain(from, 2)).containsExactly("a#2R", "b#1");
        assertThat(drain(to)).isEmpty();
        assertThat(isInDoubt(xid)).isFalse();
    }

    private void assertCommitted() throws Exception {
        assertThat(drain(to)).containsExactly("A#1");
        assertThat(drain(from)).containsExactly("b#1");
        assertThat(isInDoubt(xid)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    @Spec("X/Open XA xa_start: XAER_RMFAIL, and may be repeated")
    void shouldStartAnewABranchWhoseStartWasCut(Cut where) throws Exception {
        cut(where);
        assertThat(code(() -> cutResource.start(xid, XAResource.TMNOFLAGS)))
                .isEqualTo(XAException.XAER_RMFAIL);
        await().until(() -> code(() -> resource.start(xid, XAResource.TMNOFLAGS)) == OK);
        send(session, to, "A");
        resource.end(xid, XAResource.TMSUCCESS);
        resource.commit(xid, true);
        assertThat(drain(to)).containsExactly("A#1");
    }

    @ParameterizedTest
    @EnumSource
    @Spec("X/Open XA xa_end: XA_RB*, as the branch goes with the connection")
    void shouldRollBackABranchWhoseEndAsFailedWasCut(Cut where) throws Exception {
        work();
        cut(where);
        assertThat(code(() -> cutResource.end(xid, XAResource.TMFAIL)))
                .isEqualTo(XAException.XA_RBCOMMFAIL);
        assertRolledBack();
        assertThat(code(() -> cutResource.rollback(xid))).isEqualTo(OK);
    }

    @ParameterizedTest
    @EnumSource
    @Spec("X/Open XA xa_end, xa_prepare: XAER_RMFAIL from what follows")
    void shouldRollBackABranchWhoseEndAndPrepareWereCut(Cut where) throws Exception {
        work();
        cut(where);
        assertThat(code(() -> cutResource.end(xid, XAResource.TMSUCCESS)))
                .as("is not waited for")
                .isEqualTo(OK);
        assertThat(code(() -> cutResource.prepare(xid))).isEqualTo(XAException.XAER_RMFAIL);
        assertThat(code(() -> cutResource.rollback(xid))).isEqualTo(OK);
        assertRolledBack();
    }

    @ParameterizedTest
    @EnumSource
    @Spec("X/Open XA xa_prepare: XAER_RMFAIL; presumed abort")
    void shouldRollBackOrFindABranchWhosePrepareWasCut(Cut where) throws Exception {
        work();
        cutResource.end(xid, XAResource.TMSUSPEND);
        cutResource.end(xid, XAResource.TMSUCCESS);
        cut(where);
        assertThat(code(() -> cutResource.prepare(xid))).isEqualTo(XAException.XAER_RMFAIL);
        assertThat(drain(to)).isEmpty();
        assertThat(isInDoubt(xid)).isEqualTo(where == Cut.BEFORE_REPLY);
        assertThat(code(() -> cutResource.rollback(xid))).isEqualTo(OK);
        assertRolledBack();
    }

    @ParameterizedTest
    @EnumSource
    @Spec("X/Open XA xa_commit: XAER_RMFAIL; repeated it is done once")
    void shouldCommitOnceWhatWasPreparedThoughTheCommitWasCut(Cut where) throws Exception {
        prepare();
        cut(where);
        assertThat(code(() -> cutResource.commit(xid, false))).isEqualTo(XAException.XAER_RMFAIL);
        assertThat(code(() -> cutResource.commit(xid, false))).isEqualTo(OK);
        assertThat(code(() -> resource.commit(xid, false))).isEqualTo(OK);
        assertCommitted();
    }

    @ParameterizedTest
    @EnumSource
    @Spec("X/Open XA xa_commit(TMONEPHASE): XAER_RMFAIL; repeated it tells what the broker did")
    void shouldTellTheOutcomeOfAOnePhaseCommitThatWasCut(Cut where) throws Exception {
        work();
        cutResource.end(xid, XAResource.TMSUSPEND);
        cutResource.end(xid, XAResource.TMSUCCESS);
        cut(where);
        assertThat(code(() -> cutResource.commit(xid, true))).isEqualTo(XAException.XAER_RMFAIL);
        int again = code(() -> cutResource.commit(xid, true));
        assertThat(code(() -> resource.commit(xid, true))).isEqualTo(again);
        if (where == Cut.BEFORE_REPLY || !isRollback(again)) {
            assertThat(again).isEqualTo(OK);
            assertCommitted();
        } else {
            assertRolledBack();
        }
    }

    @ParameterizedTest
    @EnumSource
    @Spec("X/Open XA xa_rollback: XAER_RMFAIL, never XA_RETRY, which is for commits")
    void shouldRollBackWhatWasPreparedThoughTheRollbackWasCut(Cut where) throws Exception {
        prepare();
        cut(where);
        assertThat(code(() -> cutResource.rollback(xid))).isEqualTo(XAException.XAER_RMFAIL);
        assertThat(code(() -> cutResource.rollback(xid))).isEqualTo(OK);
        assertThat(code(() -> resource.commit(xid, false))).isEqualTo(XAException.XA_RBROLLBACK);
        assertRolledBack();
    }

    @ParameterizedTest
    @EnumSource
    @Spec("X/Open XA xa_recover: XAER_RMFAIL rather than a part of the branches")
    void shouldListAllOrFailWhenAScanIsCut(Cut where) throws Exception {
        prepare();
        cut(where);
        int flags = XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN;
        assertThat(code(() -> cutResource.recover(flags))).isEqualTo(XAException.XAER_RMFAIL);
        assertThat(code(() -> cutResource.recover(XAResource.TMNOFLAGS)))
                .as("no scan is open")
                .isEqualTo(XAException.XAER_PROTO);
        assertThat(Arrays.stream(cutResource.recover(flags)).filter(x -> Xids.isSame(x, xid)))
                .hasSize(1);
        cutResource.rollback(xid);
    }

    @ParameterizedTest
    @EnumSource
    @Spec("X/Open XA xa_forget: XAER_RMFAIL")
    void shouldFailAForgetThatIsCut(Cut where) {
        cut(where);
        assertThat(code(() -> cutResource.forget(xid))).isEqualTo(XAException.XAER_RMFAIL);
        assertThat(code(() -> cutResource.forget(xid))).isEqualTo(XAException.XAER_NOTA);
    }

    @Test
    @Spec("X/Open XA: a client that dies in a branch")
    void shouldRollBackTheBranchOfAClientThatIsCutOff() throws Exception {
        work();
        proxy.cut();
        assertRolledBack();
        assertCode(XAException.XA_RBROLLBACK, () -> resource.prepare(xid));
    }
}
