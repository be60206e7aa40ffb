package org.metaq.sim;

import java.util.ArrayList;
import java.util.List;
import org.metaq.protocol.Command;
import org.metaq.protocol.Durability;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Settlement;
import org.metaq.sim.SimLink.Result;
import org.metaq.sim.XaBranch.Vote;
import org.metaq.sim.XaTransaction.Told;

/**
 * The life of a global transaction in a manager's process: start at each broker, some work, end,
 * and one phase or two. Each step follows when the one before is answered, as in a thread that
 * waits, but for an end, on whose heels the outcome follows. What cannot be finished here, as a
 * connection is lost, is tried again or left to the recovery.
 */
final class XaScript {
    private static final int OPERATIONS_MAX = 6;
    private static final int BODY_MAX = 300;

    /** So that no branch exceeds the size of a transaction. */
    private static final int LARGE_BODY_MAX = 1900;

    private static final int TIMEOUT_MAX_SECONDS = 30;

    private final XaManagerProcess process;
    private final XaWorld world;
    private final XaTransaction transaction;
    private final int timeoutSeconds;
    private int operations;
    private boolean isFailed;

    /** Branches whose start was answered, each on the connection that its work goes over. */
    private final List<Work> begun = new ArrayList<>();

    /** Branches whose outcome is asked for and neither answered nor given up. */
    private int pendingCount;

    private boolean isHeuristic;

    private record Work(XaBranch branch, XaSession session) {}

    XaScript(XaManagerProcess process, XaTransaction transaction) {
        this.process = process;
        this.world = process.world;
        this.transaction = transaction;
        this.timeoutSeconds = world.chance(70) ? 0 : 1 + world.random.nextInt(TIMEOUT_MAX_SECONDS);
        this.operations = world.random.nextInt(OPERATIONS_MAX + 1);
    }

    // ---- work

    /** Begins. */
    void start() {
        begin(0, false);
    }

    private void begin(int index, boolean isAgain) {
        if (index == transaction.branches.size()) {
            operate();
            return;
        }
        XaBranch branch = transaction.branches.get(index);
        XaSession session = process.session(branch.node);
        long timeoutMs =
                timeoutSeconds == 0 ? SimOptions.TRANSACTION_TIMEOUT_MS : timeoutSeconds * 1000L;
        branch.deadlineNs = world.clock.monotonicNs() + timeoutMs * 1_000_000L;
        session.wire.call(
                "start " + branch,
                o ->
                        new Command.Begin(
                                branch.id, sessionId(), Command.BeginMode.NEW, timeoutSeconds, o),
                result -> begun(index, isAgain, new Work(branch, session), result));
    }

    private int sessionId() {
        return Math.toIntExact(transaction.number);
    }

    private void begun(int index, boolean isAgain, Work work, Result result) {
        if (result.isOk()) {
            begun.add(work);
            begin(index + 1, false);
        } else if (result.equals(XaWire.LOST) && !isAgain && world.chance(60)) {
            process.later(() -> begin(index, true));
        } else if (result.equals(XaWire.LOST)
                || (isAgain && result.error() == ErrorCode.XAER_DUPID)) {
            // the latter: the broker still has the first, over the connection that was lost
            isFailed = true;
            finish();
        } else {
            throw new Violation("start of " + work.branch() + " is refused: " + result.text());
        }
    }

    private void operate() {
        if (isFailed || operations == 0) {
            finish();
            return;
        }
        operations--;
        Work work = world.any(begun);
        if (world.chance(50)) {
            send(work);
        } else {
            work.session()
                    .receive(
                            work.branch(),
                            holds -> {
                                isFailed = !holds;
                                operate();
                            });
        }
    }

    private void send(Work work) {
        XaBranch branch = work.branch();
        String queue = world.any(XaSession.QUEUES);
        long message = world.ledger.send(branch.node, queue, branch);
        int length = world.random.nextInt(world.chance(10) ? LARGE_BODY_MAX : BODY_MAX);
        branch.sentCount++;
        work.session()
                .wire
                .call(
                        "send " + message + " in " + branch,
                        o ->
                                new Command.Send(
                                        queue,
                                        -1,
                                        0,
                                        -1,
                                        0,
                                        0,
                                        Durability.POLICY,
                                        branch.id,
                                        Payload.of(message, length),
                                        o),
                        result -> {
                            isFailed = !isDone("send", branch, result);
                            operate();
                        });
    }

    /** False if the connection was lost, or the time is over. */
    private boolean isDone(String what, XaBranch branch, Result result) {
        if (!result.isOk() && !result.equals(XaWire.LOST)) {
            branch.requireTimedOut(what, result, world.clock.monotonicNs());
        }
        return result.isOk();
    }

    // ---- end

    private void finish() {
        boolean commits = !isFailed && world.chance(80);
        Command.EndMode mode =
                !commits && world.chance(30) ? Command.EndMode.FAIL : Command.EndMode.SUCCESS;
        begun.forEach(work -> end(work, mode));
        if (!commits) {
            rollback(branches());
        } else if (transaction.isOnePhase()) {
            commitOnePhase(begun.get(0), false);
        } else {
            prepare(0);
        }
    }

