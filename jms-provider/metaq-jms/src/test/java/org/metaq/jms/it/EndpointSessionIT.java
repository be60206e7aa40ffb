package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;
import org.metaq.jms.session.EndpointSession;
import org.metaq.jms.session.EndpointSubscription;
import org.metaq.jms.session.MetaQXAConnection;

/** What drives message endpoints: branches, acknowledgement, order, pauses. */
class EndpointSessionIT extends BrokerTestBase {
    private static final Duration PATIENCE = Duration.ofMillis(PATIENCE_MS);

    private final AtomicInteger arrivals = new AtomicInteger();
    private MetaQQueue dead;
    private MetaQQueue queue;
    private MetaQXAConnection connection;

    @BeforeEach
    void openDefault() throws JMSException {
        arrivals.set(0);
        dead = newQueue();
        queue = newQueue();
        openConnection("reconnect=true&reconnectDelay=10");
    }

    private void openConnection(String options) throws JMSException {
        connection = closedLater(factory(options).createXAConnection());
        connection.start();
    }

    private EndpointSession open() throws JMSException {
        return open(queue, EndpointSubscription.UNNAMED);
    }

    private EndpointSession open(Destination destination, EndpointSubscription subscription)
            throws JMSException {
        return connection.createEndpointSession(
                destination,
                null,
                subscription,
                Session.AUTO_ACKNOWLEDGE,
                arrivals::incrementAndGet);
    }

    /** Of the queue, with options as its name has them. */
    private EndpointSession open(String options, int mode) throws JMSException {
        return connection.createEndpointSession(
                new MetaQQueue(queue.getQueueName() + options),
                null,
                EndpointSubscription.UNNAMED,
                mode,
                arrivals::incrementAndGet);
    }

    private String limited(int countMax) throws JMSException {
        return "?maxDeliveries=" + countMax + "&deadLetter=" + dead.getQueueName();
    }

    private static String next(EndpointSession session) throws Exception {
        assertThat(session.awaitNext(PATIENCE_MS)).as("a message").isTrue();
        Message message = session.next();
        assertThat(message).isNotNull();
        return described(message);
    }

