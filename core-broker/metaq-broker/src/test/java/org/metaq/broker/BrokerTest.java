package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.broker.TestBroker.Client;
import org.metaq.broker.TestBroker.Received;
import org.metaq.common.BranchId;
import org.metaq.common.DestinationKind;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Settlement;
import org.metaq.store.journal.JournalOptions;

/** Destinations, subscriptions, acquire and settlement through the broker's facade. */
class BrokerTest {
    @TempDir Path root;
    private TestBroker broker;
    private Client client;

    @BeforeEach
    void start() {
        broker = new TestBroker(root, BrokerConfig.defaults(1));
        client = broker.connect();
    }

    @Test
    void shouldDeliverInOrderAndForgetWhatIsAcknowledged() {
        String queue = client.queue("orders");
        long subscription = client.consume(1, queue);
        client.send(queue, "a");
        client.send(queue, "b");
        client.send(queue, "c");
        assertThat(client.receive(1, 2))
                .containsExactly(new Received(0, 1, false, "a"), new Received(1, 1, false, "b"));
        client.acknowledge(subscription, 0, 1);
        broker.crash();
        client = broker.connect();
        client.consume(1, queue);
        assertThat(client.texts(1, 10)).containsExactly("c");
    }

    @Test
    void shouldEndWhenAnsweringACommandThrows() {
        Command resolve = new Command.Resolve(DestinationKind.QUEUE, "new", 77);
        broker.broker.submit(client.connection, resolve);
        broker.broker.submit(client.connection, resolve);
        assertThatThrownBy(broker.broker::doWork)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("a second reply to 77");
    }

    @Test
    void shouldAnswerAWaitingAcquireWhenAMessageComes() {
        String queue = client.queue("orders");
        client.consume(1, queue);
        int acquire = client.acquire(1, 10, 30_000);
        assertThat(client.link.deliveries).doesNotContainKey(acquire);
        broker.connect().send(queue, "late");
        assertThat(client.received(acquire)).extracting(Received::text).containsExactly("late");
    }

    @Test
    void shouldAnswerAWaitingAcquireEmptyWhenItsTimeIsOver() {
        client.consume(1, client.queue("orders"));
        int acquire = client.acquire(1, 10, 1_000);
        broker.advance(999);
        assertThat(client.link.deliveries).doesNotContainKey(acquire);
        broker.advance(1);
        assertThat(client.received(acquire)).isEmpty();
    }

    @Test
    void shouldAnswerVersionBehindTheDeliveriesOfItsCycle() {
        String queue = client.queue("orders");
        client.consume(1, queue);
        client.send(queue, "a");
        broker.broker.submit(client.connection, new Command.Acquire(1, 10, 1 << 20, 30_000, 901));
        broker.broker.submit(client.connection, new Command.Version(902));
        assertThat(client.link.results).doesNotContainKey(902);
        broker.broker.doWork();
        assertThat(client.link.order).endsWith(901, 902);
    }

    @Test
    void shouldAnswerWhatCameBeforeAQuitOfTheSameCycle() {
        String queue = client.queue("q");
        int replies = client.link.order.size();
        client.submitOnly(client.sendOf(queue, "last", null, 0, 0));
        client.submit(Command.Quit::new);
        assertThat(client.link.closed).containsExactly("quit");
        assertThat(client.link.repliesBeforeClose).isEqualTo(replies + 1);
    }

    @Test
    void shouldRefuseToUnsubscribeWhileMessagesAreNotSettled() {
        Client named = broker.connect("id");
        String topic = named.topic("news");
        long subscription = named.subscribe(1, topic, "audit", true, false);
        named.send(topic, "a");
        named.send(topic, "b");
        assertThat(named.texts(1, 2)).containsExactly("a", "b");
        named.ok(o -> new Command.CloseConsumer(1, Settlement.NONE, o));
        Client.Request unsubscribe = o -> new Command.Unsubscribe("audit", o);
        assertThat(named.error(unsubscribe)).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        named.acknowledge(subscription, 0, 0);
        BranchId branch = BranchId.xa(1, new byte[] {1}, new byte[] {2});
        named.begin(branch);
        named.end(branch, named.of(subscription, 1, 1));
        assertThat(named.error(unsubscribe)).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        named.prepare(branch);
        assertThat(named.error(unsubscribe)).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        named.commit(branch, false);
        named.ok(unsubscribe);
        assertThat(named.error(unsubscribe)).isEqualTo(ErrorCode.NO_SUCH_SUBSCRIPTION);
    }

