package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.nio.file.Path;
import java.util.Enumeration;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.server.BrokerServer;
import org.metaq.server.config.ConfigKey;
import org.metaq.server.config.ServerConfig;

/**
 * A transaction of which the broker refused a message must not commit the others, though the client
 * asks for the commit before it has seen the refusal.
 */
class RefusedSendIT {
    private static final int ROUNDS = 20;
    private static final int LENGTH = 300_000;

    private BrokerServer server;
    private MetaQConnectionFactory factory;

    @BeforeEach
    void startBroker(@TempDir Path directory) {
        server =
                BrokerServer.start(
                        ServerConfig.builder()
                                .set(ConfigKey.MAX_TRANSACTION_SIZE, "1M")
                                .set(ConfigKey.MAX_MESSAGE_SIZE, "1M")
                                .set(ConfigKey.JOURNAL_SEGMENT_SIZE, "16M")
                                .dataPath(directory.resolve("data"))
                                .port(0)
                                .bindAddress("127.0.0.1")
                                .build());
        factory = new MetaQConnectionFactory("metaq://127.0.0.1:" + server.port());
    }

    @AfterEach
    void stopBroker() {
        server.close();
        BrokerTestBase.awaitNoClientThreads();
    }

    private static void send(Session session, int count, int length) throws JMSException {
        MessageProducer producer = session.createProducer(session.createQueue("q"));
        for (int i = 0; i < count; i++) {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(new byte[length]);
            producer.send(message);
        }
        producer.close();
    }

    private static int count(Session session) throws JMSException {
        int count = 0;
        Enumeration<?> messages = session.createBrowser(session.createQueue("q")).getEnumeration();
        while (messages.hasMoreElements()) {
            messages.nextElement();
            count++;
        }
        return count;
    }

    @Test
    @Spec("JMS 3.1 §6.2.7")
    void shouldRollBackALocalTransaction() throws JMSException {
        try (Connection connection = factory.createConnection()) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            for (int i = 0; i < ROUNDS; i++) {
                send(session, 4, LENGTH);
                assertThatThrownBy(session::commit)
                        .isInstanceOf(TransactionRolledBackException.class)
                        .hasMessageContaining("maxTransactionSize");
                assertThat(count(session)).as("after %s rollbacks", i + 1).isEqualTo(i);
                send(session, 1, 10);
                session.commit();
            }
        }
    }

    @Test
    @Spec("X/Open XA xa_end, xa_prepare: XA_RB*")
    void shouldRollBackABranch() throws Exception {
        try (XAConnection connection = factory.createXAConnection();
                Connection reading = factory.createConnection()) {
            XASession session = connection.createXASession();
            Session reader = reading.createSession();
            XAResource resource = session.getXAResource();
            for (int i = 0; i < ROUNDS; i++) {
                Xid refused = Xids.next();
                resource.start(refused, XAResource.TMNOFLAGS);
                send(session, 4, LENGTH);
                XAException failure =
                        catchThrowableOfType(
                                XAException.class,
                                () -> {
                                    resource.end(refused, XAResource.TMSUCCESS);
                                    resource.prepare(refused);
                                });
                assertThat(failure.errorCode)
                        .isBetween(XAException.XA_RBBASE, XAException.XA_RBEND);
                resource.rollback(refused);
                assertThat(count(reader)).isEqualTo(i);

                Xid whole = Xids.next();
                resource.start(whole, XAResource.TMNOFLAGS);
                send(session, 1, 10);
                resource.end(whole, XAResource.TMSUCCESS);
                assertThat(resource.prepare(whole)).isEqualTo(XAResource.XA_OK);
                resource.commit(whole, false);
            }
            assertThat(resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)).isEmpty();
        }
    }
}