    private static boolean isText(Message message, String text) {
        try {
            return text(message).equals(text);
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    private static Xid start(EndpointSession session) throws XAException {
        Xid xid = Xids.next();
        session.xaResource().start(xid, XAResource.TMNOFLAGS);
        return xid;
    }

    private static void commit(EndpointSession session, Xid xid) throws Exception {
        session.xaResource().end(xid, XAResource.TMSUCCESS);
        session.xaResource().commit(xid, true);
        session.returned(null);
    }

    private static void rollBack(EndpointSession session, Xid xid) throws Exception {
        session.xaResource().end(xid, XAResource.TMFAIL);
        session.xaResource().rollback(xid);
        session.returned(null);
    }

    /** Hands out so many, and commits each in a branch of its own. */
    private static List<String> commitAll(EndpointSession session, int count) throws Exception {
        List<String> seen = new ArrayList<>();
        while (seen.size() < count) {
            seen.add(next(session));
            commit(session, start(session));
        }
        return seen;
    }

    private String deadReason() throws JMSException {
        Message letter = receive(connect().createSession().createConsumer(dead));
        return letter.getStringProperty("JMS_METAQ_DeadLetterException");
    }

    // ---- preferences

    @Test
    void shouldPassOverMessagesWhileThereAreOthersAndGiveThemBackUncounted() throws Exception {
        send(queue, "a", "b", "c");
        EndpointSession session = open();
        assertThat(session.awaitNext(PATIENCE_MS)).isTrue();
        Message preferred = session.nextPreferring(message -> isText(message, "c"), PATIENCE_MS);
        assertThat(described(preferred)).isEqualTo("c#1");
        commit(session, start(session));
        assertThat(session.awaitNext(PATIENCE_MS)).isTrue();
        assertThat(described(session.nextPreferring(m -> false, 10))).isEqualTo("a#1");
        commit(session, start(session));
        session.close();
        assertThat(drain(queue)).containsExactly("b#1");
    }

    @Test
    void shouldPassOverMoreMessagesThanAreFetchedAhead() throws Exception {
        send(queue, "a", "b", "c", "d", "e");
        EndpointSession session =
                open(
                        new MetaQQueue(queue.getQueueName() + "?prefetch=1"),
                        EndpointSubscription.UNNAMED);
        assertThat(session.awaitNext(PATIENCE_MS)).isTrue();
        Message preferred = session.nextPreferring(m -> isText(m, "e"), PATIENCE_MS);
        assertThat(described(preferred)).isEqualTo("e#1");
        commit(session, start(session));
        session.close();
        assertThat(drain(queue)).containsExactly("a#1", "b#1", "c#1", "d#1");
    }

    // ---- branches

    @Test
    void shouldCommitTheMessageThatWasHandedOutBeforeTheBranchStarted() throws Exception {
        send(queue, "a", "b");
        EndpointSession session = open();
        assertThat(next(session)).isEqualTo("a#1");
        commit(session, start(session));
        session.close();
        connection.close();
        assertThat(drain(queue)).containsExactly("b#1");
    }

    @Test
    void shouldCommitTheMessageThatWasHandedOutInABranchInTwoPhases() throws Exception {
        send(queue, "a", "b");
        EndpointSession session = open();
        Xid xid = start(session);
        assertThat(next(session)).isEqualTo("a#1");
        session.xaResource().end(xid, XAResource.TMSUCCESS);
        session.returned(null);
        assertThat(session.xaResource().prepare(xid)).isEqualTo(XAResource.XA_OK);
        connection.close();
        session.xaResource().commit(xid, false);
        assertThat(drain(queue)).containsExactly("b#1");
    }

    @Test
    void shouldGiveBackInOrderAndCountedAndKeepTheReasonInTheDeadLetter() throws Exception {
        send(queue, "a", "b", "c");
        EndpointSession session = open(limited(2), Session.AUTO_ACKNOWLEDGE);
        for (String expected : List.of("a#1", "a#2R")) {
            assertThat(next(session)).isEqualTo(expected);
            Xid xid = start(session);
            session.rollingBack("because of " + expected, true);
            rollBack(session, xid);
        }
        assertThat(commitAll(session, 2)).containsExactly("b#1", "c#1");
        assertThat(deadReason()).isEqualTo("because of a#2R");
    }

    @Test
    void shouldGiveBackInOrderAsIfNeverTakenWhatDoesNotCount() throws Exception {
        send(queue, "a", "b", "c");
        EndpointSession session = open(limited(1), Session.AUTO_ACKNOWLEDGE);
        for (int i = 0; i < 3; i++) {
            assertThat(next(session)).isEqualTo("a#1");
            Xid xid = start(session);
            session.rollingBack("not to blame", false);
            rollBack(session, xid);
        }
        assertThat(commitAll(session, 3)).containsExactly("a#1", "b#1", "c#1");
    }

    @Test
    void shouldForgetHowToRollBackWhenTheNextBranchStarts() throws Exception {
        send(queue, "a");
        EndpointSession session = open();
        next(session);
        Xid uncounted = start(session);
        session.rollingBack("not to blame", false);
        rollBack(session, uncounted);
        assertThat(next(session)).isEqualTo("a#1");
        rollBack(session, start(session));
        assertThat(commitAll(session, 1)).containsExactly("a#2R");
    }

    @Test
    void shouldRollBackByAnotherThreadWhileTheEndpointIsAtWork() throws Exception {
        send(queue, "a", "b");
        EndpointSession session = open(limited(1), Session.AUTO_ACKNOWLEDGE);
        assertThat(next(session)).isEqualTo("a#1");
        Xid xid = start(session);
        CompletableFuture.runAsync(
                        () -> {
                            try {
                                session.rollingBack("time-out", false);
                                session.xaResource().rollback(xid);
                            } catch (XAException e) {
                                throw new AssertionError(e);
                            }
                        })
                .get();
        // refused, but that is not waited for: nothing follows in this branch that would tell
        session.xaResource().end(xid, XAResource.TMSUCCESS);
        session.returned(null);
        assertThat(commitAll(session, 2)).containsExactly("a#1", "b#1");
    }

    // ---- without a branch

    @Test
    void shouldAcknowledgeWhatIsReturnedAndGiveBackInOrderWhatFailed() throws Exception {
        send(queue, "a", "b", "c");
        EndpointSession session = open(limited(2), Session.AUTO_ACKNOWLEDGE);
        assertThat(next(session)).isEqualTo("a#1");
        session.returned(null);
        for (String expected : List.of("b#1", "b#2R")) {
            assertThat(next(session)).isEqualTo(expected);
            session.returned(new IllegalArgumentException("x".repeat(600)));
        }
        assertThat(next(session)).isEqualTo("c#1");
        session.returned(null);
        assertThat(session.awaitNext(0)).isFalse();
        assertThat(deadReason()).hasSize(512).startsWith("java.lang.IllegalArgumentException: xxx");
        connection.close();
        assertThat(drain(queue)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
    void shouldGiveBackUncountedWhatIsReturnedAndNobodyIsToBlameFor(int mode) throws Exception {
        send(queue, "a", "b");
        EndpointSession session = open(limited(1), mode);
        for (int i = 0; i < 2; i++) {
            assertThat(next(session)).isEqualTo("a#1");
            session.rollingBack("", false);
            session.returned(new IllegalStateException("no endpoint"));
        }
        for (String expected : List.of("a#1", "b#1")) {
            assertThat(next(session)).isEqualTo(expected);
            session.returned(null);
        }
    }

    @Test
    void shouldAcknowledgeLazilyAndTakePartInNoTransaction() throws Exception {
        send(queue, "a", "b", "c");
        EndpointSession session = open("", Session.DUPS_OK_ACKNOWLEDGE);
        for (String expected : List.of("a#1", "b#1")) {
            assertThat(next(session)).isEqualTo(expected);
            session.returned(null);
        }
        assertThatThrownBy(session::xaResource)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("DUPS_OK");
        assertThat(next(session)).isEqualTo("c#1");
        session.returned(new IllegalArgumentException("again"));
        assertThat(next(session)).isEqualTo("c#2R");
        session.returned(null);
        assertThat(session.next()).isNull();
        connection.close();
        assertThat(drain(queue)).isEmpty();
    }

    @Test
    void shouldRefuseToHandOutTheNextBeforeTheLastWasReturned() throws Exception {
        send(queue, "a", "b");
        EndpointSession session = open();
        next(session);
        assertThatThrownBy(session::next)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not returned");
    }

    // ---- waiting

    @Test
    void shouldTellOfArrivalsAndOfTheClose() throws Exception {
        EndpointSession session = open();
        assertThat(session.awaitNext(0)).isFalse();
        assertThat(session.awaitNext(10)).isFalse();
        int before = arrivals.get();
        send(queue, "a");
        await().atMost(PATIENCE).until(() -> arrivals.get() > before);
        assertThat(next(session)).isEqualTo("a#1");
        session.returned(null);
        int beforeClose = arrivals.get();
        session.close();
        assertThat(arrivals.get()).isGreaterThan(beforeClose);
        assertThat(session.awaitNext(PATIENCE_MS)).isFalse();
        assertThat(session.next()).isNull();
    }

    @Test
    void shouldWaitForAMessageAndWakeForTheClose() throws Exception {
        EndpointSession session = open();
        CompletableFuture<Boolean> waiting =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return session.awaitNext(3_600_000);
                            } catch (JMSException | InterruptedException e) {
                                throw new AssertionError(e);
                            }
                        });
        session.close();
        assertThat(waiting.get()).isFalse();
    }

    // ---- pauses

    @Test
    void shouldGiveBackWhatItFetchedWhenPausedAndTakeNoMore() throws Exception {
        send(queue, "a", "b", "c");
        EndpointSession session = open();
        assertThat(next(session)).isEqualTo("a#1");
        session.pause();
        MessageConsumer other = connect().createSession().createConsumer(queue);
        assertThat(described(other, 2)).containsExactly("b#1", "c#1");
        // two, as the acquire that was open at the broker may bring one of them
        for (String text : List.of("d", "e")) {
            send(queue, text);
            assertThat(described(other, 1)).containsExactly(text + "#1");
        }
        commit(session, start(session));
        assertThat(session.awaitNext(0)).isFalse();
        assertThat(session.next()).isNull();
        other.close();
        send(queue, "f");
        session.resume();
        assertThat(next(session)).isEqualTo("f#1");
    }

    @Test
    void shouldStayPausedWhateverElseHappens() throws Exception {
        send(queue, "a");
        EndpointSession session = open();
        next(session);
        session.pause();
        rollBack(session, start(session));
        connection.stop();
        connection.start();
        assertThat(drain(queue, 1)).containsExactly("a#2R");
        send(queue, "b");
        assertThat(session.awaitNext(0)).isFalse();
        assertThat(drain(queue, 1)).containsExactly("b#1");
    }

    // ---- subscriptions

    @Test
    void shouldShareAQueueAmongSessionsOfAConnection() throws Exception {
        List<EndpointSession> sessions = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            sessions.add(open("?prefetch=1", Session.AUTO_ACKNOWLEDGE));
        }
        send(queue, "a", "b", "c");
        List<String> seen = new ArrayList<>();
        for (EndpointSession each : sessions) {
            seen.add(next(each));
        }
        assertThat(seen).containsExactlyInAnyOrder("a#1", "b#1", "c#1");
        Xid xid = start(sessions.get(0));
        rollBack(sessions.get(0), xid);
        sessions.get(1).returned(null);
        commit(sessions.get(2), start(sessions.get(2)));
        connection.close();
        assertThat(drain(queue)).containsExactly(seen.get(0).replace("#1", "#2R"));
    }

