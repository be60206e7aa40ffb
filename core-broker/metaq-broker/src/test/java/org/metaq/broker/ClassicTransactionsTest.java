package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.common.BranchId;
import org.metaq.protocol.Command;
import org.metaq.protocol.Command.TransactionType;

/** MetaQ's {@code transaction} and puts with a key; sections of the original are its behaviour. */
class ClassicTransactionsTest {
    private static final BranchId LOCAL = BranchId.local("127.0.0.1-1-1", 1);
    private static final BranchId XID = BranchId.parse("XID:100:0102:0304:host-1");

    @TempDir Path root;

    private TestBroker broker;
    private TestBroker.Client client;

    @BeforeEach
    void start() {
        broker = new TestBroker(root, BrokerConfig.defaults(1));
        client = broker.connectClassic();
        client.answer(put("test", 0, "first", null, -1));
    }

    private static TestBroker.Client.Request put(
            String topic, int partition, String text, @Nullable BranchId branch, int checksum) {
        ByteBuffer body = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        return o -> new Command.Put(topic, partition, 0, checksum, branch, body, o);
    }

    private static TestBroker.Client.Request put(String text, BranchId branch) {
        return put("test", 0, text, branch, -1);
    }

    private static TestBroker.Client.Request transaction(
            @Nullable BranchId branch, TransactionType type) {
        return transaction(branch, type, 0, "");
    }

    private static TestBroker.Client.Request transaction(
            @Nullable BranchId branch, TransactionType type, int timeout, String qualifier) {
        return o -> new Command.Transaction(branch, "s", type, timeout, qualifier, o);
    }

    private String stored() {
        return broker.connectClassic().answer(o -> new Command.Get("test", "g", 0, 0, 1 << 20, o));
    }

    @Test
    void shouldShowNothingOfALocalTransactionBeforeItsCommitAndAllAfterIt() {
        assertThat(client.answer(transaction(LOCAL, TransactionType.BEGIN))).isEqualTo("200 ");
        assertThat(client.answer(transaction(LOCAL, TransactionType.BEGIN))).isEqualTo("200 ");
        assertThat(client.answer(put("one", LOCAL))).matches("200 \\d+ 0 -1");
        assertThat(client.answer(put("two", LOCAL))).matches("200 \\d+ 0 -1");
        assertThat(stored()).doesNotContain("one");
        assertThat(client.answer(transaction(LOCAL, TransactionType.COMMIT_ONE_PHASE)))
                .isEqualTo("200 ");
        assertThat(stored()).contains("one").contains("two");
        assertThat(client.answer(transaction(LOCAL, TransactionType.COMMIT_ONE_PHASE)))
                .isEqualTo("500 Local transaction 'TX:127.0.0.1-1-1:1' has not been started.");
    }

    @Test
    void shouldForgetARolledBackLocalTransaction() {
        client.answer(transaction(LOCAL, TransactionType.BEGIN));
        client.answer(put("gone", LOCAL));
        assertThat(client.answer(transaction(LOCAL, TransactionType.ROLLBACK))).isEqualTo("200 ");
        assertThat(stored()).doesNotContain("gone");
    }

    @Test
    void shouldKeepALocalTransactionToItsConnection() {
        client.answer(transaction(LOCAL, TransactionType.BEGIN));
        client.answer(put("mine", LOCAL));
        TestBroker.Client other = broker.connectClassic();
        assertThat(other.answer(transaction(LOCAL, TransactionType.BEGIN)))
                .startsWith("500 XAException:code=-8,");
        assertThat(other.answer(put("yours", LOCAL))).startsWith("500 Local transaction");
        assertThat(other.answer(transaction(LOCAL, TransactionType.COMMIT_ONE_PHASE)))
                .startsWith("500 Local transaction");
        assertThat(other.answer(transaction(LOCAL, TransactionType.ROLLBACK)))
                .startsWith("500 Local transaction");
        assertThat(client.answer(transaction(LOCAL, TransactionType.COMMIT_ONE_PHASE)))
                .isEqualTo("200 ");
    }

