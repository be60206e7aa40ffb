package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.common.BranchId;
import org.metaq.protocol.Command;
import org.metaq.protocol.Envelope;
import org.metaq.protocol.MessageFormat;
import org.metaq.protocol.ProtocolException;
import org.metaq.protocol.RedeliveryPolicy;
import org.metaq.protocol.Settlement;
import org.metaq.protocol.SubscribeOptions;

/** What becomes of messages that come back or expire. */
class RedeliveryTest {
    private static final SubscribeOptions THREE = options("maxDeliveries", "3");

    @TempDir Path root;

    private TestBroker broker;
    private TestBroker.Client client;
    private String queue;

    @BeforeEach
    void start() {
        broker = new TestBroker(root, BrokerConfig.defaults(0));
        connect();
    }

    private void connect() {
        client = broker.connect();
        queue = client.queue("q");
    }

    private static SubscribeOptions options(String... keysAndValues) {
        Map<String, String> options = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            options.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return new SubscribeOptions(null, false, options);
    }

    private long consume(int consumerId, SubscribeOptions options) {
        return client.subscribe(consumerId, queue, "", false, false, "", options);
    }

    /** Receives one message and gives it back as delivered. */
    private TestBroker.Received fail(int consumerId, long subscriptionId) {
        List<TestBroker.Received> received = client.receive(consumerId, 1);
        assertThat(received).hasSize(1);
        long sequence = received.get(0).sequence();
        client.ok(
                o ->
                        new Command.Release(
                                client.of(subscriptionId, sequence, sequence), true, "why", o));
        return received.get(0);
    }

    /** The envelopes of what a queue holds. */
    private List<Envelope> dead(String name) {
        client.consume(9, client.queue(name));
        int opaque = client.acquire(9, 100, 0);
        return client.link.deliveries.get(opaque).stream()
                .map(
                        delivery -> {
                            ByteBuffer message = ByteBuffer.allocate(delivery.message().length());
                            delivery.message().copyTo(message);
                            message.flip();
                            int length = message.getInt(MessageFormat.HEADER_LENGTH);
                            try {
                                return Envelope.decode(
                                        message.slice(
                                                MessageFormat.HEADER_LENGTH + Integer.BYTES,
                                                length));
                            } catch (ProtocolException e) {
                                throw new AssertionError(e);
                            }
                        })
                .toList();
    }

    // ---- dead letters

    @Test
    void shouldMoveAMessageThatWasDeliveredTooOften() {
        long queueId = consume(1, THREE);
        client.send(queue, TestMessage.of("bad").with("color", "red"));
        client.send(queue, "good");
        for (int count = 1; count <= 3; count++) {
            assertThat(fail(1, queueId).deliveryCount()).isEqualTo(count);
        }
        assertThat(client.texts(1, 10)).containsExactly("good");
        List<Envelope> dead = dead("DLQ");
        assertThat(dead).hasSize(1);
        assertThat(dead.get(0).messageId()).isEqualTo("ID:bad");
        assertThat(dead.get(0).properties())
                .containsEntry("color", "red")
                .containsEntry("JMS_METAQ_DeadLetterReason", "MAX_DELIVERIES")
                .containsEntry("JMS_METAQ_DeadLetterCount", 3)
                .containsEntry("JMS_METAQ_DeadLetterDestination", queue)
                .containsEntry("JMS_METAQ_DeadLetterException", "why")
                .containsEntry("JMS_METAQ_DeadLetterTime", broker.wallMs());
        assertThat(broker.broker.admin().deadLetterCount()).isEqualTo(1);
    }

    @Test
    void shouldNeverForgetHowOftenAMessageWasDelivered() {
        client.send(queue, TestMessage.of("bad"));
        int before = 0;
        for (int round = 0; round < 3; round++) {
            long queueId = consume(1, THREE);
            int count = fail(1, queueId).deliveryCount();
            assertThat(count).isGreaterThan(before);
            before = count;
            if (round == 0) {
                broker.crash();
            } else {
                broker.restart();
            }
            connect();
        }
        consume(1, THREE);
        assertThat(client.texts(1, 10)).isEmpty();
        assertThat(dead("DLQ")).hasSize(1);
    }