    @Test
    void shouldShareADurableSubscriptionThatStays() throws Exception {
        MetaQTopic topic = newTopic();
        EndpointSubscription durable = new EndpointSubscription(newName(), true);
        EndpointSession first = open(topic, durable);
        EndpointSession second = open(topic, durable);
        first.close();
        second.close();
        send(topic, "a", "b");
        EndpointSession again = open(topic, durable);
        assertThat(commitAll(again, 2)).containsExactly("a#1", "b#1");
        again.close();
        connection.createSession().unsubscribe(durable.name());
    }

    @Test
    void shouldSubscribeToATopicWithOthersOrAlone() throws Exception {
        MetaQTopic topic = newTopic();
        EndpointSubscription shared = new EndpointSubscription(newName(), false);
        EndpointSession one = open(topic, shared);
        EndpointSession two = open(topic, shared);
        EndpointSession alone = open(topic, EndpointSubscription.UNNAMED);
        send(topic, "a");
        assertThat(next(alone)).isEqualTo("a#1");
        await().atMost(PATIENCE).until(() -> one.awaitNext(0) || two.awaitNext(0));
        assertThat(one.awaitNext(0) && two.awaitNext(0)).as("both got it").isFalse();
    }

    @Test
    void shouldSelect() throws Exception {
        send(queue, "a");
        EndpointSession session =
                connection.createEndpointSession(
                        queue,
                        "JMSType = 'b'",
                        EndpointSubscription.UNNAMED,
                        Session.AUTO_ACKNOWLEDGE,
                        () -> {});
        Session sender = connect().createSession();
        Message chosen = sender.createTextMessage("b");
        chosen.setJMSType("b");
        sender.createProducer(queue).send(chosen);
        assertThat(next(session)).isEqualTo("b#1");
    }

