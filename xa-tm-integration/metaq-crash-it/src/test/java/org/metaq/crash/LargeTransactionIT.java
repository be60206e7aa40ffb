package org.metaq.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.server.BrokerProcess;

/** Transactions that the heap does not hold. */
@Timeout(900)
class LargeTransactionIT {
    private static final int COUNT = Scale.of(100, 500);
    private static final int BODY_LENGTH = 1 << 20;
    private static final int TIMEOUT_SECONDS = 600;
    private static final long RECEIVE_MS = 30_000;
    private static final String QUEUE = "large";

    @TempDir Path directory;

    /** The one branch of the tests. */
    private record TestXid() implements Xid {
        @Override
        public int getFormatId() {
            return 7;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return "large".getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] getBranchQualifier() {
            return "1".getBytes(StandardCharsets.UTF_8);
        }
    }

    private BrokerProcess.Builder broker() {
        return BrokerProcess.on(directory.resolve("data")).jvmOptions("-Xmx256m");
    }

    private static MetaQConnectionFactory factory(BrokerProcess broker) {
        return new MetaQConnectionFactory("metaq://127.0.0.1:" + broker.port() + "?prefetch=4");
    }

    @Test
    void shouldCommitATransactionLargerThanTheHeapThoughKilledAfterPrepare() throws Exception {
        Xid xid = new TestXid();
        try (BrokerProcess broker = broker().start()) {
            prepare(broker, xid);
            broker.kill9();
        }
        try (BrokerProcess broker = broker().start()) {
            try (XAConnection connection = factory(broker).createXAConnection()) {
                XAResource resource = connection.createXASession().getXAResource();
                assertThat(resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN))
                        .hasSize(1);
                resource.commit(xid, false);
            }
            assertThat(drain(broker, COUNT)).isEqualTo(COUNT);
        }
    }

    private static void prepare(BrokerProcess broker, Xid xid) throws Exception {
        try (XAConnection connection = factory(broker).createXAConnection()) {
            XASession session = connection.createXASession();
            XAResource resource = session.getXAResource();
            resource.setTransactionTimeout(TIMEOUT_SECONDS);
            resource.start(xid, XAResource.TMNOFLAGS);
            send(session, COUNT);
            resource.end(xid, XAResource.TMSUCCESS);
            assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
        }
    }

    private static void send(Session session, int count) throws JMSException {
        MessageProducer producer = session.createProducer(session.createQueue(QUEUE));
        byte[] body = new byte[BODY_LENGTH];
        for (int i = 0; i < count; i++) {
            BytesMessage message = session.createBytesMessage();
            message.setIntProperty("number", i);
            message.writeBytes(body);
            producer.send(message);
        }
    }

    /** Receives messages in order; stops at the first that does not come. */
    private static int drain(BrokerProcess broker, int count) throws JMSException {
        try (Connection connection = factory(broker).createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE));
            connection.start();
            int received = 0;
            while (received < count) {
                Message message = consumer.receive(RECEIVE_MS);
                if (message == null) {
                    break;
                }
                assertThat(message.getIntProperty("number")).isEqualTo(received);
                assertThat(((BytesMessage) message).getBodyLength()).isEqualTo(BODY_LENGTH);
                received++;
            }
            assertThat(consumer.receiveNoWait()).isNull();
            return received;
        }
    }

    @Test
    void shouldRefuseATransactionBeyondTheLimitByNameAndLiveOn() throws Exception {
        Path config =
                Files.writeString(
                        directory.resolve("server.ini"),
                        "[system]\nmaxTransactionSize=8M\nmaxMessageSize=4M\n");
        try (BrokerProcess broker = broker().arguments("--config", config.toString()).start()) {
            try (Connection connection = factory(broker).createConnection()) {
                Session session = connection.createSession(Session.SESSION_TRANSACTED);

                Throwable refusal =
                        catchThrowable(
                                () -> {
                                    send(session, 16);
                                    session.commit();
                                });

                assertThat(refusal)
                        .isInstanceOf(JMSException.class)
                        .hasMessageContaining("maxTransactionSize");
                session.rollback();
                send(session, 2);
                session.commit();
            }
            assertThat(drain(broker, 2)).isEqualTo(2);
        }
    }
}
