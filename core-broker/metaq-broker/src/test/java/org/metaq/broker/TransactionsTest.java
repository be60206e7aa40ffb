package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.broker.TestBroker.Client;
import org.metaq.broker.TestBroker.Received;
import org.metaq.common.BranchId;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Settlement;

/** Local and XA transactions through the broker's facade. */
class TransactionsTest {
    private static final BranchId XID = BranchId.xa(7, new byte[] {1}, new byte[] {2});

    @TempDir Path root;
    private TestBroker broker;
    private Client client;
    private String queue;

    @BeforeEach
    void start() {
        broker = new TestBroker(root, BrokerConfig.defaults(1));
        reconnect();
    }

    private void reconnect() {
        client = broker.connect();
        queue = client.queue("orders");
    }

    @Test
    void shouldShowALocalTransactionOnlyWhenItIsCommitted() {
        BranchId local = BranchId.local(client.connection.id(), 1);
        client.send(queue, "in", local);
        long subscription = client.consume(1, queue);
        assertThat(client.texts(1, 10)).isEmpty();
        client.ok(o -> new Command.Commit(local, true, Settlement.NONE, o));
        assertThat(client.texts(1, 10)).containsExactly("in");
        BranchId next = BranchId.local(client.connection.id(), 2);
        client.send(queue, "never", next);
        client.ok(o -> new Command.Rollback(next, client.of(subscription, 0, 0), o));
        assertThat(client.receive(1, 10)).containsExactly(new Received(0, 2, true, "in"));
    }

    @Test
    void shouldRollBackALocalTransactionWithItsConnection() {
        client.send(queue, "never", BranchId.local(client.connection.id(), 1));
        client.disconnect();
        reconnect();
        client.consume(1, queue);
        assertThat(client.texts(1, 10)).isEmpty();
        assertThat(broker.broker.state().branches()).isEmpty();
    }

    @Test
    void shouldNotTellThatALostLocalTransactionIsCommittedWhenItsCommitIsRepeated() {
        BranchId lost = BranchId.local(client.connection.id(), 1);
        assertThat(client.error(o -> new Command.Commit(lost, true, Settlement.NONE, o)))
                .isEqualTo(ErrorCode.XA_RBROLLBACK);
    }

    @Test
    void shouldTellThatAnXaBranchIsRolledBackOfWhichNothingWasDurable() {
        client.begin(XID);
        client.end(XID, Settlement.NONE);
        broker.crash();
        reconnect();
        assertThat(client.error(o -> new Command.Commit(XID, true, Settlement.NONE, o)))
                .isEqualTo(ErrorCode.XA_RBROLLBACK);
        assertThat(client.error(o -> new Command.Commit(XID, false, Settlement.NONE, o)))
                .isEqualTo(ErrorCode.XAER_NOTA);
    }

    private long prepareReceiveAndSend() {
        client.send(queue, "consumed");
        long subscription = client.consume(1, queue);
        client.begin(XID);
        client.send(queue, "produced", XID);
        assertThat(client.texts(1, 10)).containsExactly("consumed");
        client.end(XID, client.of(subscription, 0, 0));
        assertThat(client.prepare(XID)).isEqualTo("0");
        return subscription;
    }

    @Test
    void shouldKeepAPreparedBranchLockedAndInvisibleAcrossRestartsUntilItIsCommitted() {
        prepareReceiveAndSend();
        client.disconnect();
        for (int i = 0; i < 3; i++) {
            if (i == 1) {
                broker.restart();
            } else {
                broker.crash();
            }
            reconnect();
            assertThat(client.recover()).isEqualTo(XID.toString());
            client.consume(1, queue);
            assertThat(client.texts(1, 10)).isEmpty();
        }
        client.commit(XID, false);
        assertThat(client.texts(1, 10)).containsExactly("produced");
        assertThat(client.recover()).isEmpty();
        client.commit(XID, false);
        broker.crash();
        reconnect();
        client.commit(XID, false);
        assertThat(client.error(o -> new Command.Rollback(XID, Settlement.NONE, o)))
                .isEqualTo(ErrorCode.XAER_NOTA);
    }

    @Test
    void shouldGiveBackWhatAPreparedBranchHeldWhenItIsRolledBack() {
        prepareReceiveAndSend();
        client.rollback(XID);
        assertThat(client.receive(1, 10)).containsExactly(new Received(0, 2, true, "consumed"));
        client.rollback(XID);
        assertThat(client.error(o -> new Command.Commit(XID, false, Settlement.NONE, o)))
                .isEqualTo(ErrorCode.XA_RBROLLBACK);
    }

    @Test
    void shouldVoteReadOnlyForABranchThatDidNothing() {
        client.begin(XID);
        client.end(XID, Settlement.NONE);
        assertThat(client.prepare(XID)).isEqualTo("3");
        assertThat(client.error(o -> new Command.Commit(XID, false, Settlement.NONE, o)))
                .isEqualTo(ErrorCode.XAER_NOTA);
    }