    @Test
    void shouldRefuseWhatCannotBe() {
        assertThatThrownBy(() -> open("", Session.CLIENT_ACKNOWLEDGE))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("not " + Session.CLIENT_ACKNOWLEDGE);
        assertThatThrownBy(() -> open(queue, new EndpointSubscription("s", false)))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> new EndpointSubscription("", true))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // ---- the end

    @Test
    void shouldLeaveToItsBranchWhatIsHandedOutWhenClosed() throws Exception {
        send(queue, "a", "b");
        EndpointSession session = open();
        next(session);
        Xid xid = start(session);
        session.close();
        assertThat(drain(queue, 1)).as("what was fetched goes back").containsExactly("b#1");
        commit(session, xid);
        connection.close();
        assertThat(drain(queue)).isEmpty();
    }

    @Test
    void shouldTakeWhatIsReturnedAfterTheClose() throws Exception {
        send(queue, "a", "b");
        EndpointSession acknowledging = open();
        assertThat(next(acknowledging)).isEqualTo("a#1");
        acknowledging.close();
        EndpointSession failing = open();
        assertThat(next(failing)).isEqualTo("b#1");
        failing.close();
        acknowledging.returned(null);
        failing.returned(new IllegalArgumentException("again"));
        connection.close();
        assertThat(drain(queue)).containsExactly("b#2R");
    }