    @Test
    void shouldKeepADeadLetterOnceOverACrash() {
        long queueId = consume(1, options("maxDeliveries", "1", "deadLetter", "my dead"));
        client.send(queue, TestMessage.of("bad"));
        fail(1, queueId);
        broker.crash();
        connect();
        client.consume(1, queue);
        assertThat(client.texts(1, 10)).isEmpty();
        assertThat(dead("my dead")).hasSize(1);
    }

    @Test
    void shouldDropDeadLettersWithoutAQueueForThem() {
        long queueId = consume(1, options("maxDeliveries", "1", "deadLetter", ""));
        client.send(queue, TestMessage.of("bad"));
        fail(1, queueId);
        assertThat(client.texts(1, 10)).isEmpty();
        assertThat(broker.broker.admin().topics())
                .extracting(BrokerAdmin.TopicStatus::name)
                .containsExactly(queue);
    }

    @Test
    void shouldKeepInTheDeadLetterQueueWhatFailsThere() {
        long queueId = consume(1, options("maxDeliveries", "1", "deadLetter", "q"));
        client.send(queue, TestMessage.of("bad"));
        fail(1, queueId);
        assertThat(fail(1, queueId).deliveryCount()).isEqualTo(2);
        assertThat(client.texts(1, 10)).containsExactly("bad");
    }

    @Test
    void shouldMoveDeadLettersOfNonDurableSubscriptionsAndTemporaryQueues() {
        String topic = client.topic("t");
        SubscribeOptions one = options("maxDeliveries", "1");
        long topicId = client.subscribe(1, topic, "", false, false, "", one);
        client.send(topic, TestMessage.of("of the topic"));
        fail(1, topicId);
        assertThat(client.texts(1, 10)).isEmpty();
        String temporary =
                client.ok(
                                o ->
                                        new Command.CreateTemporary(
                                                org.metaq.common.DestinationKind.TEMPORARY_QUEUE,
                                                o))
                        .split(" ")[0];
        long temporaryId = client.subscribe(2, temporary, "", false, false, "", one);
        client.send(temporary, TestMessage.of("of the temporary queue"));
        fail(2, temporaryId);
        assertThat(client.texts(2, 10)).isEmpty();
        assertThat(dead("DLQ"))
                .extracting(Envelope::messageId)
                .containsExactly("ID:of the topic", "ID:of the temporary queue");
    }

    @Test
    void shouldMoveWhatRollbacksOfBranchesBringBack() {
        long queueId = consume(1, options("maxDeliveries", "1"));
        client.send(queue, TestMessage.of("local"));
        client.receive(1, 1);
        BranchId local = BranchId.local("s", 1);
        client.ok(o -> new Command.Rollback(local, client.of(queueId, 0, 0), o));
        client.send(queue, TestMessage.of("prepared"));
        BranchId xa = BranchId.xa(1, new byte[] {1}, new byte[] {2});
        client.begin(xa);
        client.receive(1, 1);
        client.end(xa, client.of(queueId, 1, 1));
        assertThat(client.prepare(xa)).isEqualTo("0");
        client.closeConsumer(1);
        assertThat(client.connection.redeliveryOptions).isEmpty();
        client.rollback(xa);
        client.consume(1, queue);
        assertThat(client.texts(1, 10)).isEmpty();
        assertThat(dead("DLQ"))
                .extracting(Envelope::messageId)
                .containsExactly("ID:local", "ID:prepared");
    }

    private static final BranchId XA = BranchId.xa(1, new byte[] {1}, new byte[] {2});

    /** A branch that has received message 0. */
    private void worked(long queueId) {
        client.begin(XA);
        assertThat(client.receive(1, 1)).hasSize(1);
        client.end(XA, client.of(queueId, 0, 0));
    }

    private void rollBack(boolean delivered) {
        client.ok(o -> new Command.Rollback(XA, Settlement.NONE, delivered, "why", o));
    }

    @Test
    void shouldGiveBackAsNeverTakenWhatAnUnpreparedBranchHolds() {
        long queueId = consume(1, options("maxDeliveries", "1", "redeliveryDelay", "1000"));
        client.send(queue, "first");
        client.send(queue, "second");
        worked(queueId);
        rollBack(false);
        List<TestBroker.Received> again = client.receive(1, 10);
        assertThat(again).extracting(TestBroker.Received::text).containsExactly("first", "second");
        assertThat(again).extracting(TestBroker.Received::deliveryCount).containsExactly(1, 1);
        assertThat(again).extracting(TestBroker.Received::redelivered).containsOnly(false);
        assertThat(dead("DLQ")).isEmpty();
    }