    @Test
    void shouldRefuseWhatTheStateOfTheBranchDoesNotAllow() {
        assertThat(client.error(o -> new Command.Prepare(XID, o))).isEqualTo(ErrorCode.XAER_NOTA);
        client.begin(XID);
        assertThat(client.error(o -> new Command.Begin(XID, 0, Command.BeginMode.NEW, 0, o)))
                .isEqualTo(ErrorCode.XAER_DUPID);
        assertThat(client.error(o -> new Command.Prepare(XID, o))).isEqualTo(ErrorCode.XAER_PROTO);
        assertThat(client.error(o -> new Command.Begin(XID, 0, Command.BeginMode.RESUME, 0, o)))
                .isEqualTo(ErrorCode.XAER_PROTO);
        client.send(queue, "a", XID);
        client.end(XID, Settlement.NONE);
        assertThat(client.error(o -> new Command.Commit(XID, false, Settlement.NONE, o)))
                .isEqualTo(ErrorCode.XAER_PROTO);
        client.prepare(XID);
        assertThat(client.error(o -> new Command.Commit(XID, true, Settlement.NONE, o)))
                .isEqualTo(ErrorCode.XAER_PROTO);
        assertThat(client.error(o -> new Command.Begin(XID, 0, Command.BeginMode.NEW, 0, o)))
                .isEqualTo(ErrorCode.XAER_DUPID);
        assertThat(client.error(o -> new Command.Prepare(XID, o))).isEqualTo(ErrorCode.XAER_PROTO);
        client.commit(XID, false);
    }

    @Test
    void shouldRollBackABranchThatWasEndedAsFailed() {
        client.begin(XID);
        client.send(queue, "never", XID);
        client.ok(o -> new Command.End(XID, 0, Command.EndMode.FAIL, Settlement.NONE, o));
        assertThat(client.error(o -> new Command.Prepare(XID, o)))
                .isEqualTo(ErrorCode.XA_RBROLLBACK);
        client.consume(1, queue);
        assertThat(client.texts(1, 10)).isEmpty();
    }

    @Test
    void shouldRollBackAnUnpreparedBranchWhenItsTimeIsOver() {
        client.ok(o -> new Command.Begin(XID, 0, Command.BeginMode.NEW, 5, o));
        client.send(queue, "never", XID);
        broker.advance(5_000);
        assertThat(
                        client.error(
                                o ->
                                        new Command.End(
                                                XID,
                                                0,
                                                Command.EndMode.SUCCESS,
                                                Settlement.NONE,
                                                o)))
                .isEqualTo(ErrorCode.XA_RBTIMEOUT);
        client.consume(1, queue);
        assertThat(client.texts(1, 10)).isEmpty();
    }

    @Test
    void shouldLetASecondConnectionJoinAndLoseTheBranchWithEither() {
        Client other = broker.connect();
        client.begin(XID);
        other.ok(o -> new Command.Begin(XID, 0, Command.BeginMode.JOIN, 0, o));
        other.send(queue, "never", XID);
        client.end(XID, Settlement.NONE);
        assertThat(client.error(o -> new Command.Prepare(XID, o))).isEqualTo(ErrorCode.XAER_PROTO);
        other.disconnect();
        assertThat(client.error(o -> new Command.Prepare(XID, o)))
                .isEqualTo(ErrorCode.XA_RBROLLBACK);
    }

    @Test
    void shouldRefuseATransactionBeyondTheLimitAndLiveOn() {
        BrokerConfig d = BrokerConfig.defaults(1);
        broker =
                new TestBroker(
                        root.resolve("small"),
                        new BrokerConfig(
                                1,
                                d.topics(),
                                true,
                                d.maxMessageSizeBytes(),
                                100,
                                0,
                                d.transactionTimeoutMs(),
                                d.outcomeRetentionMs(),
                                d.outcomeCountMax(),
                                d.checkpointBytes(),
                                d.checkpointIntervalMs(),
                                d.maxSegmentSizeBytes(),
                                d.maxTransferSizeBytes(),
                                true,
                                0));
        reconnect();
        BranchId local = BranchId.local("s", 1);
        client.send(queue, "x".repeat(60), local);
        assertThat(client.error(client.sendOf(queue, "x".repeat(60), local, 0, 0)))
                .isEqualTo(ErrorCode.TRANSACTION_TOO_LARGE);
        assertThat(client.error(o -> new Command.Commit(local, true, Settlement.NONE, o)))
                .isEqualTo(ErrorCode.XA_RBROLLBACK);
        client.send(queue, "fine");
        client.consume(1, queue);
        assertThat(client.texts(1, 10)).containsExactly("fine");
    }

    @Test
    void shouldSpillALargeTransactionAndCommitItAfterARestart() {
        client.begin(XID);
        for (int i = 0; i < 120; i++) {
            client.send(queue, i + "-" + "x".repeat(10_000), XID);
        }
        assertThat(root.resolve("spill")).isNotEmptyDirectory();
        client.end(XID, Settlement.NONE);
        client.prepare(XID);
        broker.restart();
        reconnect();
        broker.crash();
        reconnect();
        client.commit(XID, false);
        broker.crash();
        reconnect();
        client.consume(1, queue);
        List<String> texts = new ArrayList<>(client.texts(1, 60));
        texts.addAll(client.texts(1, 60));
        assertThat(texts).hasSize(120).last().asString().startsWith("119-");
        broker.restart();
        assertThat(root.resolve("spill")).isEmptyDirectory();
    }
}
