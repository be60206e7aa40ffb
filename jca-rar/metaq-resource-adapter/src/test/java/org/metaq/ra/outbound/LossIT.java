package org.metaq.ra.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.resource.spi.CommException;
import jakarta.resource.spi.ManagedConnection;
import java.util.HashSet;
import java.util.Set;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.Test;

/** A broker that goes and comes back. */
class LossIT extends OutboundTestBase {
    private void restartBroker() {
        startBrokerAgain(stopBrokerNow());
    }

    /** The client has seen the end of the connection, which it does not at once. */
    private void awaitLossOf(ManagedConnection managed) {
        await().atMost(PATIENCE)
                .until(() -> factory.getInvalidConnections(Set.of(managed)).contains(managed));
    }

    @Test
    void shouldReplaceIdleConnectionsBeforeTheirNextUse() throws Exception {
        send("before");
        ManagedConnection idle = server.idle().iterator().next();
        restartBroker();
        awaitLossOf(idle);
        send("after");
        server.begin();
        send("in a transaction");
        server.commit();
        assertThat(texts()).containsExactly("before", "after", "in a transaction");
        assertThat(server.errors()).isEmpty();
        assertThat(server.createdCount()).isOne();
        assertThat(factory.connectionCount()).isOne();
    }

    @Test
    void shouldReplaceAnIdleConnectionBeforeItsNextBranch() throws Exception {
        send("before");
        ManagedConnection idle = server.idle().iterator().next();
        restartBroker();
        awaitLossOf(idle);
        server.begin();
        send("after");
        server.commit();
        assertThat(texts()).containsExactly("before", "after");
        assertThat(server.createdCount()).isOne();
    }

    @Test
    void shouldKeepTheTimeOutOfTransactionsWhenTheSessionIsReplaced() throws Exception {
        ManagedConnection managed = factory.createManagedConnection(null, null);
        XAResource resource = managed.getXAResource();
        assertThat(resource.setTransactionTimeout(77)).isTrue();
        restartBroker();
        awaitLossOf(managed);
        managed.getLocalTransaction().begin();
        assertThat(resource.getTransactionTimeout()).isEqualTo(77);
        managed.getLocalTransaction().rollback();
        managed.destroy();
    }

    @Test
    void shouldTellOnceThatAConnectionInUseIsLost() throws Exception {
        Connection connection = application.createConnection();
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(queue);
        ConnectionHandle handle = (ConnectionHandle) connection;
        assertThat(handle.isValid(0)).isTrue();
        restartBroker();
        await().atMost(PATIENCE).until(() -> server.errors().size() == 1);
        assertThat(handle.isValid(0)).isFalse();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> producer.send(session.createTextMessage("lost")))
                    .isInstanceOf(JMSException.class);
        }
        assertThat(server.errors()).hasSize(1);
        assertThat(server.errors().get(0).getException()).isInstanceOf(JMSException.class);
        server.destroyBroken();
        connection.close();
        send("after");
        assertThat(texts()).containsExactly("after");
    }

    @Test
    void shouldGiveNoFurtherHandleOfALostConnectionThatIsInUse() throws Exception {
        ManagedConnection managed = factory.createManagedConnection(null, null);
        var unused = managed.getConnection(null, null);
        restartBroker();
        awaitLossOf(managed);
        assertThatThrownBy(() -> managed.getConnection(null, null))
                .isInstanceOf(CommException.class);
        managed.cleanup();
        ConnectionHandle next = (ConnectionHandle) managed.getConnection(null, null);
        assertThat(next.isValid(0)).isTrue();
        managed.destroy();
    }

    @Test
    void shouldRollBackATransactionWhoseConnectionIsLost() throws Exception {
        server.begin();
        send("lost");
        restartBroker();
        await().atMost(PATIENCE).until(() -> server.errors().size() == 1);
        assertThatThrownBy(server::commit).isInstanceOf(XAException.class);
        server.destroyBroken();
        assertThat(texts()).isEmpty();
        server.begin();
        send("after");
        server.commit();
        assertThat(texts()).containsExactly("after");
    }

    @Test
    void shouldFailWhileTheBrokerIsAwayAndWorkAgainAfterwards() throws Exception {
        send("before");
        ManagedConnection idle = server.idle().iterator().next();
        int port = stopBrokerNow();
        awaitLossOf(idle);
        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> send("away")).isInstanceOf(JMSException.class);
            server.begin();
            assertThatThrownBy(() -> send("away")).isInstanceOf(JMSException.class);
            server.rollback();
        }
        assertThatThrownBy(() -> factory.createManagedConnection(null, null))
                .isInstanceOf(CommException.class);
        startBrokerAgain(port);
        send("after");
        assertThat(texts()).containsExactly("before", "after");
        assertThat(server.createdCount()).isOne();
        assertThat(factory.connectionCount()).isOne();
    }

    @Test
    void shouldNameTheLostOnesWhenAskedWhichAreInvalid() throws Exception {
        ManagedConnection lost = factory.createManagedConnection(null, null);
        restartBroker();
        awaitLossOf(lost);
        ManagedConnection good = factory.createManagedConnection(null, null);
        Set<Object> both = new HashSet<>(Set.of(lost, good));
        assertThat(factory.getInvalidConnections(both)).isEqualTo(Set.of(lost));
        lost.destroy();
        good.destroy();
    }
}
