package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.broker.TestBroker.Client;
import org.metaq.broker.TestBroker.Received;
import org.metaq.common.BranchId;
import org.metaq.common.DestinationKind;
import org.metaq.protocol.Command;
import org.metaq.protocol.Command.Decision;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Settlement;

/** What the journal refuses has not happened: whoever asked for it may ask again. */
class BusyJournalTest {
    private static final BranchId XID = BranchId.xa(7, new byte[] {1}, new byte[] {2});

    @TempDir Path root;
    private TestBroker broker;
    private Client client;
    private String queue;
    private long subscription;

    @BeforeEach
    void start() {
        broker = new TestBroker(root, BrokerConfig.defaults(1));
        client = broker.connect();
        queue = client.queue("orders");
        client.send(queue, "consumed");
        subscription = client.consume(1, queue);
        assertThat(client.texts(1, 1)).containsExactly("consumed");
    }

    /** Does it twice: while the journal is busy, and when it is not any more. */
    private String refusedAtFirst(Client.Request request) {
        assertThat(whileBusy(() -> client.error(request))).isEqualTo(ErrorCode.BUSY);
        return client.ok(request);
    }

    private <T> T whileBusy(Supplier<T> action) {
        broker.isBusy = true;
        T result = action.get();
        broker.isBusy = false;
        return result;
    }

    /** A branch that sends to the queue and to a temporary one, and takes "consumed". */
    private void work(String temporary) {
        client.begin(XID);
        client.send(queue, "produced", XID);
        client.send(temporary, "temporary", XID);
        client.end(XID, client.of(subscription, 0, 0));
    }

    private String temporaryQueue() {
        String temporary =
                client.ok(o -> new Command.CreateTemporary(DestinationKind.TEMPORARY_QUEUE, o))
                        .split(" ")[0];
        client.consume(2, temporary);
        return temporary;
    }

    private Command commit(int opaque) {
        return new Command.Commit(XID, false, Settlement.NONE, opaque);
    }

    private Command rollback(int opaque) {
        return new Command.Rollback(XID, Settlement.NONE, opaque);
    }

    private void checkCommitted() {
        assertThat(client.texts(1, 10)).containsExactly("produced");
        assertThat(client.texts(2, 10)).containsExactly("temporary");
    }

    private void checkRolledBack() {
        assertThat(client.receive(1, 10)).containsExactly(new Received(0, 2, true, "consumed"));
        assertThat(client.texts(2, 10)).isEmpty();
    }

    @Test
    void shouldPrepareAndCommitABranchWhoseRecordsWereRefusedAtFirst() {
        work(temporaryQueue());
        assertThat(refusedAtFirst(o -> new Command.Prepare(XID, o))).isEqualTo("0");
        refusedAtFirst(this::commit);
        checkCommitted();
    }

    @Test
    void shouldCommitABranchInOnePhaseWhoseRecordWasRefusedAtFirst() {
        work(temporaryQueue());
        refusedAtFirst(o -> new Command.Commit(XID, true, Settlement.NONE, o));
        checkCommitted();
    }

    @Test
    void shouldRollBackAPreparedBranchWhoseRecordWasRefusedAtFirst() {
        work(temporaryQueue());
        client.prepare(XID);
        refusedAtFirst(this::rollback);
        checkRolledBack();
    }

    @Test
    void shouldRollBackABranchWhoseRecordWasRefusedAtFirst() {
        work(temporaryQueue());
        refusedAtFirst(this::rollback);
        checkRolledBack();
    }

    @Test
    void shouldKeepABranchWholeWhoseUncountedRollbackWasRefusedAtFirst() {
        work(temporaryQueue());
        Client.Request uncounted = o -> new Command.Rollback(XID, Settlement.NONE, false, "", o);
        assertThat(whileBusy(() -> client.error(uncounted))).isEqualTo(ErrorCode.BUSY);
        assertThat(client.texts(1, 10)).isEmpty();
        client.ok(uncounted);
        assertThat(client.receive(1, 10)).containsExactly(new Received(0, 1, false, "consumed"));
        assertThat(client.texts(2, 10)).isEmpty();
    }

