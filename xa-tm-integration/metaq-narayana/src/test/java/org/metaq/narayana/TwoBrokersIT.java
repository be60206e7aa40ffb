package org.metaq.narayana;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import jakarta.jms.XAConnection;
import jakarta.transaction.RollbackException;
import jakarta.transaction.TransactionManager;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.narayana.TestDatabase.Step;
import org.metaq.narayana.TestDatabase.Watcher;
import org.metaq.server.BrokerProcess;
import org.metaq.tm.TransactionalConnectionFactory;

/** Two brokers and a database in one transaction: the first broker, the database, the second. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class TwoBrokersIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Watcher NOTHING_HAPPENS = step -> {};

    private final TransactionManager manager = Narayana.transactionManager();
    private final MetaQQueue queue = new MetaQQueue("orders");
    private TransactionalConnectionFactory orders;
    private TransactionalConnectionFactory billing;
    private Path directory;
    private RecoveryManager recovery;
    private TestDatabase database;
    private BrokerProcess first;
    private BrokerProcess second;

    @BeforeAll
    void start(@TempDir Path empty) throws Exception {
        directory = empty;
        recovery = Narayana.recoveryManager(directory.resolve("log"));
        first = startBroker("first", 0);
        second = startBroker("second", 0);
        String ordersBroker = uri(first);
        String billingBroker = uri(second);
        orders = MetaQNarayana.connectionFactory(new MetaQConnectionFactory(ordersBroker));
        billing = MetaQNarayana.connectionFactory(new MetaQConnectionFactory(billingBroker));
        database = new TestDatabase(directory);
        database.create();
    }

    @AfterAll
    void stop() throws Exception {
        orders.close();
        billing.close();
        database.close();
        first.close();
        second.close();
        recovery.terminate();
    }

    private BrokerProcess startBroker(String name, int port)
            throws IOException, InterruptedException {
        return BrokerProcess.on(directory.resolve(name)).port(port).start();
    }

    private static String uri(BrokerProcess broker) {
        return "metaq://127.0.0.1:" + broker.port();
    }

    /** In a new transaction, which the caller ends. */
    private void sendToAll(String text, Watcher watcher) throws Exception {
        manager.begin();
        TransactionTestBase.send(orders, queue, text);
        database.insert(manager, text, watcher);
        TransactionTestBase.send(billing, queue, text);
    }

    private List<String> received(BrokerProcess broker) {
        return TransactionTestBase.drain(uri(broker), queue);
    }

    @Test
    void shouldCommitEverywhere() throws Exception {
        sendToAll("committed", NOTHING_HAPPENS);
        assertThat(received(first)).isEmpty();
        assertThat(received(second)).isEmpty();
        manager.commit();
        assertThat(received(first)).containsExactly("committed");
        assertThat(received(second)).containsExactly("committed");
        assertThat(database.texts()).contains("committed");
    }

    @Test
    void shouldRollBackEverywhere() throws Exception {
        sendToAll("rolled back", NOTHING_HAPPENS);
        manager.rollback();
        assertNowhere("rolled back");
    }

    /** The first broker is prepared then, and the second not yet. */
    @Test
    void shouldRollBackEverywhereWhenTheDatabaseRefusesToPrepare() throws Exception {
        sendToAll(
                "refused",
                step -> {
                    if (step == Step.PREPARE) {
                        throw new XAException(XAException.XAER_RMERR);
                    }
                });
        assertThatThrownBy(manager::commit).isInstanceOf(RollbackException.class);
        assertNowhere("refused");
    }

    private void assertNowhere(String text) throws Exception {
        assertThat(received(first)).isEmpty();
        assertThat(received(second)).isEmpty();
        assertThat(database.texts()).doesNotContain(text);
    }

    @Test
    void shouldCommitInABrokerThatWasAwayWhenItComesBack() throws Exception {
        int port = second.port();
        sendToAll(
                "decided",
                step -> {
                    if (step == Step.COMMIT) {
                        kill(second);
                    }
                });
        manager.commit();
        assertThat(received(first)).containsExactly("decided");
        assertThat(database.texts()).contains("decided");
        recovery.scan();
        second = startBroker("second", port);
        assertThat(received(second)).isEmpty();
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            recovery.scan();
                            assertThat(received(second)).containsExactly("decided");
                        });
    }

    private static void kill(BrokerProcess broker) {
        try {
            broker.kill9();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldKnowABrokerByWhateverConnectionAndTellItFromAnother() throws Exception {
        try (XAConnection one = xaConnection(uri(first));
                XAConnection again = xaConnection("metaq://localhost:" + first.port());
                XAConnection other = xaConnection(uri(second))) {
            XAResource resource = one.createXASession().getXAResource();
            XAResource same = again.createXASession().getXAResource();
            XAResource different = other.createXASession().getXAResource();
            assertThat(resource.isSameRM(same)).isTrue();
            assertThat(same.isSameRM(resource)).isTrue();
            assertThat(resource.isSameRM(different)).isFalse();
            assertThat(different.isSameRM(resource)).isFalse();
        }
    }

    @Test
    void shouldMakeOneBranchOfTwoFactoriesOfABroker() throws Exception {
        int[] inDoubt = new int[1];
        try (TransactionalConnectionFactory again =
                MetaQNarayana.connectionFactory(
                        new MetaQConnectionFactory("metaq://localhost:" + first.port()))) {
            manager.begin();
            TransactionTestBase.send(orders, queue, "one");
            TransactionTestBase.send(again, queue, "two");
            database.insert(
                    manager,
                    "both",
                    step -> {
                        if (step == Step.PREPARE) {
                            inDoubt[0] = DeathIT.inDoubt(uri(first));
                        }
                    });
            manager.commit();
        }
        assertThat(inDoubt).containsExactly(1);
        assertThat(received(first)).containsExactly("one", "two");
    }

    private static XAConnection xaConnection(String uri) throws Exception {
        return new MetaQConnectionFactory(uri).createXAConnection();
    }
}
