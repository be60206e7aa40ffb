package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.server.BrokerProcess;

/** A broker that is killed with -9 under its clients, and comes back. */
@Timeout(120)
class BrokerKilledIT {
    private static final long PATIENCE_MS = BrokerTestBase.PATIENCE_MS;

    @TempDir Path directory;
    private final List<Connection> connections = new ArrayList<>();
    private BrokerProcess broker;

    @BeforeEach
    void startBroker() throws Exception {
        broker = start(0);
    }

    private BrokerProcess start(int port) throws Exception {
        return BrokerProcess.on(directory.resolve("data"))
                .port(port)
                .jvmOptions("-Xmx256m", "-XX:TieredStopAtLevel=1")
                .start();
    }

    @AfterEach
    void stop() throws Exception {
        for (Connection connection : connections) {
            connection.close();
        }
        broker.close();
        BrokerTestBase.awaitNoClientThreads();
    }

    /** The same port, so that resources which connect anew find it. */
    private void killAndRestart() throws Exception {
        int port = broker.port();
        broker.kill9();
        broker = start(port);
    }

    private MetaQConnectionFactory factory() {
        return new MetaQConnectionFactory("metaq://127.0.0.1:" + broker.port());
    }

    private <C extends Connection> C started(C connection) throws JMSException {
        connections.add(connection);
        connection.start();
        return connection;
    }

    private Connection connect() throws JMSException {
        return started(factory().createConnection());
    }

    private void send(MetaQQueue queue, String... texts) throws JMSException {
        BrokerTestBase.send(connect().createSession(), queue, texts);
    }

    private List<String> drain(MetaQQueue queue) throws JMSException {
        Session session = connect().createSession();
        MessageConsumer consumer = session.createConsumer(queue);
        List<String> texts = new ArrayList<>();
        for (Message m = consumer.receiveNoWait(); m != null; m = consumer.receiveNoWait()) {
            texts.add(BrokerTestBase.described(m));
        }
        session.close();
        return texts;
    }

    @Test
    @Spec("JMS 3.1 §6.1.7: ExceptionListener once; §6.2.7")
    void shouldTellTheExceptionListenerOnceAndFailWhatFollows() throws Exception {
        MetaQQueue queue = BrokerTestBase.newQueue();
        Connection connection = connect();
        List<JMSException> told = new CopyOnWriteArrayList<>();
        connection.setExceptionListener(told::add);
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue);
        MessageConsumer listening = connection.createSession().createConsumer(queue);
        listening.setMessageListener(message -> {});
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        transacted.createProducer(queue).send(session.createTextMessage("never committed"));
        CompletableFuture<String> blocked = new CompletableFuture<>();
        Thread receiver =
                new Thread(
                        () -> {
                            try {
                                blocked.complete("got " + consumer.receive());
                            } catch (JMSException e) {
                                blocked.complete("threw");
                            }
                        });
        receiver.start();
        await().until(() -> receiver.getState() == Thread.State.WAITING);

        broker.kill9();

