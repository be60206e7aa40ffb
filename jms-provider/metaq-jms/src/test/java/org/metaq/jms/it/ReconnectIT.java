package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.Topic;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metaq.client.TcpProxy;
import org.metaq.jms.MetaQConnectionFactory;

/** What reconnect=true makes of a connection that is lost, over a network that the test breaks. */
class ReconnectIT extends BrokerTestBase {
    private static final Duration PATIENCE = Duration.ofMillis(PATIENCE_MS);

    private TcpProxy proxy;

    @BeforeEach
    void startProxy() throws IOException {
        proxy = new TcpProxy(port());
    }

    @AfterEach
    void stopProxy() throws IOException {
        proxy.restore();
        proxy.close();
    }

    private MetaQConnectionFactory reconnecting(String options) {
        return new MetaQConnectionFactory(
                "metaq://127.0.0.1:"
                        + proxy.port()
                        + "?reconnect=true&reconnectDelay=10&reconnectMaxDelay=100"
                        + (options.isEmpty() ? "" : "&" + options));
    }

    private Connection open(String options) throws JMSException {
        Connection connection = closedLater(reconnecting(options).createConnection());
        connection.start();
        return connection;
    }

    /** Cuts, and waits until a connection was made anew. */
    private void cutAndAwait() {
        int before = proxy.acceptedCount();
        proxy.cut();
        await().atMost(PATIENCE).until(() -> proxy.acceptedCount() > before);
    }