    @Test
    void shouldShareAQueueAmongConsumersOneMessageEach() {
        String queue = client.queue("orders");
        client.consume(1, queue);
        Client other = broker.connect();
        other.consume(1, queue);
        int first = client.acquire(1, 10, 30_000);
        int second = other.acquire(1, 10, 30_000);
        client.send(queue, "a");
        client.send(queue, "b");
        assertThat(client.received(first)).extracting(Received::text).containsExactly("a");
        assertThat(other.received(second)).extracting(Received::text).containsExactly("b");
    }

    @Test
    void shouldGiveBackInOrderWithTheDeliveryCountAcrossACrash() {
        String queue = client.queue("orders");
        long subscription = client.consume(1, queue);
        client.send(queue, "a");
        client.send(queue, "b");
        client.receive(1, 10);
        client.release(subscription, 0, 0, true);
        client.release(subscription, 1, 1, false);
        assertThat(client.receive(1, 10))
                .containsExactly(new Received(0, 2, true, "a"), new Received(1, 1, false, "b"));
        client.release(subscription, 0, 0, true);
        broker.crash();
        client = broker.connect();
        client.consume(1, queue);
        assertThat(client.receive(1, 1)).containsExactly(new Received(0, 3, true, "a"));
    }

    @Test
    void shouldFlagWhatALostConnectionHeldAndNothingElse() {
        String queue = client.queue("orders");
        client.consume(1, queue);
        client.send(queue, "held");
        client.receive(1, 10);
        client.disconnect();
        Client next = broker.connect();
        next.send(queue, "new");
        next.consume(1, queue);
        assertThat(next.receive(1, 10)).containsExactly(new Received(0, 2, true, "held"));
        assertThat(next.receive(1, 10)).containsExactly(new Received(1, 1, false, "new"));
    }

    @Test
    void shouldFlagAfterARestartOnlyWhatMayHaveBeenDelivered() {
        String queue = client.queue("orders");
        client.consume(1, queue);
        int acquire = client.acquire(1, 1, 30_000);
        client.send(queue, "held");
        assertThat(client.received(acquire)).hasSize(1);
        client.send(queue, "never handed out");
        broker.crash();
        client = broker.connect();
        client.consume(1, queue);
        assertThat(client.receive(1, 10)).containsExactly(new Received(0, 2, true, "held"));
        assertThat(client.receive(1, 10))
                .containsExactly(new Received(1, 1, false, "never handed out"));
    }

    @Test
    void shouldRefuseToSettleWhatTheConnectionDoesNotHold() {
        String queue = client.queue("orders");
        long subscription = client.consume(1, queue);
        client.send(queue, "a");
        Settlement settlement = client.of(subscription, 0, 0);
        assertThat(client.error(o -> new Command.Acknowledge(settlement, o)))
                .isEqualTo(ErrorCode.NOT_ACQUIRED);
        client.receive(1, 1);
        assertThat(broker.connect().error(o -> new Command.Release(settlement, true, o)))
                .isEqualTo(ErrorCode.NOT_ACQUIRED);
        client.acknowledge(subscription, 0, 0);
        assertThat(client.error(o -> new Command.Acknowledge(settlement, o)))
                .isEqualTo(ErrorCode.NOT_ACQUIRED);
    }

    @Test
    void shouldStoreARepeatedSendOnceAlsoAcrossACrash() {
        String queue = client.queue("orders");
        String first = client.ok(client.sendOf(queue, "a", null, 77, 1));
        assertThat(client.ok(client.sendOf(queue, "a", null, 77, 1))).isEqualTo(first);
        broker.crash();
        client = broker.connect();
        assertThat(client.ok(client.sendOf(queue, "a", null, 77, 1))).isEqualTo(first);
        client.ok(client.sendOf(queue, "b", null, 77, 2));
        client.consume(1, queue);
        assertThat(client.texts(1, 10)).containsExactly("a", "b");
    }