    private List<XaBranch> branches() {
        return begun.stream().map(Work::branch).toList();
    }

    private void end(Work work, Command.EndMode mode) {
        XaBranch branch = work.branch();
        Settlement received = SimClient.settlement(branch.received);
        world.ledger.acknowledged(branch);
        XaWire wire = work.session().wire;
        wire.call(
                "end " + mode + " " + branch,
                o -> new Command.End(branch.id, sessionId(), mode, received, o),
                result -> {
                    // its rollback may overtake it over another connection, as a reaper's does
                    boolean isOvertaken =
                            branch.isRollbackAsked && result.error() == ErrorCode.XAER_NOTA;
                    boolean isRefused =
                            isOvertaken
                                    || (!isDone("end", branch, result)
                                            && !result.equals(XaWire.LOST));
                    if (isRefused && !received.isEmpty()) {
                        giveBack(branch, wire, received);
                    }
                });
    }

    /** The branch was gone before the broker heard what it received. */
    private static void giveBack(XaBranch branch, XaWire wire, Settlement received) {
        wire.call(
                "release of " + branch,
                o -> new Command.Release(received, true, o),
                result -> XaSession.opened("release", result));
    }

    // ---- outcome

    private void commitOnePhase(Work work, boolean isAgain) {
        XaBranch branch = work.branch();
        XaWire wire = isAgain ? process.wire(branch.node) : work.session().wire;
        branch.isCommitAsked = true;
        wire.call(
                "commit one phase " + branch,
                o -> new Command.Commit(branch.id, true, Settlement.NONE, o),
                result -> {
                    // what the client's resource says of both is XAER_RMFAIL
                    boolean isUnknown =
                            result.equals(XaWire.LOST)
                                    || (isAgain && result.error() == ErrorCode.XAER_PROTO);
                    if (isUnknown && world.chance(80)) {
                        process.later(() -> commitOnePhase(work, true));
                        return;
                    }
                    if (!isUnknown) {
                        long nowNs = world.clock.monotonicNs();
                        transaction.told = branch.committedOnePhase(result, isAgain, nowNs);
                    }
                    process.over(transaction);
                });
    }

    private void prepare(int index) {
        if (index == begun.size()) {
            decide();
            return;
        }
        XaBranch branch = begun.get(index).branch();
        branch.isPrepareAsked = true;
        begun.get(index)
                .session()
                .wire
                .call(
                        "prepare " + branch,
                        o -> new Command.Prepare(branch.id, o),
                        result -> {
                            if (!result.equals(XaWire.LOST)) {
                                branch.prepared(result, world.clock.monotonicNs());
                            }
                            if (branch.vote == Vote.NONE || branch.vote == Vote.ROLLED_BACK) {
                                rollback(unfinished());
                            } else {
                                soonOrLater(() -> prepare(index + 1));
                            }
                        });
    }

    private List<XaBranch> unfinished() {
        return branches().stream()
                .filter(branch -> branch.vote == Vote.NONE || branch.vote == Vote.PREPARED)
                .toList();
    }

    private void decide() {
        List<XaBranch> prepared = unfinished();
        if (prepared.isEmpty()) {
            transaction.told = Told.COMMITTED;
            process.over(transaction);
            return;
        }
        process.decide(transaction, prepared);
        pendingCount = prepared.size();
        prepared.forEach(branch -> soonOrLater(() -> commit(branch)));
    }

    /** So that others are prepared meanwhile, and a crash leaves several to the recovery. */
    private void soonOrLater(Runnable action) {
        if (world.chance(70)) {
            process.later(action);
        } else {
            action.run();
        }
    }

    private void commit(XaBranch branch) {
        process.commit(
                branch,
                process.wire(branch.node),
                isFinished -> {
                    if (isFinished) {
                        process.finished(branch);
                    } else if (world.chance(50)) {
                        process.later(() -> commit(branch));
                        return;
                    }
                    pendingCount--;
                    isHeuristic |= Boolean.FALSE.equals(branch.byHand);
                    tell(Told.COMMITTED);
                });
    }

    private void rollback(List<XaBranch> some) {
        pendingCount = some.size();
        some.forEach(this::rollback);
        tell(Told.ROLLED_BACK);
    }

    private void rollback(XaBranch branch) {
        process.rollback(
                branch,
                process.wire(branch.node),
                isFinished -> {
                    if (!isFinished && world.chance(50)) {
                        process.later(() -> rollback(branch));
                        return;
                    }
                    pendingCount--;
                    isHeuristic |= Boolean.TRUE.equals(branch.byHand);
                    tell(Told.ROLLED_BACK);
                });
    }

    private void tell(Told told) {
        if (pendingCount == 0) {
            transaction.told = isHeuristic ? Told.HEURISTIC : told;
            process.over(transaction);
        }
    }
}