    /** The original keeps transactions of dead connections, their messages and journal files. */
    @Test
    void shouldRollBackTheLocalTransactionsOfALostConnection() {
        client.answer(transaction(LOCAL, TransactionType.BEGIN));
        client.answer(put("lost", LOCAL));
        client.disconnect();
        assertThat(broker.broker.state().branches()).isEmpty();
        assertThat(stored()).doesNotContain("lost");
    }

    @Test
    void shouldRefusePutsThatDoNotFitInATransaction() {
        assertThat(client.answer(put("x", LOCAL)))
                .isEqualTo("500 Local transaction 'TX:127.0.0.1-1-1:1' has not been started.");
        client.answer(transaction(LOCAL, TransactionType.BEGIN));
        assertThat(client.answer(put("test", -1, "x", LOCAL, -1)))
                .startsWith("500 ")
                .contains("Invalid partition for transaction command:-1");
        // the original takes a wrong checksum inside a transaction
        assertThat(client.answer(put("test", 0, "x", LOCAL, 77)))
                .startsWith("500 Put message to [broker '")
                .contains("'] [partition 'test-0'] failed.Detail:")
                .contains("checksum");
        assertThat(client.answer(put("fine", LOCAL))).startsWith("200 ");
        assertThat(client.answer(transaction(LOCAL, TransactionType.COMMIT_ONE_PHASE)))
                .isEqualTo("200 ");
        assertThat(stored()).contains("fine");
    }

    @Test
    void shouldRollBackWhatRunsLongerThanItsTimeoutButNothingPrepared() {
        BranchId second = BranchId.parse("XID:100:0102:0305:host-1");
        client.answer(transaction(XID, TransactionType.BEGIN, 5, "host-1"));
        client.answer(put("a", XID));
        client.answer(transaction(second, TransactionType.BEGIN, 5, "host-1"));
        client.answer(put("b", second));
        client.answer(transaction(second, TransactionType.PREPARE));
        client.answer(transaction(LOCAL, TransactionType.BEGIN));
        broker.advance(6_000);
        assertThat(client.answer(transaction(XID, TransactionType.PREPARE)))
                .startsWith("500 XAException:code=106,msg=");
        assertThat(client.answer(transaction(second, TransactionType.COMMIT_TWO_PHASE)))
                .isEqualTo("200 ");
        assertThat(client.answer(put("c", LOCAL))).startsWith("200 ");
        broker.advance(60_000);
        assertThat(client.answer(put("c", LOCAL))).startsWith("500 ");
        assertThat(stored()).contains("b");
    }

    @Test
    void shouldFinishAnXaBranchFromAnotherConnectionAndAfterAnEndThatIsStillOnItsWay() {
        assertThat(client.answer(transaction(XID, TransactionType.BEGIN, 30, "host-1")))
                .isEqualTo("200 ");
        client.answer(put("x", XID));
        TestBroker.Client other = broker.connectClassic();
        assertThat(other.answer(transaction(XID, TransactionType.COMMIT_TWO_PHASE)))
                .startsWith("500 XAException:code=-6,msg=");
        assertThat(other.answer(transaction(XID, TransactionType.PREPARE))).isEqualTo("200 0");
        int end = client.submit(transaction(XID, TransactionType.END));
        assertThat(client.link.results).doesNotContainKey(end);
        assertThat(other.answer(transaction(XID, TransactionType.PREPARE)))
                .startsWith("500 XAException:code=-6,msg=");
        assertThat(other.answer(transaction(XID, TransactionType.COMMIT_TWO_PHASE)))
                .isEqualTo("200 ");
        assertThat(stored()).contains("x");
    }

    @Test
    void shouldVoteReadOnlyAndForgetABranchThatPutNothing() {
        client.answer(transaction(XID, TransactionType.BEGIN));
        client.submit(transaction(XID, TransactionType.END));
        assertThat(client.answer(transaction(XID, TransactionType.PREPARE))).isEqualTo("200 3");
        assertThat(client.answer(transaction(XID, TransactionType.COMMIT_TWO_PHASE)))
                .isEqualTo(
                        "500 XAException:code=-4,msg=XA transaction"
                                + " 'XID:100:0102:0304:host-1' has not been started.");
        assertThat(client.answer(transaction(XID, TransactionType.FORGET))).isEqualTo("200 ");
    }

