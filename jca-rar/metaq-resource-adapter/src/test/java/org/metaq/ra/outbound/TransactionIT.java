package org.metaq.ra.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.Session;
import jakarta.resource.spi.LocalTransaction;
import jakarta.resource.spi.LocalTransactionException;
import jakarta.resource.spi.ManagedConnection;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Work in a distributed transaction, in a local one, and in none. */
class TransactionIT extends OutboundTestBase {
    @Test
    void shouldDeliverWhatWasSentWhenTheTransactionCommits() throws Exception {
        server.begin();
        send("a");
        assertThat(texts()).isEmpty();
        server.commit();
        assertThat(texts()).containsExactly("a");
        assertThat(server.usedCount()).isZero();
    }

    @Test
    void shouldUndoSendsAndReceiptsWhenTheTransactionRollsBack() throws Exception {
        send("kept");
        server.begin();
        send("undone");
        assertThat(receive(5_000)).isEqualTo("kept");
        server.rollback();
        assertThat(texts()).containsExactly("kept");
        assertThat(receive(5_000)).isEqualTo("kept");
    }

    @Test
    void shouldAcknowledgeAndSendAtOnceWithoutTransaction() throws Exception {
        send("a");
        assertThat(texts()).containsExactly("a");
        assertThat(receive(5_000)).isEqualTo("a");
        assertThat(receive(1)).isNull();
    }

    @Test
    void shouldWorkInOneBranchWhenTwoPoolsOfABrokerAreUsed() throws Exception {
        RaConnectionFactory other =
                application(
                        newFactory(new MetaQQueueManagedConnectionFactory()), newPoolIn(server));
        FakeTransaction transaction = server.begin();
        send("a");
        try (Connection connection = other.createQueueConnection("j2ee", "j2ee");
                Session session = connection.createSession()) {
            session.createProducer(queue).send(session.createTextMessage("b"));
        }
        assertThat(transaction.branchCount()).isOne();
        server.commit();
        assertThat(texts()).containsExactlyInAnyOrder("a", "b");
    }

    /** The pool ends the work with the last handle, and the manager again what had joined. */
    @Test
    void shouldTakeItThatWhatJoinedABranchIsEndedTwice() throws Exception {
        RaConnectionFactory other =
                application(
                        newFactory(new MetaQQueueManagedConnectionFactory()), newPoolIn(server));
        server.delistAtClose();
        server.begin();
        send("a");
        try (Connection connection = other.createQueueConnection("j2ee", "j2ee");
                Session session = connection.createSession()) {
            session.createProducer(queue).send(session.createTextMessage("b"));
        }
        server.commit();
        assertThat(texts()).containsExactlyInAnyOrder("a", "b");
    }

    /** It keeps the second factory's connections too; another user's are not shared. */
    private static FakeServer newPoolIn(FakeServer same) {
        return same;
    }

    @Test
    void shouldUseOneManagedConnectionForManyHandlesOfATransaction() throws Exception {
        server.begin();
        for (int i = 0; i < 600; i++) {
            send("m" + i);
        }
        assertThat(server.createdCount()).isOne();
        assertThat(factory.connectionCount()).isOne();
        server.commit();
        assertThat(texts()).isEqualTo(IntStream.range(0, 600).mapToObj(i -> "m" + i).toList());
        assertThat(server.idleCount()).isOne();
    }

    @Test
    void shouldCommitAndRollBackLocalTransactions() throws Exception {
        ManagedConnection managed = factory.createManagedConnection(null, null);
        try {
            LocalTransaction local = managed.getLocalTransaction();
            Connection connection = (Connection) managed.getConnection(null, null);
            Session session = connection.createSession();
            local.begin();
            session.createProducer(queue).send(session.createTextMessage("undone"));
            local.rollback();
            assertThat(texts()).isEmpty();
            local.begin();
            session.createProducer(queue).send(session.createTextMessage("done"));
            assertThat(texts()).isEmpty();
            local.commit();
            assertThat(texts()).containsExactly("done");
            assertThatThrownBy(local::commit).isInstanceOf(LocalTransactionException.class);
        } finally {
            managed.destroy();
        }
    }

    @Test
    void shouldTellWhetherItIsInATransaction() throws Exception {
        server.begin();
        try (JMSContext context = application.createContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
            assertThat(context.getTransacted()).isTrue();
            assertThat(context.getSessionMode()).isEqualTo(JMSContext.SESSION_TRANSACTED);
        }
        server.commit();
        try (Connection connection = application.createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            assertThat(session.getTransacted()).isFalse();
            assertThat(session.getAcknowledgeMode()).isEqualTo(Session.AUTO_ACKNOWLEDGE);
        }
    }

    @Test
    void shouldSendAndReceiveThroughContexts() throws Exception {
        server.begin();
        try (JMSContext context = application.createContext()) {
            context.createProducer().setProperty("n", 1).send(queue, "a").send(queue, "b");
        }
        server.commit();
        server.begin();
        try (JMSContext context = application.createContext()) {
            var consumer = context.createConsumer(queue);
            assertThat(
                            List.of(
                                    consumer.receiveBody(String.class, 5_000),
                                    consumer.receiveBody(String.class, 5_000)))
                    .containsExactly("a", "b");
        }
        server.rollback();
        assertThat(texts()).containsExactly("a", "b");
    }
}