    @Test
    void shouldGiveBackAsNeverTakenWhatALocalTransactionAndATopicsBranchHold() {
        long queueId = consume(1, options("maxDeliveries", "1"));
        client.send(queue, "a");
        client.receive(1, 1);
        client.ok(
                o ->
                        new Command.Rollback(
                                BranchId.local("s", 1), client.of(queueId, 0, 0), false, "", o));
        assertThat(client.texts(1, 10)).containsExactly("a");
        String topic = client.topic("t");
        long topicId =
                client.subscribe(2, topic, "", false, false, "", options("maxDeliveries", "1"));
        client.send(topic, "b");
        client.begin(XA);
        client.receive(2, 1);
        client.end(XA, client.of(topicId, 0, 0));
        rollBack(false);
        assertThat(client.receive(2, 10))
                .extracting(TestBroker.Received::deliveryCount)
                .containsExactly(1);
    }

    @Test
    void shouldKeepTheReasonOfARollbackInTheDeadLetter() {
        long queueId = consume(1, options("maxDeliveries", "1"));
        client.send(queue, TestMessage.of("bad"));
        worked(queueId);
        rollBack(true);
        assertThat(dead("DLQ").get(0).properties())
                .containsEntry("JMS_METAQ_DeadLetterException", "why");
    }

    @Test
    void shouldCountWhatAPreparedBranchGivesBackInAnyCaseAndKeepTheReason() {
        long queueId = consume(1, options("maxDeliveries", "1"));
        client.send(queue, TestMessage.of("bad"));
        worked(queueId);
        assertThat(client.prepare(XA)).isEqualTo("0");
        rollBack(false);
        assertThat(client.texts(1, 10)).isEmpty();
        assertThat(dead("DLQ").get(0).properties())
                .containsEntry("JMS_METAQ_DeadLetterException", "why");
    }

    /** Whatever consumers say. */
    private void limitDeliveries(int countMax) {
        broker.broker.reconfigure(
                TopicCatalog.of(
                        TopicSettings.defaults(1)
                                .with(
                                        RedeliveryPolicy.DEFAULT.with(
                                                Map.of(
                                                        "maxDeliveries",
                                                        Integer.toString(countMax))),
                                        "")));
    }

    @Test
    void shouldKeepTheReasonOfTheRollbackOfABranchThatWasPreparedBeforeARestart() {
        limitDeliveries(1);
        long queueId = client.consume(1, queue);
        client.send(queue, TestMessage.of("bad"));
        worked(queueId);
        client.prepare(XA);
        broker.restart();
        connect();
        limitDeliveries(1);
        rollBack(true);
        assertThat(dead("DLQ").get(0).properties())
                .containsEntry("JMS_METAQ_DeadLetterException", "why");
    }

    @Test
    void shouldGoByThePolicyOfTheDestinationWhereTheConsumerSaysNothing() {
        limitDeliveries(2);
        long queueId = client.consume(1, queue);
        client.send(queue, TestMessage.of("bad"));
        fail(1, queueId);
        fail(1, queueId);
        assertThat(client.texts(1, 10)).isEmpty();
        assertThat(dead("DLQ")).hasSize(1);
    }

    // ---- delay

    @Test
    void shouldHaveAMessageWaitAndOthersOvertakeIt() {
        long queueId = consume(1, options("redeliveryDelay", "100", "redeliveryBackOff", "3"));
        client.send(queue, "first");
        client.send(queue, "second");
        assertThat(fail(1, queueId).text()).isEqualTo("first");
        assertThat(client.texts(1, 10)).containsExactly("second");
        broker.advance(99);
        assertThat(client.texts(1, 10)).isEmpty();
        int waiting = client.acquire(1, 10, 60_000);
        broker.advance(1);
        assertThat(client.received(waiting))
                .extracting(TestBroker.Received::deliveryCount)
                .containsExactly(2);
        client.release(queueId, 0, 0, true);
        broker.advance(299);
        assertThat(client.texts(1, 10)).isEmpty();
        broker.advance(1);
        assertThat(client.texts(1, 10)).containsExactly("first");
    }