    @Test
    void shouldSettleByHandABranchWhoseRecordWasRefusedAtFirst() {
        client.link.isLocal = true;
        work(temporaryQueue());
        client.prepare(XID);
        refusedAtFirst(o -> new Command.DecideBranch(XID, Decision.COMMIT, o));
        checkCommitted();
        refusedAtFirst(o -> new Command.DecideBranch(XID, Decision.FORGET, o));
    }

    @Test
    void shouldCommitALocalTransactionWhoseRecordWasRefusedAtFirst() {
        BranchId local = BranchId.local(client.connection.id(), 1);
        client.send(queue, "produced", local);
        Settlement acknowledged = client.of(subscription, 0, 0);
        refusedAtFirst(o -> new Command.Commit(local, true, acknowledged, o));
        assertThat(client.texts(1, 10)).containsExactly("produced");
    }

    @Test
    void shouldRollBackALocalTransactionWhoseRecordWasRefusedAtFirst() {
        BranchId local = BranchId.local(client.connection.id(), 1);
        Settlement delivered = client.of(subscription, 0, 0);
        refusedAtFirst(o -> new Command.Rollback(local, delivered, o));
        assertThat(client.receive(1, 10)).containsExactly(new Received(0, 2, true, "consumed"));
    }

    @Test
    void shouldRollBackTheBranchOfALostConnectionAsSoonAsTheJournalTakesIt() {
        work(temporaryQueue());
        whileBusy(
                () -> {
                    client.disconnect();
                    return null;
                });
        broker.broker.doWork();
        assertThat(broker.broker.state().branches()).isEmpty();
        client = broker.connect();
        client.consume(1, queue);
        assertThat(client.texts(1, 10)).containsExactly("consumed");
    }

    @Test
    void shouldRollBackABranchThatRanOutOfTimeAsSoonAsTheJournalTakesIt() {
        work(temporaryQueue());
        broker.isBusy = true;
        broker.advance(BrokerConfig.defaults(1).transactionTimeoutMs() + 1);
        broker.isBusy = false;
        broker.broker.doWork();
        assertThat(client.error(o -> new Command.Prepare(XID, o)))
                .isEqualTo(ErrorCode.XA_RBTIMEOUT);
        checkRolledBack();
    }

    @Test
    void shouldNotCommitABranchWithoutAMessageThatWasRefused() {
        client.begin(XID);
        client.send(queue, "first", XID);
        Client.Request second = client.sendOf(queue, "second", XID, 0, 0);
        assertThat(whileBusy(() -> client.error(second))).isEqualTo(ErrorCode.BUSY);
        client.end(XID, Settlement.NONE);
        assertThat(client.error(o -> new Command.Prepare(XID, o)))
                .isEqualTo(ErrorCode.XA_RBROLLBACK);
        assertThat(client.texts(1, 10)).isEmpty();
    }

    @Test
    void shouldNotCommitWithoutTheMessageThatWasRefusedTogetherWithTheCommit() {
        BranchId local = BranchId.local(client.connection.id(), 1);
        client.send(queue, "first", local);
        client.submitOnly(client.sendOf(queue, "second", local, 0, 0));
        Client.Request commit = o -> new Command.Commit(local, true, Settlement.NONE, o);
        assertThat(whileBusy(() -> client.error(commit))).isEqualTo(ErrorCode.BUSY);
        assertThat(client.error(commit)).isEqualTo(ErrorCode.XA_RBROLLBACK);
        assertThat(client.texts(1, 10)).isEmpty();
    }

    @Test
    void shouldAcknowledgeAndReleaseWhatWasRefusedAtFirst() {
        refusedAtFirst(o -> new Command.Release(client.of(subscription, 0, 0), true, o));
        assertThat(client.receive(1, 10)).containsExactly(new Received(0, 2, true, "consumed"));
        refusedAtFirst(o -> new Command.Acknowledge(client.of(subscription, 0, 0), o));
        assertThat(client.texts(1, 10)).isEmpty();
    }

    @Test
    void shouldRefuseAgainASendThatWasRefusedWhenALaterOneWasStored() {
        Client.Request refused = client.sendOf(queue, "refused", null, 9, 1);
        assertThat(whileBusy(() -> client.error(refused))).isEqualTo(ErrorCode.BUSY);
        client.ok(client.sendOf(queue, "later", null, 9, 2));
        assertThat(client.error(refused)).isEqualTo(ErrorCode.BUSY);
        assertThat(client.texts(1, 10)).containsExactly("later");
    }
}
