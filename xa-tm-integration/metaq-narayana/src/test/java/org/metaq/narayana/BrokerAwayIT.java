package org.metaq.narayana;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.transaction.RollbackException;
import jakarta.transaction.TransactionManager;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.server.BrokerProcess;
import org.metaq.tm.TransactionalConnectionFactory;

/** A broker that is killed, or not there yet. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class BrokerAwayIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final TransactionManager manager = Narayana.transactionManager();
    private final MetaQQueue queue = new MetaQQueue("orders");
    private RecoveryManager recovery;
    private Path data;
    private int port;
    private BrokerProcess broker;
    private TransactionalConnectionFactory factory;

    @BeforeAll
    void setUpNarayana(@TempDir Path log) {
        recovery = Narayana.recoveryManager(log);
    }

    @AfterAll
    void stopRecovery() {
        recovery.terminate();
    }

    @BeforeEach
    void prepare(@TempDir Path directory) throws IOException {
        data = directory.resolve("data");
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        factory = MetaQNarayana.connectionFactory(new MetaQConnectionFactory(uri()));
    }

    @AfterEach
    void stop() throws Exception {
        factory.close();
        if (broker != null) {
            broker.close();
        }
    }

    private String uri() {
        return "metaq://127.0.0.1:" + port;
    }

    private void startBroker() throws IOException, InterruptedException {
        broker = BrokerProcess.on(data).port(port).start();
    }

    @Test
    void shouldStartWithoutABrokerAndServeOnceItIsThere() throws Exception {
        recovery.scan();
        assertThatThrownBy(factory::createConnection).isInstanceOf(JMSException.class);
        manager.begin();
        assertThatThrownBy(() -> TransactionTestBase.send(factory, queue, "a"))
                .isInstanceOf(JMSException.class);
        manager.rollback();
        assertThat(factory.connectionCount()).isZero();

        startBroker();

        recovery.scan();
        sendInTransaction("b");
        assertThat(TransactionTestBase.receive(factory, queue)).isEqualTo("b");
    }

    @Test
    void shouldHandOutNoConnectionFromBeforeTheBrokerWasKilled() throws Exception {
        startBroker();
        openAtOnce(5);
        assertThat(factory.idleConnectionCount()).isEqualTo(5);
        broker.kill9();
        startBroker();
        for (int i = 0; i < 10; i++) {
            sendInTransaction("m" + i);
        }
        openAtOnce(5);
        assertThat(factory.connectionCount()).isEqualTo(5);
    }

    @Test
    void shouldRollBackTheTransactionWhoseBrokerIsKilledAndGoOnWithTheNext() throws Exception {
        startBroker();
        sendInTransaction("1");
        manager.begin();
        Connection connection = factory.createConnection();
        Session session = connection.createSession();
        session.createProducer(queue).send(session.createTextMessage("2"));
        broker.kill9();
        startBroker();
        connection.close();
        manager.setRollbackOnly();
        assertThatThrownBy(manager::commit).isInstanceOf(RollbackException.class);
        assertThat(factory.connectionCount()).isZero();
        sendInTransaction("3");
        assertThat(TransactionTestBase.receive(factory, queue)).isEqualTo("1");
        assertThat(TransactionTestBase.receive(factory, queue)).isEqualTo("3");
    }

    @Test
    void shouldRecoverABrokerThatNarayanasConfigurationNames() throws Exception {
        MetaQResourceRecovery named = new MetaQResourceRecovery();
        assertThatThrownBy(() -> named.initialise("http://x"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("must be the broker's URI");
        assertThat(named.hasMoreResources()).isFalse();
        assertThat(named.initialise(uri())).isTrue();
        assertThat(scan(named)).isZero();
        startBroker();
        assertThat(scan(named)).isEqualTo(1);
        assertThat(scan(named)).isEqualTo(1);
        broker.kill9();
        await().atMost(PATIENCE).until(() -> scan(named) == 0);
    }

    /** Goes through the resources as Narayana does, and tells how many there are. */
    private static int scan(MetaQResourceRecovery named) throws SQLException, XAException {
        int count = 0;
        while (named.hasMoreResources()) {
            XAResource resource = named.getXAResource();
            assertThat(resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)).isEmpty();
            count++;
        }
        return count;
    }

    private void sendInTransaction(String text) throws Exception {
        manager.begin();
        TransactionTestBase.send(factory, queue, text);
        manager.commit();
    }

    private void openAtOnce(int count) throws JMSException {
        List<Connection> open = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Connection connection = factory.createConnection();
            open.add(connection);
            assertThat(connection.createSession().createTextMessage()).isNotNull();
        }
        for (Connection connection : open) {
            connection.close();
        }
    }
}