    @Test
    void shouldKeepADurableSubscriptionAndDropANonDurableOne() {
        client = broker.connect("client-1");
        String topic = client.topic("news");
        client.subscribe(1, topic, "durable", true, false);
        client.consume(2, topic);
        client.send(topic, "a");
        assertThat(client.texts(2, 10)).containsExactly("a");
        client.disconnect();
        broker.connect().send(topic, "b");
        broker.restart();
        client = broker.connect("client-1");
        client.subscribe(1, topic, "durable", true, false);
        client.consume(2, topic);
        assertThat(client.texts(1, 10)).containsExactly("a", "b");
        assertThat(client.texts(2, 10)).isEmpty();
    }

    @Test
    void shouldStartAnewWhenADurableSubscriptionIsTakenToAnotherTopic() {
        client = broker.connect("client-1");
        String news = client.topic("news");
        String other = client.topic("other");
        client.subscribe(1, news, "sub", true, false);
        assertThat(subscribeError(client, 2, other)).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        client.ok(o -> new Command.CloseConsumer(1, Settlement.NONE, o));
        client.send(news, "old");
        client.subscribe(2, other, "sub", true, false);
        client.send(other, "new");
        assertThat(client.texts(2, 10)).containsExactly("new");
    }

    private static ErrorCode subscribeError(Client client, int consumer, String topic) {
        return client.error(
                o -> new Command.Subscribe(consumer, topic, "sub", true, false, false, "", o));
    }

    @Test
    void shouldUnsubscribeOnlyWithoutActiveConsumers() {
        client = broker.connect("client-1");
        client.subscribe(1, client.topic("news"), "sub", true, false);
        assertThat(client.error(o -> new Command.Unsubscribe("sub", o)))
                .isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        client.ok(o -> new Command.CloseConsumer(1, Settlement.NONE, o));
        client.ok(o -> new Command.Unsubscribe("sub", o));
        assertThat(client.error(o -> new Command.Unsubscribe("sub", o)))
                .isEqualTo(ErrorCode.NO_SUCH_SUBSCRIPTION);
    }

    @Test
    void shouldGiveAClientIdToOneConnectionAtATime() {
        Client first = broker.connect("id");
        Client second = broker.connect();
        assertThat(second.error(o -> new Command.SetClientId("id", o)))
                .isEqualTo(ErrorCode.CLIENT_ID_IN_USE);
        first.disconnect();
        second.ok(o -> new Command.SetClientId("id", o));
    }

    @Test
    void shouldKeepTemporaryDestinationsToTheirConnection() {
        String text =
                client.ok(
                        o ->
                                new Command.CreateTemporary(
                                        org.metaq.common.DestinationKind.TEMPORARY_QUEUE, o));
        String queue = text.split(" ")[0];
        Client other = broker.connect();
        assertThat(
                        other.error(
                                o ->
                                        new Command.Subscribe(
                                                1, queue, "", false, false, false, "", o)))
                .isEqualTo(ErrorCode.FORBIDDEN);
        other.send(queue, "reply");
        client.consume(1, queue);
        assertThat(client.texts(1, 10)).containsExactly("reply");
        assertThat(client.error(o -> new Command.DeleteTemporary(queue, o)))
                .isEqualTo(ErrorCode.DESTINATION_IN_USE);
        client.disconnect();
        assertThat(other.error(other.sendOf(queue, "lost", null, 0, 0)))
                .isEqualTo(ErrorCode.NO_SUCH_DESTINATION);
    }

    @Test
    void shouldAskForOpenFirst() {
        TestLink link = new TestLink();
        BrokerConnection connection = broker.broker.connect(link);
        broker.broker.submit(
                connection, new Command.Resolve(org.metaq.common.DestinationKind.QUEUE, "q", 1));
        assertThat(link.results.get(1).error()).isEqualTo(ErrorCode.UNAUTHORIZED);
    }