    @Test
    void shouldFailWhenTheConnectionIsLostForGood() throws Exception {
        openConnection("reconnect=false");
        send(queue, "a", "b");
        EndpointSession session = open();
        next(session);
        int before = arrivals.get();
        restartBroker();
        await().atMost(PATIENCE).until(() -> arrivals.get() > before);
        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThatThrownBy(() -> session.awaitNext(0))
                                        .isInstanceOf(JMSException.class));
        assertThatThrownBy(() -> session.returned(null)).isInstanceOf(JMSException.class);
        assertThatThrownBy(session::next).isInstanceOf(JMSException.class);
        session.pause();
        session.close();
        assertThat(drain(queue, 2))
                .satisfiesExactly(EndpointSessionIT::isA, EndpointSessionIT::isB);
    }

    /** What was handed out comes again, so that no branch may be committed as if it held it. */
    @Test
    void shouldStartNoBranchForAMessageOfALostConnectionAndGoOn() throws Exception {
        send(queue, "a", "b");
        EndpointSession session = open();
        assertThat(next(session)).isEqualTo("a#1");
        EndpointSession paused = open();
        paused.pause();
        restartBroker();
        XaTestBase.assertCode(XAException.XAER_RMFAIL, () -> start(session));
        session.returned(new IllegalStateException("no branch"));
        assertThat(commitAll(session, 2))
                .satisfiesExactly(EndpointSessionIT::isA, EndpointSessionIT::isB);
        session.close();
        send(queue, "c");
        assertThat(paused.awaitNext(100)).isFalse();
        assertThat(drain(queue, 1)).containsExactly("c#1");
    }

    @Test
    void shouldRollBackABranchWhoseConnectionIsLostAndGoOn() throws Exception {
        send(queue, "a");
        EndpointSession session = open();
        Xid xid = start(session);
        assertThat(next(session)).isEqualTo("a#1");
        restartBroker();
        assertThat(session.awaitNext(PATIENCE_MS)).as("over the next connection").isTrue();
        XaTestBase.assertCode(
                XAException.XA_RBCOMMFAIL,
                () -> session.xaResource().end(xid, XAResource.TMSUCCESS));
        session.returned(null);
        assertThat(commitAll(session, 1)).satisfiesExactly(EndpointSessionIT::isA);
    }

    /** Whether what was fetched counts as delivered, nobody knows when a connection is lost. */
    private static void isA(String described) {
        assertThat(described).startsWith("a#");
    }

    private static void isB(String described) {
        assertThat(described).startsWith("b#");
    }
}
