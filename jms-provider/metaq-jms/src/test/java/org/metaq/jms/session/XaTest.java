package org.metaq.jms.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.TextMessage;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;

@Timeout(60)
class XaTest {
    private MemoryBroker broker;
    private XAConnection connection;
    private XASession session;
    private XAResource resource;
    private Queue in;
    private Queue out;
    private MessageConsumer consumer;
    private MessageProducer producer;

    private record TestXid(String name) implements Xid {
        @Override
        public int getFormatId() {
            return 7;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return name.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }

    @BeforeEach
    void connect() throws Exception {
        broker = new MemoryBroker();
        connection = new MetaQConnectionFactory(broker.uri("")).createXAConnection();
        connection.start();
        session = connection.createXASession();
        resource = session.getXAResource();
        in = session.createQueue("in");
        out = session.createQueue("out");
        producer = session.createProducer(null);
        // Outside of a branch: as with AUTO_ACKNOWLEDGE.
        producer.send(in, session.createTextMessage("m0"));
        producer.send(in, session.createTextMessage("m1"));
        consumer = session.createConsumer(in);
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
        broker.close();
    }

    private String move() throws Exception {
        TextMessage message = (TextMessage) consumer.receive(5000);
        producer.send(out, session.createTextMessage(message.getText()));
        return message.getText() + "#" + message.getIntProperty("JMSXDeliveryCount");
    }

    private int outCount() throws Exception {
        return (int)
                broker.commands(Command.Send.class).stream()
                        .filter(s -> s.topic().equals("queue@out"))
                        .count();
    }

    @Test
    void shouldCommitWorkOfBranchInTwoPhases() throws Exception {
        Xid xid = new TestXid("a");
        resource.start(xid, XAResource.TMNOFLAGS);
        assertThat(move()).isEqualTo("m0#1");
        resource.end(xid, XAResource.TMSUCCESS);
        assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
        Xid[] inDoubt = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
        assertThat(inDoubt).hasSize(1);
        assertThat(inDoubt[0].getGlobalTransactionId()).isEqualTo(xid.getGlobalTransactionId());
        resource.commit(xid, false);

        assertThat(broker.availableCount("out")).isEqualTo(1);
        assertThatThrownBy(() -> resource.commit(xid, false))
                .isInstanceOfSatisfying(
                        XAException.class,
                        e -> assertThat(e.errorCode).isEqualTo(XAException.XAER_NOTA));
        assertThatThrownBy(session::commit).isInstanceOf(TransactionInProgressException.class);
    }

    @Test
    void shouldRedeliverInOrderWhenBranchIsRolledBack() throws Exception {
        Xid xid = new TestXid("b");
        resource.start(xid, XAResource.TMNOFLAGS);
        assertThat(move()).isEqualTo("m0#1");
        resource.end(xid, XAResource.TMFAIL);
        resource.rollback(xid);

        Xid next = new TestXid("c");
        resource.start(next, XAResource.TMNOFLAGS);
        assertThat(move()).isEqualTo("m0#2");
        assertThat(move()).isEqualTo("m1#1");
        resource.end(next, XAResource.TMSUSPEND);
        resource.start(next, XAResource.TMRESUME);
        resource.end(next, XAResource.TMSUCCESS);
        resource.commit(next, true);
        assertThat(broker.acquiredCount("in")).isZero();
        assertThat(broker.availableCount("out")).isEqualTo(2);
        assertThat(outCount()).isEqualTo(3);
    }

    @Test
    void shouldFinishBranchAfterItsSessionWasClosed() throws Exception {
        Xid xid = new TestXid("d");
        resource.start(xid, XAResource.TMNOFLAGS);
        move();
        session.close();
        resource.end(xid, XAResource.TMSUCCESS);
        resource.commit(xid, true);
        assertThat(broker.acquiredCount("in")).isZero();
        assertThat(broker.availableCount("out")).isEqualTo(1);
    }

