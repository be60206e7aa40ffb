package org.metaq.tm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metaq.tm.FakeProvider.FakeConnection;
import org.metaq.tm.LinkKey.Api;

class BranchLeaseTest {
    private static final Xid XID = FakeProvider.fake(Xid.class, (proxy, method, arguments) -> null);

    private final FakeProvider provider = new FakeProvider();
    private BranchLease lease;
    private XAResource resource;
    private FakeConnection connection;

    @BeforeEach
    void open() throws JMSException {
        CurrentTransaction transaction =
                FakeProvider.fake(CurrentTransaction.class, (proxy, method, arguments) -> "tx");
        Link link = Link.open(provider.factory(), new LinkKey(Api.CLASSIC, null, null));
        lease = new BranchLease(link, () -> transaction, "tx");
        resource = lease.resource();
        connection = provider.opened.get(0);
    }

    @Test
    void shouldTakeCallsOnlyWhileTheBranchIsStarted() throws Exception {
        assertThatThrownBy(lease::enter).isInstanceOf(IllegalStateException.class);
        resource.start(XID, XAResource.TMNOFLAGS);
        lease.enter();
        lease.exit();
        resource.end(XID, XAResource.TMSUSPEND);
        assertThatThrownBy(lease::enter).isInstanceOf(IllegalStateException.class);
        resource.start(XID, XAResource.TMRESUME);
        lease.enter();
        lease.exit();
        resource.end(XID, XAResource.TMSUCCESS);
        assertThatThrownBy(lease::enter)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("takes no more work");
        assertThat(connection.calls).containsExactly("start", "end", "start", "end");
        assertThat(lease.end()).isTrue();
        assertThat(lease.end()).isFalse();
        assertThat(lease.link().isSpent()).isFalse();
    }

    @Test
    void shouldCloseTheConnectionWhenTheBranchEndsDuringACall() throws Exception {
        resource.start(XID, XAResource.TMNOFLAGS);
        lease.enter();
        assertThatThrownBy(() -> resource.end(XID, XAResource.TMFAIL))
                .isInstanceOfSatisfying(
                        XAException.class,
                        e -> assertThat(e.errorCode).isEqualTo(XAException.XA_RBCOMMFAIL));
        assertThat(connection.isClosed).isTrue();
        // What the provider would now do, it would do outside of the branch.
        assertThat(connection.calls).containsExactly("start");
        lease.exit();
        assertThat(lease.end()).isTrue();
        assertThat(lease.link().isSpent()).isTrue();
    }

    /** Sessions of several threads can be of one connection, which any of them starts. */
    @Test
    void shouldStartDeliveriesForAnotherThreadWithoutDisturbingTheEnd() throws Exception {
        resource.start(XID, XAResource.TMNOFLAGS);
        resource.end(XID, XAResource.TMSUCCESS);
        lease.start();
        assertThat(connection.calls).containsExactly("start", "end", "start");
        assertThat(lease.end()).isTrue();
        assertThat(lease.link().isSpent()).isFalse();
        lease.start();
        assertThat(connection.calls).containsExactly("start", "end", "start");
    }

    @Test
    void shouldNotUseAgainWhatACallStillUsesAtTheEnd() throws Exception {
        resource.start(XID, XAResource.TMNOFLAGS);
        lease.enter();
        assertThat(lease.end()).isTrue();
        assertThat(lease.link().isSpent()).isTrue();
    }

    @Test
    void shouldNotUseAgainWhatDidNotComeOutWell() throws Exception {
        resource.start(XID, XAResource.TMNOFLAGS);
        resource.end(XID, XAResource.TMSUCCESS);
        connection.xaFailure = XAException.XAER_RMFAIL;
        assertThatThrownBy(() -> resource.commit(XID, true)).isInstanceOf(XAException.class);
        assertThat(lease.link().isSpent()).isTrue();
    }

    @Test
    void shouldTellWhyABranchCouldNotBeStarted() {
        connection.xaFailure = XAException.XAER_RMFAIL;
        assertThatThrownBy(() -> resource.start(XID, XAResource.TMNOFLAGS))
                .isSameAs(lease.startFailure())
                .isNotNull();
        assertThatThrownBy(lease::enter).isInstanceOf(IllegalStateException.class);
    }

    /** Case B20. */
    @Test
    void shouldAnswerAsWhatItWrapsWhetherItIsTheSameResourceManager() throws Exception {
        XAResource sibling = lease.resource();
        assertThat(resource.isSameRM(sibling)).isTrue();
        assertThat(resource.isSameRM(lease.link().resource())).isTrue();
    }
}
