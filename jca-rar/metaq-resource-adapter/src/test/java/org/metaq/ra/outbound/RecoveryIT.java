package org.metaq.ra.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ActivationSpec;
import jakarta.resource.spi.ManagedConnection;
import jakarta.resource.spi.security.PasswordCredential;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import javax.security.auth.Subject;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.metaq.ra.MetaQResourceAdapter;
import org.metaq.ra.inbound.MetaQActivationSpec;

/** What a server's transaction manager does with branches that a crash has left in doubt. */
class RecoveryIT extends OutboundTestBase {
    private MetaQResourceAdapter adapter;

    @AfterEach
    void stopAdapter() {
        if (adapter != null) {
            adapter.stop();
        }
    }

    /** A branch that has sent a message and is prepared, whose connection is gone. */
    private Xid leaveInDoubt(String text) throws Exception {
        FakeTransaction transaction = server.begin();
        send(text);
        List<Xid> prepared = transaction.prepare();
        server.crash();
        return prepared.get(0);
    }

    private static boolean isSame(Xid one, Xid other) {
        return Arrays.equals(one.getGlobalTransactionId(), other.getGlobalTransactionId())
                && Arrays.equals(one.getBranchQualifier(), other.getBranchQualifier());
    }

    private static boolean lists(XAResource resource, Xid xid) throws XAException {
        Xid[] found = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
        return Arrays.stream(found).anyMatch(each -> isSame(each, xid));
    }

    private MetaQResourceAdapter started() throws ResourceException {
        adapter = started(newAdapter());
        return adapter;
    }

    private static MetaQActivationSpec spec(String uri) {
        MetaQActivationSpec spec = new MetaQActivationSpec();
        spec.setConnectionUri(uri);
        return spec;
    }

    @Test
    void shouldFinishBranchesAsThePoolsOfServersDo() throws Exception {
        Xid committed = leaveInDoubt("committed");
        Xid rolledBack = leaveInDoubt("rolled back");
        PasswordCredential credential = new PasswordCredential("j2ee", "j2ee".toCharArray());
        credential.setManagedConnectionFactory(factory);
        Subject subject = new Subject(false, Set.of(), Set.of(), Set.of(credential));

        ManagedConnection managed = factory.createManagedConnection(subject, null);
        Connection handle = (Connection) managed.getConnection(subject, null);
        XAResource resource = managed.getXAResource();
        handle.close();
        assertThat(((ConnectionHandle) handle).isValid(0)).isTrue();
        assertThat(lists(resource, committed)).isTrue();
        resource.commit(committed, false);
        resource.rollback(rolledBack);
        assertThat(lists(resource, committed)).isFalse();
        assertThat(lists(resource, rolledBack)).isFalse();
        managed.destroy();
        assertThat(texts()).containsExactly("committed");
    }

    @Test
    void shouldFinishBranchesWithTheResourcesOfTheAdapter() throws Exception {
        Xid committed = leaveInDoubt("committed");
        Xid rolledBack = leaveInDoubt("rolled back");
        XAResource[] resources = started().getXAResources(new ActivationSpec[0]);
        assertThat(resources).hasSize(1);
        assertThat(lists(resources[0], committed)).isTrue();
        resources[0].commit(committed, false);
        resources[0].rollback(rolledBack);
        assertThat(lists(resources[0], committed)).isFalse();
        assertThat(lists(resources[0], rolledBack)).isFalse();
        assertThat(texts()).containsExactly("committed");
    }

    @Test
    void shouldRecoverBesideTheConnectionThatHasTheClientId() throws Exception {
        Xid xid = leaveInDoubt("a");
        factory.setConnectionUri(uri() + "?clientId=one");
        MetaQResourceAdapter started = started();
        started.setConnectionUri(uri() + "?clientId=one");
        try (Connection connection = application.createConnection()) {
            assertThat(connection.getClientID()).isEqualTo("one");
            XAResource resource = started.getXAResources(null)[0];
            assertThat(lists(resource, xid)).isTrue();
            resource.rollback(xid);
        }
    }

    @Test
    void shouldGiveOneResourceForEachBroker() throws Exception {
        MetaQResourceAdapter started = started();
        assertThat(started.getXAResources(null)).hasSize(1);
        ActivationSpec[] specs = {spec(""), spec(uri()), spec("metaq://127.0.0.1:1")};
        XAResource[] found = started.getXAResources(specs);
        assertThat(found).hasSize(2);
        assertThat(started.getXAResources(specs)).isEqualTo(found);
    }

    @Test
    void shouldBeTheSameResourceManagerAsThatOfManagedConnections() throws Exception {
        XAResource[] resources = started().getXAResources(null);
        ManagedConnection managed = factory.createManagedConnection(null, null);
        assertThat(resources[0].isSameRM(managed.getXAResource())).isTrue();
        assertThat(managed.getXAResource().isSameRM(resources[0])).isTrue();
        managed.destroy();
    }

    @Test
    void shouldSayThatTheBrokerIsAwayUntilItIsBack() throws Exception {
        Xid xid = leaveInDoubt("a");
        XAResource resource = started().getXAResources(null)[0];
        int port = stopBrokerNow();
        assertThatThrownBy(() -> lists(resource, xid))
                .isInstanceOf(XAException.class)
                .extracting(e -> ((XAException) e).errorCode)
                .isEqualTo(XAException.XAER_RMFAIL);
        startBrokerAgain(port);
        assertThat(lists(resource, xid)).isTrue();
        resource.rollback(xid);
    }

    @Test
    void shouldAnswerNothingOnceTheAdapterIsStopped() throws Exception {
        MetaQResourceAdapter started = started();
        XAResource resource = started.getXAResources(null)[0];
        assertThat(resource.recover(XAResource.TMSTARTRSCAN)).isNotNull();
        started.stop();
        assertThatThrownBy(() -> resource.recover(XAResource.TMSTARTRSCAN))
                .isInstanceOf(XAException.class);
        assertThat(started.getXAResources(null)).isEmpty();
    }
}
