package org.metaq.narayana;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionInProgressRuntimeException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.TransactionRolledBackRuntimeException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;
import org.metaq.tm.TransactionalConnectionFactory;

/** Sessions in Narayana's transactions, over a broker. */
class TransactionalConnectionFactoryIT extends TransactionTestBase {

    private void sendEither(
            boolean byContext, TransactionalConnectionFactory factory, MetaQQueue queue, String s)
            throws JMSException {
        if (byContext) {
            sendByContext(factory, queue, s);
        } else {
            send(factory, queue, s);
        }
    }

    // ---- one branch for all handles

    /** Case B27. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCommitTogetherWhatWasSentThroughHandlesThatAreClosed(boolean byContext)
            throws Exception {
        TransactionalConnectionFactory factory = factory();
        MetaQQueue queue = newQueue();
        manager.begin();
        sendEither(byContext, factory, queue, "a");
        sendEither(byContext, factory, queue, "b");
        assertThat(factory.connectionCount()).isEqualTo(1);
        assertThat(drain(queue)).isEmpty();
        manager.commit();
        assertThat(drain(queue)).containsExactly("a", "b");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldWorkOverOneConnectionHoweverOftenItIsOpenedAndClosed(boolean byContext)
            throws Exception {
        TransactionalConnectionFactory factory = factory(options -> options.maxConnections(1));
        MetaQQueue queue = newQueue();
        int rounds = 600;
        manager.begin();
        for (int i = 0; i < rounds; i++) {
            sendEither(byContext, factory, queue, "m" + i);
        }
        manager.commit();
        assertThat(drain(queue))
                .containsExactlyElementsOf(
                        IntStream.range(0, rounds).mapToObj(i -> "m" + i).toList());
    }

    @Test
    void shouldCommitSessionsAndContextsOfATransactionTogether() throws Exception {
        TransactionalConnectionFactory factory = factory();
        MetaQQueue queue = newQueue();
        manager.begin();
        send(factory, queue, "by session");
        sendByContext(factory, queue, "by context");
        manager.rollback();
        assertThat(drain(queue)).isEmpty();
        manager.begin();
        send(factory, queue, "by session");
        sendByContext(factory, queue, "by context");
        manager.commit();
        assertThat(drain(queue)).containsExactlyInAnyOrder("by session", "by context");
    }

    @Test
    void shouldAcknowledgeTogetherWhatSessionsAndContextsReceived() throws Exception {
        TransactionalConnectionFactory factory = factory();
        MetaQQueue queue = newQueue();
        MetaQQueue other = newQueue();
        for (boolean isCommit : new boolean[] {false, true}) {
            if (!isCommit) {
                send(factory, queue, "by session");
                send(factory, other, "by context");
            }
            manager.begin();
            assertThat(receive(factory, queue)).isEqualTo("by session");
            try (JMSContext context = factory.createContext()) {
                assertThat(
                                context.createConsumer(other)
                                        .receiveBody(String.class, PATIENCE.toMillis()))
                        .isEqualTo("by context");
            }
            end(isCommit);
        }
        assertThat(drain(queue)).isEmpty();
        assertThat(drain(other)).isEmpty();
        factory.close();
        assertThat(drain(queue)).isEmpty();
        assertThat(drain(other)).isEmpty();
    }

    @Test
    void shouldKeepWhatWasReceivedOnlyIfItCommits() throws Exception {
        TransactionalConnectionFactory factory = factory();
        MetaQQueue from = newQueue();
        MetaQQueue to = newQueue();
        send(factory, from, "a");
        for (int i = 0; i < 3; i++) {
            manager.begin();
            send(factory, to, receive(factory, from));
            manager.rollback();
        }
        manager.begin();
        send(factory, to, receive(factory, from));
        manager.setRollbackOnly();
        assertThatThrownBy(manager::commit).isInstanceOf(RollbackException.class);
        assertThat(drain(to)).isEmpty();
        manager.begin();
        send(factory, to, receive(factory, from));
        manager.commit();
        assertThat(drain(from)).isEmpty();
        assertThat(drain(to)).containsExactly("a");
        assertThat(factory.connectionCount()).isEqualTo(1);
    }

    @Test
    void shouldCloseWhatAHandleLeavesOpenWhenTheTransactionEnds() throws Exception {
        TransactionalConnectionFactory factory = factory();
        MetaQQueue queue = newQueue();
        manager.begin();
        Connection connection = factory.createConnection();
        connection.start();
        MessageConsumer consumer = connection.createSession().createConsumer(queue);
        assertThat(consumer.receiveNoWait()).isNull();
        manager.commit();
        send(factory, queue, "a");
        // The consumer left open, over the same connection below, has not taken it.
        assertThat(factory.connectionCount()).isEqualTo(1);
        assertThat(drain(queue)).containsExactly("a");
        assertThatThrownBy(consumer::receiveNoWait).isInstanceOf(IllegalStateException.class);
        connection.close();
    }

    @Test
    void shouldDeliverOnlyOnceTheConnectionIsStarted() throws Exception {
        TransactionalConnectionFactory factory = factory();
        MetaQQueue queue = newQueue();
        manager.begin();
        receiveAfterSending(factory, queue);
        manager.commit();
        manager.begin();
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            send(provider(), queue, "b");
            MessageConsumer consumer = session.createConsumer(queue);
            assertThat(consumer.receive(200)).isNull();
            connection.start();
            assertThat(consumer.receive(PATIENCE.toMillis())).isNotNull();
        }
        manager.commit();
        assertThat(drain(queue)).isEmpty();
    }

    private void receiveAfterSending(TransactionalConnectionFactory factory, MetaQQueue queue)
            throws JMSException {
        send(provider(), queue, "a");
        assertThat(receive(factory, queue)).isEqualTo("a");
    }

    // ---- what is refused

    @Test
    void shouldLeaveCommitAndListenersToTheTransaction() throws Exception {
        TransactionalConnectionFactory factory = factory();
        MetaQQueue queue = newQueue();
        manager.begin();
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
                MessageProducer producer = session.createProducer(queue);
                MessageConsumer consumer = session.createConsumer(queue)) {
            assertThat(session.getTransacted()).isTrue();
            assertThatThrownBy(session::commit).isInstanceOf(TransactionInProgressException.class);
            assertThatThrownBy(session::rollback)
                    .isInstanceOf(TransactionInProgressException.class);
            assertThatThrownBy(session::recover).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> consumer.setMessageListener(message -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no listeners");
            assertThatThrownBy(() -> session.setMessageListener(message -> {}))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> connection.setClientID("me"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("maxConnections(1)");
            producer.send(session.createTextMessage("a"));
        }
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            assertThatThrownBy(context::commit)
                    .isInstanceOf(TransactionInProgressRuntimeException.class);
            assertThatThrownBy(() -> context.createConsumer(queue).setMessageListener(m -> {}))
                    .isInstanceOf(IllegalStateRuntimeException.class);
            assertThatThrownBy(() -> context.setExceptionListener(failure -> {}))
                    .isInstanceOf(IllegalStateRuntimeException.class);
            context.createContext(JMSContext.CLIENT_ACKNOWLEDGE)
                    .createProducer()
                    .setProperty("n", 1)
                    .send(queue, "b");
        }
        manager.commit();
        assertThat(drain(queue)).containsExactlyInAnyOrder("a", "b");
    }

    /** Case B44. */
    @Test
    void shouldRefuseASessionFromOutsideWhileThereIsATransaction() throws Exception {
        TransactionalConnectionFactory factory = factory();
        MetaQQueue queue = newQueue();
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession();
                JMSContext context = factory.createContext()) {
            MessageProducer producer = session.createProducer(queue);
            producer.send(session.createTextMessage("before"));
            manager.begin();
            assertThatThrownBy(() -> producer.send(queue, null))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("allowNotEnlisted()");
            assertThatThrownBy(() -> session.createConsumer(queue))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> context.createProducer().send(queue, "x"))
                    .isInstanceOf(IllegalStateRuntimeException.class);
            manager.rollback();
            context.createProducer().send(queue, "after");
        }
        assertThat(drain(queue)).containsExactlyInAnyOrder("before", "after");
    }

    @Test
    void shouldLetASessionFromOutsideWorkInATransactionWhereThatIsAskedFor() throws Exception {
        TransactionalConnectionFactory factory =
                factory(TransactionalConnectionFactory.Builder::allowNotEnlisted);
        MetaQQueue queue = newQueue();
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            manager.begin();
            session.createProducer(queue).send(session.createTextMessage("audit"));
            send(factory, queue, "work");
            manager.rollback();
        }
        assertThat(drain(queue)).containsExactly("audit");
    }

    @Test
    void shouldRefuseASessionOfAnotherTransaction() throws Exception {
        TransactionalConnectionFactory factory = factory();
        MetaQQueue queue = newQueue();
        try (Connection connection = factory.createConnection()) {
            manager.begin();
            Session first = connection.createSession();
            MessageProducer producer = first.createProducer(queue);
            producer.send(first.createTextMessage("1"));
            Transaction suspended = manager.suspend();
            assertThatThrownBy(first::createTextMessage).isInstanceOf(IllegalStateException.class);
            manager.begin();
            assertThatThrownBy(first::createTextMessage)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("in which this thread does not work");
            Session second = connection.createSession();
            second.createProducer(queue).send(second.createTextMessage("2"));
            manager.rollback();
            manager.resume(suspended);
            producer.send(first.createTextMessage("3"));
            manager.commit();
            assertThatThrownBy(first::createTextMessage).isInstanceOf(IllegalStateException.class);
            assertThat(factory.connectionCount()).isEqualTo(2);
        }
        assertThat(drain(queue)).containsExactly("1", "3");
    }

    /** Case B42. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseNewSessionsInATransactionThatIsMarkedForRollback(boolean byContext)
            throws Exception {
        TransactionalConnectionFactory factory =
                factory(options -> options.maxConnections(1).maxWait(Duration.ZERO));
        MetaQQueue queue = newQueue();
        manager.begin();
        manager.setRollbackOnly();
        for (int i = 0; i < 1000; i++) {
            assertThatThrownBy(() -> sendEither(byContext, factory, queue, "a"))
                    .isInstanceOf(
                            byContext
                                    ? TransactionRolledBackRuntimeException.class
                                    : TransactionRolledBackException.class)
                    .hasMessageContaining("marked for rollback");
        }
        manager.rollback();
        assertThat(factory.idleConnectionCount()).isEqualTo(factory.connectionCount());
        assertThat(drain(queue)).isEmpty();
        manager.begin();
        sendEither(byContext, factory, queue, "b");
        manager.commit();
        assertThat(drain(queue)).containsExactly("b");
    }

    // ---- timeouts

    @Test
    void shouldEndWithItsBranchACallThatIsUnderWayWhenTheTransactionTimesOut() throws Exception {
        TransactionalConnectionFactory factory = factory();
        MetaQQueue queue = newQueue();
        MetaQQueue empty = newQueue();
        send(factory, queue, "a");
        manager.setTransactionTimeout(1);
        manager.begin();
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            connection.start();
            assertThat(session.createConsumer(queue).receive(PATIENCE.toMillis())).isNotNull();
            MessageConsumer consumer = session.createConsumer(empty);
            assertThat(isReceived(consumer)).isFalse();
            assertThatThrownBy(() -> session.createProducer(queue))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(connection::createSession)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is over");
        } finally {
            manager.setTransactionTimeout(0);
        }
        assertThatThrownBy(manager::commit).isInstanceOf(RollbackException.class);
        await().atMost(PATIENCE)
                .until(() -> factory.idleConnectionCount() == factory.connectionCount());
        assertThat(receive(factory, queue)).isEqualTo("a");
    }

    private static boolean isReceived(MessageConsumer consumer) {
        try {
            return consumer.receive(PATIENCE.toMillis()) != null;
        } catch (JMSException e) {
            return false;
        }
    }

    @Test
    void shouldUndoTheWorkOfATransactionThatTimesOutBetweenCalls() throws Exception {
        TransactionalConnectionFactory factory = factory();
        MetaQQueue queue = newQueue();
        manager.setTransactionTimeout(1);
        manager.begin();
        send(factory, queue, "a");
        Transaction transaction = manager.getTransaction();
        await().atMost(PATIENCE).until(() -> transaction.getStatus() == Status.STATUS_ROLLEDBACK);
        assertThatThrownBy(() -> send(factory, queue, "b"))
                .isInstanceOf(IllegalStateException.class);
        manager.setTransactionTimeout(0);
        manager.rollback();
        await().atMost(PATIENCE).until(() -> factory.idleConnectionCount() == 1);
        assertThat(drain(queue)).isEmpty();
    }

    // ---- threads and the pool

    @Test
    void shouldGiveEachThreadsTransactionItsOwnConnectionUpToTheLimit() throws Exception {
        TransactionalConnectionFactory factory =
                factory(options -> options.maxConnections(2).maxWait(Duration.ofMillis(200)));
        MetaQQueue queue = newQueue();
        ExecutorService one = Executors.newSingleThreadExecutor();
        ExecutorService two = Executors.newSingleThreadExecutor();
        try {
            in(one, () -> sendInNewTransaction(factory, queue, "1"));
            in(two, () -> sendInNewTransaction(factory, queue, "2"));
            manager.begin();
            assertThatThrownBy(() -> send(factory, queue, "3"))
                    .isInstanceOf(ResourceAllocationException.class)
                    .hasMessageContaining("maxConnections=2")
                    .hasMessageContaining("200 ms");
            in(one, () -> end(true));
            send(factory, queue, "4");
            manager.commit();
            in(two, () -> end(false));
            assertThat(drain(queue)).containsExactlyInAnyOrder("1", "4");
            assertThat(factory.connectionCount()).isEqualTo(2);
        } finally {
            one.shutdownNow();
            two.shutdownNow();
        }
    }

    private Void sendInNewTransaction(
            TransactionalConnectionFactory factory, MetaQQueue queue, String text)
            throws Exception {
        manager.begin();
        send(factory, queue, text);
        return null;
    }

    private Void end(boolean isCommit) throws Exception {
        if (isCommit) {
            manager.commit();
        } else {
            manager.rollback();
        }
        return null;
    }

    private static void in(ExecutorService thread, Callable<Void> work) throws Exception {
        Future<Void> done = thread.submit(work);
        done.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Test
    void shouldWaitForAConnectionThatComesBack() throws Exception {
        TransactionalConnectionFactory factory = factory(options -> options.maxConnections(1));
        MetaQQueue queue = newQueue();
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            manager.begin();
            send(factory, queue, "1");
            Future<Void> waiting =
                    other.submit(
                            () -> {
                                sendInNewTransaction(factory, queue, "2");
                                return end(true);
                            });
            assertThatThrownBy(() -> waiting.get(200, TimeUnit.MILLISECONDS))
                    .isInstanceOf(java.util.concurrent.TimeoutException.class);
            manager.commit();
            waiting.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            assertThat(drain(queue)).containsExactly("1", "2");
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void shouldCloseWhatIsIdleForTooLong() throws Exception {
        TransactionalConnectionFactory factory =
                factory(options -> options.idleTimeout(Duration.ofMillis(50)));
        send(factory, newQueue(), "a");
        await().atMost(PATIENCE).until(() -> factory.connectionCount() == 0);
    }

    // ---- client ids

    @Test
    void shouldServeADurableSubscriptionOverTheOneConnectionOfAClientId() throws Exception {
        TransactionalConnectionFactory factory = factoryOf("subscriber", options -> {});
        MetaQTopic topic = new MetaQTopic("news");
        manager.begin();
        assertThat(receiveNews(factory, topic, 0)).isNull();
        manager.commit();
        try (JMSContext other = provider().createContext()) {
            other.createProducer().send(topic, "a");
        }
        // Recovery has a connection of its own.
        scan();
        for (boolean isCommit : new boolean[] {false, true}) {
            manager.begin();
            assertThat(receiveNews(factory, topic, PATIENCE.toMillis())).isEqualTo("a");
            end(isCommit);
        }
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            assertThat(connection.getClientID()).isEqualTo("subscriber");
            session.unsubscribe("reader");
        }
        assertThat(factory.connectionCount()).isEqualTo(1);
    }

    private static String receiveNews(
            TransactionalConnectionFactory factory, MetaQTopic topic, long waitMs) {
        try (JMSContext context = factory.createContext()) {
            JMSConsumer consumer = context.createDurableConsumer(topic, "reader");
            return waitMs == 0
                    ? consumer.receiveBodyNoWait(String.class)
                    : consumer.receiveBody(String.class, waitMs);
        }
    }

    @Test
    void shouldRefuseASecondConnectionOfAClientId() throws Exception {
        TransactionalConnectionFactory one =
                factoryOf("only-one", options -> options.maxWait(Duration.ZERO));
        TransactionalConnectionFactory more =
                factoryOf("only-two", options -> options.maxConnections(2));
        MetaQQueue queue = newQueue();
        manager.begin();
        send(one, queue, "a");
        send(more, queue, "a");
        assertThatThrownBy(() -> sendByContext(one, queue, "b"))
                .hasCauseInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("maxConnections=1");
        assertThatThrownBy(() -> sendByContext(more, queue, "b"))
                .isInstanceOf(InvalidClientIDRuntimeException.class)
                .hasMessageContaining("only-two");
        manager.commit();
        assertThat(drain(queue)).containsExactly("a", "a");
        sendByContext(one, queue, "c");
        assertThat(drain(queue)).containsExactly("c");
    }

    private TransactionalConnectionFactory factoryOf(
            String clientId, Consumer<TransactionalConnectionFactory.Builder> options) {
        return factory(new MetaQConnectionFactory(uri() + "?clientId=" + clientId), options);
    }

    // ---- outside of transactions

    @Test
    void shouldServeEveryModeOutsideOfTransactions() throws Exception {
        TransactionalConnectionFactory factory = factory(options -> options.maxConnections(2));
        MetaQQueue queue = newQueue();
        try (Connection connection = factory.createConnection()) {
            connection.start();
            Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
            MessageProducer producer = transacted.createProducer(queue);
            producer.send(transacted.createTextMessage("undone"));
            transacted.rollback();
            producer.send(transacted.createTextMessage("done"));
            transacted.commit();
            Session client = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = client.createConsumer(queue);
            assertThat(consumer.receive(PATIENCE.toMillis()).getBody(String.class))
                    .isEqualTo("done");
            client.recover();
            assertThat(consumer.receive(PATIENCE.toMillis()).getJMSRedelivered()).isTrue();
            assertThat(factory.connectionCount()).isEqualTo(1);
        }
        // Neither acknowledged nor, with its consumer closed, held.
        assertThat(receive(factory, queue)).isEqualTo("done");
        assertThat(factory.connectionCount()).isEqualTo(1);
    }

    @Test
    void shouldAnswerThroughTemporaryQueuesThatGoWithTheirConnection() throws Exception {
        TransactionalConnectionFactory factory = factory();
        MetaQQueue requests = newQueue();
        try (JMSContext asking = factory.createContext();
                JMSContext answering = asking.createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
            var answers = asking.createTemporaryQueue();
            answering
                    .createConsumer(requests)
                    .setMessageListener(
                            request -> answering.createProducer().send(replyTo(request), "yes"));
            asking.createProducer().setJMSReplyTo(answers).send(requests, "are you there?");
            assertThat(
                            asking.createConsumer(answers)
                                    .receiveBody(String.class, PATIENCE.toMillis()))
                    .isEqualTo("yes");
            assertThat(factory.connectionCount()).isEqualTo(1);
        }
        assertThat(factory.connectionCount()).isZero();
    }

    private static jakarta.jms.Destination replyTo(jakarta.jms.Message request) {
        try {
            return request.getJMSReplyTo();
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldOpenNothingForTransactionsThatUseNoMessages() throws Exception {
        TransactionalConnectionFactory factory = factory();
        manager.begin();
        manager.commit();
        assertThat(factory.connectionCount()).isZero();
        assertThat(List.of(factory.toString())).allMatch(text -> text.contains("metaq://"));
    }
}