    @Test
    void shouldGoOnWaitingAfterARestart() {
        long queueId = consume(1, options("redeliveryDelay", "1000"));
        client.send(queue, "first");
        fail(1, queueId);
        broker.restart();
        connect();
        client.consume(1, queue);
        assertThat(client.texts(1, 10)).isEmpty();
        broker.advance(1000);
        assertThat(client.receive(1, 10))
                .extracting(TestBroker.Received::deliveryCount)
                .containsExactly(2);
    }

    @Test
    void shouldHoldBackAMessageGroupThatFailsInABatchWithSends() {
        SubscribeOptions strict = options("redeliveryDelay", "100", "strictOrder", "true");
        long queueId = consume(1, strict);
        client.send(queue, TestMessage.of("a1").group("a"));
        client.send(queue, TestMessage.of("a2").group("a"));
        assertThat(client.texts(1, 1)).containsExactly("a1");
        client.submitOnly(client.sendOf(queue, "x", null, 0, 0));
        client.ok(o -> new Command.Release(client.of(queueId, 0, 0), true, "why", o));
        assertThat(client.texts(1, 10)).containsExactly("x");
        broker.advance(100);
        assertThat(client.texts(1, 10)).containsExactly("a1");
        assertThat(client.texts(1, 10)).containsExactly("a2");
    }

    @Test
    void shouldHoldBackAMessageGroupBehindItsFailedHead() {
        SubscribeOptions strict = options("redeliveryDelay", "100", "strictOrder", "true");
        long queueId = consume(1, strict);
        client.send(queue, TestMessage.of("a1").group("a"));
        client.send(queue, TestMessage.of("a2").group("a"));
        client.send(queue, TestMessage.of("b1").group("b"));
        assertThat(fail(1, queueId).text()).isEqualTo("a1");
        assertThat(client.texts(1, 10)).containsExactly("b1");
        broker.crash();
        connect();
        consume(1, strict);
        assertThat(client.texts(1, 10)).containsExactly("b1");
        broker.advance(100);
        assertThat(client.texts(1, 10)).containsExactly("a1");
        assertThat(client.texts(1, 10)).containsExactly("a2");
    }

    // ---- expiry

    @Test
    void shouldGiveBackTheRoomOfMessagesThatExpireWhileTheirSubscriberIsAway() {
        String topic = client.topic("t");
        client.subscribe(1, topic, "sub", true, true);
        client.closeConsumer(1);
        client.send(topic, TestMessage.of("1").expires(broker.wallMs() + 1000));
        client.send(topic, TestMessage.of("2"));
        broker.advance(60_000);
        broker.advance(60_000);
        assertThat(broker.broker.admin().subscriptions())
                .filteredOn(s -> s.name().equals("sub"))
                .extracting(BrokerAdmin.SubscriptionStatus::backlog)
                .containsExactly(1L);
        assertThat(broker.broker.admin().expiredCount()).isEqualTo(1);
        client.subscribe(1, topic, "sub", true, true);
        assertThat(client.texts(1, 10)).containsExactly("2");
        assertThat(broker.broker.admin().expiredCount()).isEqualTo(1);
    }

    @Test
    void shouldMoveExpiredMessagesToTheQueueForThem() {
        broker.broker.reconfigure(
                TopicCatalog.of(
                        TopicSettings.defaults(1).with(RedeliveryPolicy.DEFAULT, "expired")));
        client.send(queue, TestMessage.of("1").expires(broker.wallMs() + 1000));
        client.consume(1, queue);
        long expiration = broker.wallMs() + 1000;
        broker.advance(1000);
        assertThat(client.texts(1, 10)).isEmpty();
        List<Envelope> expired = dead("expired");
        assertThat(expired).hasSize(1);
        assertThat(expired.get(0).expirationMs()).isZero();
        assertThat(expired.get(0).properties())
                .containsEntry("JMS_METAQ_DeadLetterReason", "EXPIRED")
                .containsEntry("JMS_METAQ_DeadLetterExpiration", expiration);
    }
}