        assertThat(blocked.get(PATIENCE_MS, TimeUnit.MILLISECONDS)).isEqualTo("threw");
        await().until(() -> !told.isEmpty());
        assertThatThrownBy(() -> producer.send(session.createMessage()))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(consumer::receive).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> consumer.receive(1000)).isInstanceOf(JMSException.class);
        assertThatThrownBy(consumer::receiveNoWait).isInstanceOf(JMSException.class);
        assertThatThrownBy(transacted::commit).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session.createConsumer(queue)).isInstanceOf(JMSException.class);
        CompletableFuture<Exception> completion = new CompletableFuture<>();
        try {
            producer.send(
                    session.createMessage(),
                    new CompletionListener() {
                        @Override
                        public void onCompletion(Message message) {
                            completion.completeExceptionally(new AssertionError("completed"));
                        }

                        @Override
                        public void onException(Message message, Exception exception) {
                            completion.complete(exception);
                        }
                    });
        } catch (JMSException e) {
            completion.complete(e);
        }
        assertThat(completion.get(PATIENCE_MS, TimeUnit.MILLISECONDS))
                .isInstanceOf(JMSException.class);
        connection.close();
        assertThat(told).hasSize(1);
        broker = start(0);
        assertThat(drain(queue)).isEmpty();
    }

    @Test
    @Spec("JMS 3.1 §3.4.2 PERSISTENT; §3.4.7 JMSRedelivered after a crash")
    void shouldKeepPersistentMessagesAndFlagWhatMayHaveBeenDelivered() throws Exception {
        MetaQQueue queue = BrokerTestBase.newQueue();
        send(queue, "a", "b", "c", "d");
        Connection connection = connect();
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        BrokerTestBase.receive(consumer).acknowledge();
        assertThat(BrokerTestBase.text(BrokerTestBase.receive(consumer))).isEqualTo("b");
        killAndRestart();
        send(queue, "e");
        List<String> left = drain(queue);
        assertThat(left).map(text -> text.charAt(0)).containsExactly('b', 'c', 'd', 'e');
        assertThat(left.get(0)).as("was delivered").endsWith("R");
        assertThat(left.get(3)).as("never delivered").isEqualTo("e#1");
    }

    @Test
    @Spec("JMS 3.1 §6.2.7: a transaction that is not committed ends with the broker")
    void shouldRollBackOpenTransactionsAndKeepCommittedOnes() throws Exception {
        MetaQQueue from = BrokerTestBase.newQueue();
        MetaQQueue to = BrokerTestBase.newQueue();
        send(from, "a", "b");
        Session session = connect().createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(from);
        BrokerTestBase.receive(consumer);
        BrokerTestBase.send(session, to, "A");
        session.commit();
        BrokerTestBase.receive(consumer);
        BrokerTestBase.send(session, to, "B");
        killAndRestart();
        assertThatThrownBy(session::commit)
                .isInstanceOf(JMSException.class)
                .satisfies(
                        e ->
                                assertThat(
                                                e instanceof TransactionRolledBackException
                                                        || e.getMessage().contains("unknown"))
                                        .as(e.toString())
                                        .isTrue());
        assertThat(drain(from)).containsExactly("b#2R");
        assertThat(drain(to)).containsExactly("A#1");
    }

    @Test
    @Spec("X/Open XA xa_recover, XAER_RMFAIL; design §6: prepared survives everything")
    void shouldFinishPreparedBranchesAfterARestart() throws Exception {
        MetaQQueue from = BrokerTestBase.newQueue();
        MetaQQueue to = BrokerTestBase.newQueue();
        send(from, "a", "b", "c", "d");
        XAConnection connection = started(factory().createXAConnection());
        XASession session = connection.createXASession();
        XAResource resource = session.getXAResource();
        MessageConsumer consumer = session.createConsumer(from);
        Xid[] xids = {Xids.next(), Xids.next(), Xids.next()};
        for (int i = 0; i < 3; i++) {
            resource.start(xids[i], XAResource.TMNOFLAGS);
            BrokerTestBase.receive(consumer);
            BrokerTestBase.send(session, to, "sent " + i);
            if (i < 2) {
                resource.end(xids[i], XAResource.TMSUCCESS);
                assertThat(resource.prepare(xids[i])).isEqualTo(XAResource.XA_OK);
            }
        }
        int port = broker.port();
        broker.kill9();
        await().untilAsserted(
                        () ->
                                assertThatThrownBy(() -> resource.commit(xids[0], false))
                                        .isInstanceOfSatisfying(
                                                XAException.class,
                                                e ->
                                                        assertThat(e.errorCode)
                                                                .isEqualTo(
                                                                        XAException.XAER_RMFAIL)));
        assertThatThrownBy(() -> resource.end(xids[2], XAResource.TMSUCCESS))
                .isInstanceOfSatisfying(
                        XAException.class,
                        e -> assertThat(e.errorCode).isEqualTo(XAException.XA_RBCOMMFAIL));
        broker = start(port);
        assertThat(drain(to)).as("nothing is committed").isEmpty();
        List<String> free = drain(from);
        assertThat(free).map(text -> text.charAt(0)).as("a and b locked").containsExactly('c', 'd');

        XAResource fresh =
                started(factory().createXAConnection()).createXASession().getXAResource();
        Xid[] inDoubt = fresh.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
        assertThat(inDoubt).hasSize(2);
        for (int i = 0; i < 2; i++) {
            Xid xid = xids[i];
            assertThat(Arrays.stream(inDoubt).anyMatch(each -> Xids.isSame(each, xid))).isTrue();
        }
        fresh.commit(xids[0], false);
        resource.rollback(xids[1]);
        assertThat(drain(to)).containsExactly("sent 0#1");
        assertThat(drain(from)).containsExactly("b#2R");
        assertThat(fresh.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)).isEmpty();
        fresh.commit(xids[0], false);
        killAndRestart();
        assertThat(drain(to)).isEmpty();
        assertThat(drain(from)).isEmpty();
    }
}
