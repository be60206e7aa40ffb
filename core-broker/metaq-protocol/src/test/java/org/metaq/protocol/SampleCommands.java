package org.metaq.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.metaq.common.BranchId;
import org.metaq.common.DestinationKind;
import org.metaq.common.SequenceRange;

/** At least one command of every kind, at the edges of what they may hold. */
final class SampleCommands {
    static final BranchId LOCAL = BranchId.local("c1", 7);
    static final BranchId XA =
            BranchId.xa(4660, new byte[] {1, 2, (byte) 0xFE}, new byte[] {(byte) 0xFF, 0});
    static final Settlement SETTLEMENT =
            new Settlement(
                    List.of(
                            new Settlement.Entry(
                                    5,
                                    0,
                                    List.of(new SequenceRange(0, 9), new SequenceRange(12, 12))),
                            new Settlement.Entry(
                                    Long.MAX_VALUE,
                                    127,
                                    List.of(new SequenceRange(3, Long.MAX_VALUE)))));

    private SampleCommands() {}

    static List<Command> all() {
        ByteBuffer body = bytes("hello");
        return List.of(
                new Command.Put("orders", -1, 1, 545836126, body, Integer.MIN_VALUE),
                new Command.Put("orders", 2, 0, -1, LOCAL, body, 1),
                new Command.Transaction(XA, "s-1", Command.TransactionType.BEGIN, 30, "host-1", 1),
                new Command.Transaction(
                        LOCAL, "s-1", Command.TransactionType.COMMIT_ONE_PHASE, 0, "", 1),
                new Command.Transaction(
                        null, "s-1", Command.TransactionType.RECOVER, 0, "host-1", 1),
                new Command.Sync("orders", 1, 1, 5L << 40, 545836126, body, 1),
                new Command.OffsetOfTime("orders", 1, 1_795_957_845_996L, 1),
                new Command.Get("orders", "g1", 3, Long.MAX_VALUE, 1 << 20, 1),
                new Command.Offset("orders", "g1", 3, 4080, 2),
                new Command.Version(3),
                new Command.Stats("", 4),
                new Command.Stats("topics", 5),
                new Command.Quit(Integer.MAX_VALUE),
                new Command.Open(1, "user", "pass word\r\n", "client é", 6),
                new Command.Open(1, "", "", "", 6),
                new Command.Open(1, "", "", "", "a key", 6),
                new Command.SetClientId("client 1", 7),
                new Command.Resolve(DestinationKind.QUEUE, "a queue/€😀", 8),
                new Command.CreateTemporary(DestinationKind.TOPIC, 9),
                new Command.CreateTemporary(DestinationKind.TEMPORARY_QUEUE, "tempqueue@c1-1", 9),
                new Command.DeleteTemporary("tempqueue@c1-1", 10),
                new Command.Subscribe(1, "orders", "s 1", true, false, true, "a = 'b c'", 11),
                new Command.Subscribe(-1, "queue@orders", "", false, true, false, "", 12),
                new Command.Subscribe(
                        3,
                        "orders",
                        "s",
                        true,
                        true,
                        false,
                        "",
                        new SubscribeOptions(
                                StartPosition.time(1_795_957_845_996L),
                                true,
                                Map.of(
                                        RedeliveryPolicy.MAX_DELIVERIES,
                                        "5",
                                        RedeliveryPolicy.DEAD_LETTER,
                                        "failed orders")),
                        12),
                new Command.CloseConsumer(1, SETTLEMENT, 13),
                new Command.CloseConsumer(1, Settlement.NONE, 13),
                new Command.Unsubscribe("s 1", 14),
                new Command.Acquire(1, 1, 1, 0, 15),
                new Command.Acquire(
                        1,
                        Limits.ACQUIRE_COUNT_MAX,
                        Limits.ACQUIRE_BYTES_MAX,
                        Limits.ACQUIRE_WAIT_MAX_MS,
                        16),
                new Command.Acknowledge(SETTLEMENT, 17),
                new Command.Release(SETTLEMENT, true, 18),
                new Command.Release(SETTLEMENT, false, 19),
                new Command.Release(SETTLEMENT, true, "java.lang.Exception: é", 19),
                new Command.Browse("queue@orders", 1, 1L << 60, 100, 1 << 20, "a = 'b c'", 19),
                new Command.Browse("queue@orders", 0, 0, 1, 1, "", 19),
                send(Durability.SYNC, null, body),
                send(Durability.POLICY, XA, body),
                send(Durability.LAZY, LOCAL, bytes("")),
                new Command.Begin(XA, 1, Command.BeginMode.NEW, 0, 21),
                new Command.Begin(XA, 1, Command.BeginMode.JOIN, 30, 22),
                new Command.Begin(XA, 1, Command.BeginMode.RESUME, 30, 23),
                new Command.End(XA, 1, Command.EndMode.SUCCESS, SETTLEMENT, 24),
                new Command.End(XA, 1, Command.EndMode.FAIL, Settlement.NONE, 25),
                new Command.End(XA, 1, Command.EndMode.SUSPEND, Settlement.NONE, 26),
                new Command.Prepare(XA, 27),
                new Command.Commit(LOCAL, true, SETTLEMENT, 28),
                new Command.Commit(XA, false, Settlement.NONE, 29),
                new Command.Rollback(LOCAL, SETTLEMENT, 30),
                new Command.Rollback(XA, Settlement.NONE, false, "time-out: é", 30),
                new Command.Recover(31),
                new Command.Forget(XA, 32),
                new Command.Reload(33),
                new Command.ListBranches(false, 34),
                new Command.ListBranches(true, 35),
                new Command.ShowBranch(XA, 36),
                new Command.DecideBranch(XA, Command.Decision.COMMIT, 37),
                new Command.DecideBranch(XA, Command.Decision.ROLLBACK, 38),
                new Command.DecideBranch(LOCAL, Command.Decision.FORGET, 39));
    }

    private static Command.Send send(Durability durability, BranchId branch, ByteBuffer body) {
        return new Command.Send(
                "queue@orders",
                -1,
                MessageFormat.FLAG_ENVELOPE | MessageFormat.FLAG_ATTRIBUTE,
                Integer.MAX_VALUE,
                Long.MIN_VALUE,
                42,
                durability,
                branch,
                body,
                20);
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