    @Test
    void shouldReadItsOwnCheckpointAndGoOn() {
        String queue = client.queue("orders");
        long subscription = client.consume(1, queue);
        for (int i = 0; i < 100; i++) {
            client.send(queue, "m" + i);
        }
        client.receive(1, 50);
        client.acknowledge(subscription, 0, 9);
        client.acknowledge(subscription, 20, 29);
        broker.restart();
        client = broker.connect();
        client.consume(1, queue);
        List<String> texts = client.texts(1, 1000);
        assertThat(texts)
                .hasSize(80)
                .startsWith("m10")
                .endsWith("m99")
                .doesNotContain("m20", "m29");
    }

    @Test
    void shouldRefuseSendsButServeConsumersWhenTheDiskIsNearlyFull() {
        String queue = client.queue("orders");
        client.send(queue, "a");
        broker.usableBytes = BrokerConfig.defaults(1).minFreeBytes() - 1;
        broker.advance(1_000);
        assertThat(client.error(client.sendOf(queue, "b", null, 0, 0)))
                .isEqualTo(ErrorCode.DISK_FULL);
        long subscription = client.consume(1, queue);
        assertThat(client.texts(1, 10)).containsExactly("a");
        client.acknowledge(subscription, 0, 0);
        broker.usableBytes = Long.MAX_VALUE;
        broker.advance(1_000);
        client.send(queue, "c");
        assertThat(client.texts(1, 10)).containsExactly("c");
    }

    @Test
    void shouldForgetARefusalOfASendThatIsStoredLater() {
        String queue = client.queue("orders");
        broker.usableBytes = 0;
        broker.advance(1_000);
        assertThat(client.error(client.sendOf(queue, "a", null, 7, 1)))
                .isEqualTo(ErrorCode.DISK_FULL);
        broker.usableBytes = Long.MAX_VALUE;
        broker.advance(1_000);
        String stored = client.ok(client.sendOf(queue, "a", null, 7, 1));
        assertThat(client.ok(client.sendOf(queue, "a", null, 7, 1))).isEqualTo(stored);
        client.consume(1, queue);
        assertThat(client.texts(1, 10)).containsExactly("a");
    }

    @Test
    void shouldRefuseASendAgainThatWasRefusedBelowAStoredOne() {
        String queue = client.queue("orders");
        broker.usableBytes = 0;
        broker.advance(1_000);
        assertThat(client.error(client.sendOf(queue, "a", null, 7, 1)))
                .isEqualTo(ErrorCode.DISK_FULL);
        broker.usableBytes = Long.MAX_VALUE;
        broker.advance(1_000);
        client.ok(client.sendOf(queue, "b", null, 7, 2));
        assertThat(client.error(client.sendOf(queue, "a", null, 7, 1)))
                .isEqualTo(ErrorCode.DISK_FULL);
        client.consume(1, queue);
        assertThat(client.texts(1, 10)).containsExactly("b");
    }

    @Test
    void shouldTakeALargeMessageBehindManySmallOnesOfTheSameCycle() {
        TestBroker wide =
                new TestBroker(root.resolve("wide"), BrokerConfig.defaults(1)) {
                    @Override
                    JournalOptions journal() {
                        return JournalOptions.DEFAULT.withLengths(1 << 20, 4_200_000);
                    }
                };
        client = wide.connect();
        String queue = client.queue("orders");
        for (int i = 0; i < 30; i++) {
            client.submitOnly(client.sendOf(queue, "s".repeat(60_000), null, 0, 0));
        }
        client.submitOnly(client.sendOf(queue, "l".repeat(4_000_000), null, 0, 0));
        for (int i = 0; i < 30; i++) {
            client.submitOnly(client.sendOf(queue, "s".repeat(60_000), null, 0, 0));
        }
        wide.broker.doWork();
        assertThat(wide.broker.state().topic(queue).partitions().get(0).log().endSequence())
                .isEqualTo(61);
    }
}