    @Test
    void shouldGoOnSendingAndReceiving() throws JMSException {
        Queue queue = newQueue();
        Session session = open("").createSession();
        MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue);
        for (int i = 0; i < 5; i++) {
            producer.send(session.createTextMessage("m" + i));
            assertThat(text(receiveNew(consumer))).isEqualTo("m" + i);
            cutAndAwait();
        }
    }

    /** The acknowledgement of the last message may have been lost: it comes again then, flagged. */
    private static Message receiveNew(MessageConsumer consumer) throws JMSException {
        Message message = receive(consumer);
        while (message.getJMSRedelivered()) {
            message = receive(consumer);
        }
        return message;
    }

    @Test
    void shouldGoOnWaitingInAReceive() throws Exception {
        Queue queue = newQueue();
        MessageConsumer consumer = open("").createSession().createConsumer(queue);
        CompletableFuture<String> received =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return text(consumer.receive());
                            } catch (JMSException e) {
                                throw new IllegalStateException(e);
                            }
                        });
        cutAndAwait();
        proxy.down();
        proxy.restore();
        send(queue, "late");
        assertThat(received.get(PATIENCE_MS, TimeUnit.MILLISECONDS)).isEqualTo("late");
    }

    @Test
    void shouldGoOnWithListenersOfQueuesAndTopicsOfEveryKind() throws JMSException {
        Queue queue = newQueue();
        Topic topic = newTopic();
        Connection connection = open("clientId=" + newName());
        List<String> heard = new CopyOnWriteArrayList<>();
        Session session = connection.createSession();
        listen(session.createConsumer(queue), "queue", heard);
        listen(session.createConsumer(topic), "plain", heard);
        listen(session.createDurableConsumer(topic, "durable"), "durable", heard);
        listen(session.createSharedConsumer(topic, "shared"), "shared", heard);
        listen(session.createSharedDurableConsumer(topic, "both"), "both", heard);
        for (int i = 0; i < 3; i++) {
            cutAndAwait();
            String text = "m" + i;
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> {
                                // the volatile subscriptions come back a moment after the network
                                send(queue, text);
                                send(topic, text);
                                assertThat(heard)
                                        .contains(
                                                "queue " + text,
                                                "plain " + text,
                                                "durable " + text,
                                                "shared " + text,
                                                "both " + text);
                            });
        }
    }

    private static void listen(MessageConsumer consumer, String name, List<String> heard)
            throws JMSException {
        consumer.setMessageListener(
                message -> {
                    try {
                        heard.add(name + " " + text(message));
                    } catch (JMSException e) {
                        throw new IllegalStateException(e);
                    }
                });
    }

    @Test
    void shouldStoreASendOnceWhoseAnswerWasLost() throws Exception {
        Queue queue = newQueue();
        Session session = open("").createSession();
        MessageProducer producer = session.createProducer(queue);
        producer.send(session.createTextMessage("first"));
        for (int i = 0; i < 3; i++) {
            int stored = i + 1;
            proxy.holdReplies();
            CompletableFuture<Void> sent = inBackground(producer, session, "m" + i);
            awaitStored(queue, stored + 1);
            assertThat(sent).isNotDone();
            proxy.cut();
            proxy.restore();
            sent.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        }
        assertThat(drain(queue)).containsExactly("first#1", "m0#1", "m1#1", "m2#1");
    }

    private static CompletableFuture<Void> inBackground(
            MessageProducer producer, Session session, String text) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        producer.send(session.createTextMessage(text));
                    } catch (JMSException e) {
                        throw new IllegalStateException(e);
                    }
                });
    }

    private void awaitStored(Queue queue, int count) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(browse(queue)).hasSize(count));
    }

    private List<String> browse(Queue queue) throws JMSException {
        try (Connection connection = factory("").createConnection()) {
            List<String> texts = new ArrayList<>();
            Enumeration<?> messages =
                    connection.createSession().createBrowser(queue).getEnumeration();
            while (messages.hasMoreElements()) {
                texts.add(text((Message) messages.nextElement()));
            }
            return texts;
        }
    }

    @Test
    void shouldCompleteAsynchronousSendsOnceAndInOrderOverManyCuts() throws Exception {
        Queue queue = newQueue();
        Session session = open("").createSession();
        MessageProducer producer = session.createProducer(queue);
        int count = 400;
        List<String> completed = new CopyOnWriteArrayList<>();
        CountDownLatch all = new CountDownLatch(count);
        CompletionListener listener =
                new CompletionListener() {
                    @Override
                    public void onCompletion(Message message) {
                        try {
                            completed.add(text(message));
                        } catch (JMSException e) {
                            throw new IllegalStateException(e);
                        }
                        all.countDown();
                    }

                    @Override
                    public void onException(Message message, Exception exception) {
                        completed.add(exception.toString());
                        all.countDown();
                    }
                };
        for (int i = 0; i < count; i++) {
            boolean isPersistent = i % 3 != 0;
            producer.send(
                    session.createTextMessage("m" + i),
                    isPersistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT,
                    4,
                    0,
                    listener);
            if (i % 50 == 25) {
                proxy.cut();
            }
        }
        assertThat(all.await(PATIENCE_MS, TimeUnit.MILLISECONDS)).isTrue();
        List<String> expected = IntStream.range(0, count).mapToObj(i -> "m" + i).toList();
        assertThat(completed).isEqualTo(expected);
        assertThat(browse(queue)).isEqualTo(expected);
    }

    @Test
    void shouldRepeatALargeMessageThatWasCutInTheMiddle() throws Exception {
        Queue queue = newQueue();
        Session session = open("").createSession();
        MessageProducer producer = session.createProducer(queue);
        producer.send(session.createTextMessage("first"));
        String large = "x".repeat(4 << 20);
        proxy.freeze();
        CompletableFuture<Void> sent = inBackground(producer, session, large);
        // the socket's buffers are full by then
        await().atMost(PATIENCE).until(() -> !sent.isDone());
        proxy.cut();
        proxy.restore();
        sent.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        assertThat(browse(queue)).containsExactly("first", large);
    }

    @Test
    void shouldRollBackAnOpenTransactionThatDidWork() throws JMSException {
        Queue in = newQueue();
        Queue out = newQueue();
        send(in, "work");
        Session session = open("").createSession(true, Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(in);
        MessageProducer producer = session.createProducer(out);
        assertThat(described(receive(consumer))).isEqualTo("work#1");
        producer.send(session.createTextMessage("lost"));
        cutAndAwait();
        assertThatThrownBy(session::commit).isInstanceOf(TransactionRolledBackException.class);

        assertThat(described(receive(consumer))).isEqualTo("work#2R");
        producer.send(session.createTextMessage("kept"));
        session.commit();
        assertThat(drain(out)).containsExactly("kept#1");
        assertThat(drain(in)).isEmpty();
    }

    @Test
    void shouldTellALostTransactionUntilItIsRolledBack() throws JMSException {
        Queue out = newQueue();
        Session session = open("").createSession(true, Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(out);
        MessageConsumer consumer = session.createConsumer(out);
        producer.send(session.createTextMessage("lost"));
        cutAndAwait();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> producer.send(session.createTextMessage("half")))
                    .isInstanceOf(TransactionRolledBackException.class);
        }
        assertThatThrownBy(() -> consumer.receive(100))
                .isInstanceOf(TransactionRolledBackException.class);
        session.rollback();
        producer.send(session.createTextMessage("kept"));
        session.commit();
        assertThat(text(receive(consumer))).isEqualTo("kept");
        assertThat(consumer.receiveNoWait()).isNull();
        session.commit();
    }

    @Test
    void shouldNotDisturbATransactionThatDidNothingYet() throws JMSException {
        Queue out = newQueue();
        Session session = open("").createSession(true, Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(out);
        cutAndAwait();
        producer.send(session.createTextMessage("kept"));
        cutDoesNotMatterBehind(session);
        assertThat(drain(out)).containsExactly("kept#1");
    }

    private void cutDoesNotMatterBehind(Session session) throws JMSException {
        session.commit();
        cutAndAwait();
    }

    @Test
    void shouldKnowWhatBecameOfACommitWhoseAnswerWasLost() throws Exception {
        Queue in = newQueue();
        Queue out = newQueue();
        send(in, "work");
        Session session = open("").createSession(true, Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(in);
        MessageProducer producer = session.createProducer(out);
        receive(consumer);
        producer.send(session.createTextMessage("result"));
        // behind its answer the one to the send has come
        assertThat(consumer.receiveNoWait()).isNull();
        proxy.holdReplies();
        CompletableFuture<Void> committed = commitInBackground(session);
        awaitStored(out, 1);
        assertThat(committed).isNotDone();
        proxy.cut();
        proxy.restore();
        committed.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        assertThat(drain(out)).containsExactly("result#1");
        assertThat(consumer.receiveNoWait()).isNull();
        assertThat(drain(in)).isEmpty();
    }

    @Test
    void shouldRollBackACommitThatNeverReachedTheBroker() throws Exception {
        Queue in = newQueue();
        Queue out = newQueue();
        send(in, "work");
        Session session = open("").createSession(true, Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(in);
        MessageProducer producer = session.createProducer(out);
        receive(consumer);
        producer.send(session.createTextMessage("result"));
        proxy.freeze();
        CompletableFuture<Void> committed = commitInBackground(session);
        proxy.cut();
        proxy.restore();
        assertThatThrownBy(() -> committed.get(PATIENCE_MS, TimeUnit.MILLISECONDS))
                .hasRootCauseInstanceOf(Exception.class)
                .cause()
                .hasCauseInstanceOf(TransactionRolledBackException.class);
        assertThat(described(receive(consumer))).isEqualTo("work#2R");
        session.commit();
        assertThat(drain(out)).isEmpty();
    }

    private static CompletableFuture<Void> commitInBackground(Session session) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        session.commit();
                    } catch (JMSException e) {
                        throw new IllegalStateException(e);
                    }
                });
    }

    @Test
    void shouldRedeliverWhatWasNotAcknowledged() throws JMSException {
        Queue queue = newQueue();
        send(queue, "a", "b");
        Session session = open("").createSession(false, Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        Message a = receive(consumer);
        cutAndAwait();
        // the consumer is back when a message is
        assertThat(described(receive(consumer))).isEqualTo("a#2R");
        assertThatThrownBy(a::acknowledge)
                .isInstanceOf(jakarta.jms.IllegalStateException.class)
                .hasMessageContaining("may come again");
        Message b = receive(consumer);
        assertThat(text(b)).isEqualTo("b");
        b.acknowledge();
        assertThat(drain(queue)).isEmpty();
    }

    @Test
    void shouldKeepTemporaryQueuesForTheRepliesThatAreUnderWay() throws JMSException {
        Queue requests = newQueue();
        Session session = open("").createSession();
        TemporaryQueue replies = session.createTemporaryQueue();
        MessageConsumer consumer = session.createConsumer(replies);
        Message request = session.createTextMessage("question");
        request.setJMSReplyTo(replies);
        session.createProducer(requests).send(request);
        cutAndAwait();

        try (Connection other = connect()) {
            Session responder = other.createSession();
            Message got = receive(responder.createConsumer(requests));
            Destination replyTo = got.getJMSReplyTo();
            // once the requestor is back
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(
                            () -> {
                                responder
                                        .createProducer(replyTo)
                                        .send(responder.createTextMessage("answer"));
                                return true;
                            });
        }
        assertThat(text(receive(consumer))).isEqualTo("answer");
        consumer.close();
        replies.delete();
    }

    @Test
    void shouldTakeItsClientIdBackThoughTheBrokerStillHoldsTheDeadConnection() throws JMSException {
        Topic topic = newTopic();
        Connection connection = closedLater(reconnecting("heartbeat=1000").createConnection());
        connection.setClientID(newName());
        connection.start();
        MessageConsumer consumer =
                connection.createSession().createDurableConsumer(topic, "durable");
        send(topic, "before");
        assertThat(text(receive(consumer))).isEqualTo("before");
        // a round trip, which takes the acknowledgement along
        assertThat(consumer.receiveNoWait()).isNull();
        int accepted = proxy.acceptedCount();
        proxy.freeze();
        // the client gives a silent connection up; the broker does not know
        await().atMost(PATIENCE).until(() -> proxy.acceptedCount() > accepted);
        proxy.restore();
        send(topic, "after");
        assertThat(text(receive(consumer))).isEqualTo("after");
    }

    @Test
    void shouldBrowseOn() throws JMSException {
        Queue queue = newQueue();
        String[] texts = IntStream.range(0, 500).mapToObj(i -> "m" + i).toArray(String[]::new);
        try (Connection connection = factory("").createConnection()) {
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            send(session, queue, texts);
            session.commit();
        }
        QueueBrowser browser = open("").createSession().createBrowser(queue);
        Enumeration<?> messages = browser.getEnumeration();
        List<String> seen = new ArrayList<>();
        for (int i = 0; messages.hasMoreElements(); i++) {
            seen.add(text((Message) messages.nextElement()));
            if (i % 100 == 50) {
                proxy.cut();
            }
        }
        assertThat(seen).containsExactly(texts);
        assertThat(drain(queue)).hasSize(texts.length);
    }

    @Test
    void shouldGiveUpInTimeAndTellTheExceptionListenerOnce() throws Exception {
        Queue queue = newQueue();
        Connection connection = open("reconnectTimeout=500");
        List<JMSException> told = new CopyOnWriteArrayList<>();
        connection.setExceptionListener(told::add);
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue);
        cutAndAwait();
        producer.send(session.createTextMessage("back"));
        assertThat(text(receive(consumer))).isEqualTo("back");
        assertThat(told).isEmpty();
        proxy.down();
        assertThatThrownBy(() -> producer.send(session.createTextMessage("no")))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(consumer::receive).isInstanceOf(JMSException.class);
        await().atMost(PATIENCE).until(() -> told.size() == 1);
        assertThatThrownBy(() -> session.createConsumer(queue)).isInstanceOf(JMSException.class);
        connection.close();
        assertThat(told).hasSize(1);
    }

    @Test
    void shouldCloseAtOnceWhileThereIsNoBroker() throws Exception {
        Queue queue = newQueue();
        Connection connection = open("");
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue);
        AtomicReference<Exception> completion = new AtomicReference<>();
        proxy.holdReplies();
        producer.send(
                session.createTextMessage("unknown"),
                new CompletionListener() {
                    @Override
                    public void onCompletion(Message message) {
                        completion.set(new IllegalStateException("completed"));
                    }

                    @Override
                    public void onException(Message message, Exception exception) {
                        completion.set(exception);
                    }
                });
        CompletableFuture<Message> received =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return consumer.receive();
                            } catch (JMSException e) {
                                throw new IllegalStateException(e);
                            }
                        });
        int before = proxy.acceptedCount();
        proxy.down();
        await().atMost(PATIENCE).until(() -> proxy.acceptedCount() > before + 2);
        long startNs = System.nanoTime();
        connection.close();
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs)).isLessThan(3_000);
        assertThat(received.get(PATIENCE_MS, TimeUnit.MILLISECONDS)).isNull();
        assertThat(completion.get()).isInstanceOf(JMSException.class);
    }

    @Test
    void shouldFailFastWithoutReconnect() throws JMSException {
        Queue queue = newQueue();
        Connection connection =
                closedLater(
                        new MetaQConnectionFactory("metaq://127.0.0.1:" + proxy.port())
                                .createConnection());
        connection.start();
        List<JMSException> told = new CopyOnWriteArrayList<>();
        connection.setExceptionListener(told::add);
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue);
        proxy.cut();
        await().atMost(PATIENCE).until(() -> told.size() == 1);
        assertThatThrownBy(() -> producer.send(session.createMessage()))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(consumer::receive).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session.createConsumer(queue)).isInstanceOf(JMSException.class);
        assertThatThrownBy(session::createTemporaryQueue).isInstanceOf(JMSException.class);
        connection.close();
        assertThat(told).hasSize(1);
    }

    @Test
    void shouldTryTheNextAddress() throws Exception {
        try (TcpProxy second = new TcpProxy(port())) {
            Queue queue = newQueue();
            MetaQConnectionFactory both =
                    new MetaQConnectionFactory(
                            "metaq://127.0.0.1:%d,127.0.0.1:%d?reconnect=true&reconnectDelay=10"
                                    .formatted(proxy.port(), second.port()));
            Connection connection = closedLater(both.createConnection());
            connection.start();
            Session session = connection.createSession();
            assertThat(second.acceptedCount()).isZero();
            proxy.down();
            session.createProducer(queue).send(session.createTextMessage("over the second"));
            assertThat(second.acceptedCount()).isEqualTo(1);
            assertThat(drain(queue)).containsExactly("over the second#1");
            connection.close();
        }
    }

    // ---- XA

    @Test
    @Spec("X/Open XA: a branch that was not prepared ends with its connection")
    void shouldRollBackABranchThatWasNotPrepared() throws Exception {
        Queue queue = newQueue();
        send(queue, "work");
        XAConnection connection = closedLater(reconnecting("").createXAConnection());
        connection.start();
        XASession session = connection.createXASession();
        XAResource resource = session.getXAResource();
        MessageConsumer consumer = session.createConsumer(queue);
        Xid lost = Xids.next();
        resource.start(lost, XAResource.TMNOFLAGS);
        assertThat(described(receive(consumer))).isEqualTo("work#1");
        cutAndAwait();
        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(code(() -> resource.rollback(lost)))
                                        .isIn(0, XAException.XAER_NOTA));
        assertThat(code(() -> resource.end(lost, XAResource.TMSUCCESS)))
                .isIn(XAException.XA_RBCOMMFAIL, XAException.XAER_RMFAIL);
        assertThat(code(() -> resource.prepare(lost)))
                .isIn(XAException.XAER_NOTA, XAException.XA_RBROLLBACK);
        assertThat(code(() -> resource.commit(lost, true)))
                .as("late")
                .isIn(XAException.XAER_NOTA, XAException.XA_RBROLLBACK);

        Xid next = Xids.next();
        resource.start(next, XAResource.TMNOFLAGS);
        assertThat(described(receive(consumer))).isEqualTo("work#2R");
        resource.end(next, XAResource.TMSUCCESS);
        resource.commit(next, true);
        assertThat(resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)).isEmpty();
        assertThat(drain(queue)).isEmpty();
    }

    @Test
    @Spec("X/Open XA: XAER_RMFAIL while there is no network, and the truth afterwards")
    void shouldFinishAPreparedBranchOnTheNextConnection() throws Exception {
        for (boolean commits : new boolean[] {true, false}) {
            Queue queue = newQueue();
            XAConnection connection = closedLater(reconnecting("").createXAConnection());
            XASession session = connection.createXASession();
            XAResource resource = session.getXAResource();
            Xid xid = Xids.next();
            resource.start(xid, XAResource.TMNOFLAGS);
            session.createProducer(queue).send(session.createTextMessage("prepared"));
            resource.end(xid, XAResource.TMSUCCESS);
            assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
            proxy.holdReplies();
            CompletableFuture<Integer> outcome =
                    CompletableFuture.supplyAsync(() -> code(() -> finish(resource, xid, commits)));
            if (commits) {
                awaitStored(queue, 1);
            }
            proxy.down();
            assertThat(outcome.get(PATIENCE_MS, TimeUnit.MILLISECONDS))
                    .isEqualTo(XAException.XAER_RMFAIL);
            assertThat(code(() -> finish(resource, xid, commits)))
                    .isEqualTo(XAException.XAER_RMFAIL);
            proxy.restore();
            await().atMost(PATIENCE)
                    .until(
                            () ->
                                    code(() -> finish(resource, xid, commits))
                                            != XAException.XAER_RMFAIL);
            assertThat(code(() -> finish(resource, xid, commits))).isIn(0, XAException.XAER_NOTA);
            assertThat(drain(queue)).hasSize(commits ? 1 : 0);
            connection.close();
        }
    }

    private static void finish(XAResource resource, Xid xid, boolean commits) throws XAException {
        if (commits) {
            resource.commit(xid, false);
        } else {
            resource.rollback(xid);
        }
    }

    private interface XaCall {
        void run() throws XAException;
    }

    /** 0: no exception. */
    private static int code(XaCall call) {
        try {
            call.run();
            return 0;
        } catch (XAException e) {
            return e.errorCode;
        }
    }
}