    @Test
    void shouldFinishPreparedBranchOverNewConnectionWhenOwnWasLost() throws Exception {
        Xid xid = new TestXid("e");
        resource.start(xid, XAResource.TMNOFLAGS);
        producer.send(out, session.createTextMessage("x"));
        resource.end(xid, XAResource.TMSUCCESS);
        resource.prepare(xid);
        broker.script.expect(Command.Commit.class).thenHangUp();
        assertThatThrownBy(() -> resource.commit(xid, false))
                .isInstanceOfSatisfying(
                        XAException.class,
                        e -> assertThat(e.errorCode).isEqualTo(XAException.XAER_RMFAIL));
        assertThatThrownBy(() -> resource.start(new TestXid("f"), XAResource.TMNOFLAGS))
                .isInstanceOfSatisfying(
                        XAException.class,
                        e -> assertThat(e.errorCode).isEqualTo(XAException.XAER_RMFAIL));

        assertThat(resource.recover(XAResource.TMSTARTRSCAN)).hasSize(1);
        assertThat(resource.recover(XAResource.TMNOFLAGS)).isEmpty();
        assertThat(resource.recover(XAResource.TMENDRSCAN)).isEmpty();
        resource.commit(xid, false);
        assertThat(broker.availableCount("out")).isEqualTo(1);
    }

    @Test
    void shouldHaveACommitAskedAgainAsLongAsTheBrokerMissesTheEndThatWasLost() throws Exception {
        Xid xid = new TestXid("i");
        resource.start(xid, XAResource.TMNOFLAGS);
        producer.send(out, session.createTextMessage("x"));
        broker.script.expect(Command.Commit.class).thenError(ErrorCode.XAER_PROTO, "not ended");
        assertThatThrownBy(() -> resource.commit(xid, true))
                .as("while the connection is there")
                .isInstanceOfSatisfying(
                        XAException.class,
                        e -> assertThat(e.errorCode).isEqualTo(XAException.XAER_PROTO));
        List<JMSException> lost = new CopyOnWriteArrayList<>();
        connection.setExceptionListener(lost::add);
        broker.script.expect(Command.End.class).thenHangUp();
        resource.end(xid, XAResource.TMSUCCESS);
        await().until(() -> !lost.isEmpty());
        broker.script.expect(Command.Commit.class).thenError(ErrorCode.XAER_PROTO, "not ended");
        assertThatThrownBy(() -> resource.commit(xid, true))
                .as("lost, which the broker does not know yet")
                .isInstanceOfSatisfying(
                        XAException.class,
                        e -> assertThat(e.errorCode).isEqualTo(XAException.XAER_RMFAIL));
        broker.script.expect(Command.Commit.class).thenError(ErrorCode.XA_RBROLLBACK, "lost");
        assertThatThrownBy(() -> resource.commit(xid, true))
                .isInstanceOfSatisfying(
                        XAException.class,
                        e -> assertThat(e.errorCode).isEqualTo(XAException.XA_RBROLLBACK));
    }

    @Test
    void shouldSayXaErrorsForMisuse() throws Exception {
        Xid xid = new TestXid("g");
        resource.start(xid, XAResource.TMNOFLAGS);
        assertThatThrownBy(() -> resource.start(new TestXid("h"), XAResource.TMNOFLAGS))
                .isInstanceOfSatisfying(
                        XAException.class,
                        e -> assertThat(e.errorCode).isEqualTo(XAException.XAER_PROTO));
        assertThatThrownBy(() -> resource.end(xid, 12345))
                .isInstanceOfSatisfying(
                        XAException.class,
                        e -> assertThat(e.errorCode).isEqualTo(XAException.XAER_INVAL));
        resource.end(xid, XAResource.TMSUCCESS);
        assertThatThrownBy(() -> resource.start(xid, XAResource.TMNOFLAGS))
                .isInstanceOfSatisfying(
                        XAException.class,
                        e -> assertThat(e.errorCode).isEqualTo(XAException.XAER_DUPID));
        assertThatThrownBy(() -> resource.recover(XAResource.TMNOFLAGS))
                .isInstanceOfSatisfying(
                        XAException.class,
                        e -> assertThat(e.errorCode).isEqualTo(XAException.XAER_PROTO));
        try (XAConnection second =
                new MetaQConnectionFactory(broker.uri("")).createXAConnection()) {
            assertThat(resource.isSameRM(second.createXASession().getXAResource())).isTrue();
        }
    }
}