    @Test
    void shouldCommitInOnePhaseAlsoWhatIsPrepared() {
        client.answer(transaction(XID, TransactionType.BEGIN));
        client.answer(put("one phase", XID));
        assertThat(client.answer(transaction(XID, TransactionType.COMMIT_ONE_PHASE)))
                .isEqualTo("200 ");
        client.answer(transaction(LOCAL, TransactionType.BEGIN));
        assertThat(client.answer(transaction(LOCAL, TransactionType.PREPARE)))
                .startsWith("500 XAException:code=-3,msg=");
        BranchId second = BranchId.parse("XID:100:0102:0305:host-1");
        client.answer(transaction(second, TransactionType.BEGIN));
        client.answer(put("prepared", second));
        client.answer(transaction(second, TransactionType.PREPARE));
        assertThat(client.answer(transaction(second, TransactionType.COMMIT_ONE_PHASE)))
                .isEqualTo("200 ");
        assertThat(stored()).contains("one phase").contains("prepared");
    }

    /** Section 4.5, weaknesses 1 and 2: a checkpoint, a kill, new puts, and then the commit. */
    @Test
    void shouldKeepAPreparedBranchOverCheckpointAndCrashAndCommitItBehindNewMessages() {
        client.answer(transaction(XID, TransactionType.BEGIN, 30, "host-1"));
        client.answer(put("prepared", XID));
        client.answer(transaction(XID, TransactionType.PREPARE));
        // a clean stop takes a checkpoint
        broker.restart();
        broker.crash();
        client = broker.connectClassic();
        assertThat(client.answer(transaction(null, TransactionType.RECOVER, 0, "host-1")))
                .isEqualTo("200 XID:100:0102:0304:host-1");
        assertThat(client.answer(transaction(null, TransactionType.RECOVER, 0, "other")))
                .isEqualTo("200 ");
        for (int i = 0; i < 5; i++) {
            client.answer(put("test", 0, "new " + i, null, -1));
        }
        assertThat(client.answer(transaction(XID, TransactionType.COMMIT_TWO_PHASE)))
                .isEqualTo("200 ");
        broker.crash();
        String all = stored();
        assertThat(all).startsWith("200 ").contains("first");
        for (int i = 0; i < 5; i++) {
            assertThat(all.indexOf("new " + i)).isBetween(1, all.indexOf("prepared"));
        }
        assertThat(
                        broker.connectClassic()
                                .answer(transaction(null, TransactionType.RECOVER, 0, "host-1")))
                .isEqualTo("200 ");
    }

    @Test
    void shouldTellTheManagerWhatAnOperatorDecidedUntilItForgets() {
        BranchId second = BranchId.parse("XID:100:0102:0305:host-1");
        for (BranchId id : new BranchId[] {XID, second}) {
            client.answer(transaction(id, TransactionType.BEGIN));
            client.answer(put("by hand " + id, id));
            client.answer(transaction(id, TransactionType.PREPARE));
        }
        var committed = broker.broker.admin().commitHeuristically(XID.toString());
        var rolledBack = broker.broker.admin().rollbackHeuristically(second.toString());
        broker.broker.doWork();
        assertThat(committed).isCompleted();
        assertThat(rolledBack).isCompleted();
        assertThat(stored()).contains("by hand " + XID).doesNotContain("by hand " + second);
        broker.restart();
        client = broker.connectClassic();
        assertThat(client.answer(transaction(XID, TransactionType.ROLLBACK)))
                .startsWith("500 XAException:code=7,");
        assertThat(client.answer(transaction(second, TransactionType.COMMIT_TWO_PHASE)))
                .startsWith("500 XAException:code=6,");
        assertThat(client.answer(transaction(null, TransactionType.RECOVER)))
                .isEqualTo("200 " + XID + "\r\n" + second);
        assertThat(client.answer(transaction(XID, TransactionType.FORGET))).isEqualTo("200 ");
        assertThat(client.answer(transaction(second, TransactionType.FORGET))).isEqualTo("200 ");
        assertThat(client.answer(transaction(null, TransactionType.RECOVER))).isEqualTo("200 ");
        assertThat(client.answer(transaction(XID, TransactionType.COMMIT_TWO_PHASE)))
                .startsWith("500 XAException:code=-4,");
    }
}
