package org.metaq.sim;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Outcomes.Outcome;
import org.metaq.common.BranchId;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Settlement;
import org.metaq.sim.SimBranch.Phase;
import org.metaq.sim.SimBranch.Stage;
import org.metaq.sim.SimClient.Held;
import org.metaq.sim.SimWorld.Promise;

/** Local transactions and XA branches. */
final class TransactionActions {
    private static final int OPEN_MAX = 4;

    private final SimWorld world;
    private final MessageActions messages;
    private int nextXid = 1;

    TransactionActions(SimWorld world, MessageActions messages) {
        this.world = world;
        this.messages = messages;
    }

    // ---- local

    private SimBranch local(SimClient client) {
        SimBranch branch = client.local;
        if (branch != null && branch.isEndUnknown) {
            world.pump();
        }
        if (branch == null || branch.stage != Stage.OPEN) {
            BranchId id = BranchId.local(client.connection.id() + "-s", client.nextLocal++);
            branch = world.addBranch(id, client, Long.MAX_VALUE);
            client.local = branch;
        }
        return branch;
    }

    void localSend(SimClient client) {
        if (!world.topics.isEmpty()) {
            messages.send(client, local(client));
        }
    }

    void localCommit(SimClient client) {
        List<Held> consumed = world.some(client.held.values());
        SimBranch branch = client.local;
        if (consumed.isEmpty() && (branch == null || branch.stage != Stage.OPEN)) {
            return;
        }
        branch = local(client);
        BranchId id = branch.id;
        moveTo(branch, client, consumed);
        Settlement settlement = SimClient.settlement(consumed);
        IntFunction<Command> command = o -> new Command.Commit(id, true, settlement, o);
        finish(client, branch, "commit", command);
        if (world.chance(10)) {
            repeatEnd(client, branch);
        }
    }

    void localRollback(SimClient client) {
        List<Held> delivered = world.some(client.held.values());
        SimBranch branch = local(client);
        moveTo(branch, client, delivered);
        BranchId id = branch.id;
        Settlement settlement = SimClient.settlement(delivered);
        boolean isDelivered = world.chance(70);
        roll(
                client,
                branch,
                isDelivered,
                o -> new Command.Rollback(id, settlement, isDelivered, "", o));
    }

    private static void moveTo(SimBranch branch, SimClient client, List<Held> some) {
        some.forEach(each -> client.held.remove(each.ref()));
        branch.acknowledged.addAll(some);
    }

    /** One-phase commit, which rolls back a branch that is rollback-only. */
    private void finish(
            SimClient client, SimBranch branch, String what, IntFunction<Command> command) {
        branch.stage = Stage.DONE;
        List<Op.Ref> refs = SimClient.refs(branch.acknowledged);
        String label = what + " " + branch.id + " " + refs;
        if (branch.isRollbackOnly) {
            world.tellRefused(
                    client,
                    label,
                    new Op.Rollback(branch.id, Outcome.ROLLED_BACK, refs),
                    ErrorCode.XA_RBROLLBACK,
                    command);
            return;
        }
        branch.isEndUnknown = true;
        world.tell(
                client,
                label,
                new Op.Commit(branch.id, refs),
                world.commitPromise(),
                command,
                text -> ended(branch));
    }

    /** Only now its messages are in temporary destinations, which no record puts in order. */
    private void ended(SimBranch branch) {
        branch.isEndUnknown = false;
        branch.temporarySends.forEach(send -> world.model.submit(send.outOfBranch()));
        branch.temporarySends.clear();
    }

    private void roll(
            SimClient client, SimBranch branch, boolean isDelivered, IntFunction<Command> command) {
        List<Op.Ref> back =
                branch.stage == Stage.OPEN ? SimClient.refs(branch.acknowledged) : List.of();
        if (!isDelivered) {
            world.model.submit(new Op.GiveBack(back));
        }
        List<Op.Ref> refs = isDelivered ? back : List.of();
        branch.stage = Stage.DONE;
        world.tell(
                client,
                "rollback " + branch.id + (isDelivered ? " " : " undelivered ") + back,
                new Op.Rollback(branch.id, Outcome.ROLLED_BACK, refs),
                world.commitPromise(),
                command,
                text -> {});
    }

    // ---- XA

    private List<SimBranch> xa(Stage stage) {
        return world.branches.values().stream()
                .filter(branch -> branch.id.isXa() && branch.stage == stage)
                .toList();
    }

    /** Who does what on which branch. */
    private record Work(SimBranch branch, SimClient client) {}

    private @Nullable Work xaWork(Phase phase) {
        List<Work> all = new ArrayList<>();
        for (SimBranch branch : xa(Stage.OPEN)) {
            branch.phases.forEach(
                    (client, is) -> {
                        if (is == phase) {
                            all.add(new Work(branch, client));
                        }
                    });
        }
        return world.any(all);
    }

    /** Mostly one that may be prepared or committed. */
    private @Nullable SimBranch xaIdle() {
        List<SimBranch> open = xa(Stage.OPEN);
        List<SimBranch> idle = open.stream().filter(SimBranch::isIdle).toList();
        return world.any(idle.isEmpty() || world.chance(10) ? open : idle);
    }

    void begin(SimClient client) {
        if (xa(Stage.OPEN).size() >= OPEN_MAX) {
            return;
        }
        byte[] global = ("g" + nextXid++).getBytes(StandardCharsets.UTF_8);
        BranchId id = BranchId.xa(7, global, new byte[] {1, 2});
        int seconds = world.chance(70) ? 0 : 1 + world.random.nextInt(30);
        long timeoutMs = seconds == 0 ? SimOptions.TRANSACTION_TIMEOUT_MS : seconds * 1000L;
        world.addBranch(id, client, world.host.clock().monotonicNs() + timeoutMs * 1_000_000L);
        IntFunction<Command> command =
                o -> new Command.Begin(id, 0, Command.BeginMode.NEW, seconds, o);
        done(client, "begin " + id, command);
        if (world.chance(5)) {
            world.tellRefused(client, "begin again " + id, null, ErrorCode.XAER_DUPID, command);
        }
    }

    private void done(SimClient client, String what, IntFunction<Command> command) {
        world.tell(client, what, null, Promise.NONE, command, text -> {});
    }

    void join(SimClient client) {
        SimBranch branch = world.any(xa(Stage.OPEN));
        if (branch == null || branch.phases.get(client) == Phase.ACTIVE) {
            return;
        }
        SimClient suspender = branch.suspenderFor(client);
        boolean isResume = suspender == client || (suspender != null && world.chance(50));
        Command.BeginMode mode = isResume ? Command.BeginMode.RESUME : Command.BeginMode.JOIN;
        IntFunction<Command> command = o -> new Command.Begin(branch.id, 0, mode, 0, o);
        String what = mode + " " + branch.id;
        if (branch.isRollbackOnly) {
            world.tellRefused(client, what, null, ErrorCode.XA_RBROLLBACK, command);
        } else {
            if (isResume) {
                branch.phases.put(suspender, Phase.ENDED);
            }
            branch.phases.put(client, Phase.ACTIVE);
            done(client, what, command);
        }
    }

    void xaSend() {
        Work work = xaWork(Phase.ACTIVE);
        if (work != null) {
            messages.send(work.client(), work.branch());
        }
    }

    void end() {
        Work work = xaWork(world.chance(85) ? Phase.ACTIVE : Phase.SUSPENDED);
        if (work == null) {
            return;
        }
        SimBranch branch = work.branch();
        SimClient client = work.client();
        List<Held> consumed = world.some(client.held.values());
        moveTo(branch, client, consumed);
        int dice = world.random.nextInt(12);
        Command.EndMode mode =
                dice == 0
                        ? Command.EndMode.FAIL
                        : dice < 3 && branch.phases.get(client) == Phase.ACTIVE
                                ? Command.EndMode.SUSPEND
                                : Command.EndMode.SUCCESS;
        branch.phases.put(client, mode == Command.EndMode.SUSPEND ? Phase.SUSPENDED : Phase.ENDED);
        branch.isRollbackOnly |= mode == Command.EndMode.FAIL;
        Settlement settlement = SimClient.settlement(consumed);
        done(
                client,
                "end " + mode + " " + branch.id + " " + SimClient.refs(consumed),
                o -> new Command.End(branch.id, 0, mode, settlement, o));
    }

    void prepare(SimClient client) {
        SimBranch branch = xaIdle();
        if (branch == null) {
            return;
        }
        IntFunction<Command> command = o -> new Command.Prepare(branch.id, o);
        String what = "prepare " + branch.id + " " + SimClient.refs(branch.acknowledged);
        List<Op.Ref> refs = SimClient.refs(branch.acknowledged);
        if (!branch.isIdle()) {
            if (world.chance(20)) {
                world.tellRefused(client, what, null, ErrorCode.XAER_PROTO, command);
            }
        } else if (branch.isRollbackOnly) {
            branch.stage = Stage.DONE;
            world.tellRefused(
                    client,
                    what,
                    new Op.Rollback(branch.id, Outcome.ROLLED_BACK, refs),
                    ErrorCode.XA_RBROLLBACK,
                    command);
        } else if (!branch.hasWork()) {
            branch.stage = Stage.DONE;
            world.tell(client, what, null, Promise.NONE, command, text -> expect("3", text, what));
        } else {
            branch.stage = Stage.PREPARED;
            world.tell(
                    client,
                    what,
                    new Op.Prepare(branch.id, refs),
                    world.commitPromise(),
                    command,
                    text -> expect("0", text, what));
        }
    }

    private static void expect(String should, String is, String what) {
        if (!is.equals(should)) {
            throw new Violation(what + " is answered " + is + ", not " + should);
        }
    }

    void commitOnePhase(SimClient client) {
        SimBranch branch = xaIdle();
        if (branch == null) {
            return;
        }
        IntFunction<Command> command = o -> new Command.Commit(branch.id, true, Settlement.NONE, o);
        if (branch.isIdle()) {
            finish(client, branch, "commit one phase", command);
        } else if (world.chance(20)) {
            world.tellRefused(
                    client, "commit early " + branch.id, null, ErrorCode.XAER_PROTO, command);
        }
    }

    void commitPrepared(SimClient client) {
        SimBranch branch = world.any(xa(Stage.PREPARED));
        if (branch == null) {
            return;
        }
        branch.stage = Stage.DONE;
        branch.isEndUnknown = true;
        world.tell(
                client,
                "commit prepared " + branch.id,
                new Op.Commit(branch.id, List.of()),
                world.commitPromise(),
                o -> new Command.Commit(branch.id, false, Settlement.NONE, o),
                text -> ended(branch));
        if (world.chance(10)) {
            repeatEnd(client, branch);
        }
    }

    void rollback(SimClient client) {
        List<SimBranch> some = new ArrayList<>(xa(Stage.OPEN));
        some.addAll(xa(Stage.PREPARED));
        SimBranch branch = world.any(some);
        if (branch != null) {
            boolean isDelivered = world.chance(70);
            roll(
                    client,
                    branch,
                    isDelivered,
                    o -> new Command.Rollback(branch.id, Settlement.NONE, isDelivered, "", o));
        }
    }

    // ---- again

    private ModelState live() {
        return world.model.live();
    }

    /** A finished branch is committed or rolled back again: the first answer must come. */
    void repeatEnd(SimClient client) {
        List<SimBranch> done =
                world.branches.values().stream()
                        .filter(b -> b.stage == Stage.DONE)
                        .filter(b -> b.id.isXa() || live().outcomes.containsKey(b.id))
                        .toList();
        SimBranch branch = world.any(done);
        if (branch != null) {
            repeatEnd(client, branch);
        }
    }

    /** After a restart: commits that were not answered are repeated. */
    void repeatUnknown(SimClient client) {
        for (SimBranch branch : world.branches.values()) {
            if (branch.isEndUnknown && branch.stage == Stage.DONE) {
                branch.isEndUnknown = false;
                repeatEnd(client, branch);
            }
        }
    }

    private void repeatEnd(SimClient client, SimBranch branch) {
        world.pumpIfDelayed();
        BranchId id = branch.id;
        boolean isOnePhase = !id.isXa() || world.random.nextBoolean();
        IntFunction<Command> command = o -> new Command.Commit(id, isOnePhase, Settlement.NONE, o);
        Outcome outcome = world.model.live().outcomes.get(id);
        String what = "commit again " + id + ", which is " + outcome;
        ErrorCode error;
        if (outcome == Outcome.COMMITTED) {
            done(client, what, command);
            return;
        } else if (outcome == Outcome.TIMED_OUT) {
            error = ErrorCode.XA_RBTIMEOUT;
        } else if (outcome != null || isOnePhase) {
            error = ErrorCode.XA_RBROLLBACK;
        } else {
            error = ErrorCode.XAER_NOTA;
        }
        world.tellRefused(client, what, null, error, command);
    }

    /** The list of prepared branches is as the model has it. */
    void recover(SimClient client) {
        world.pump();
        List<String> should = new ArrayList<>();
        world.model
                .live()
                .branches
                .forEach(
                        (id, branch) -> {
                            if (branch.isPrepared) {
                                should.add(id.toString());
                            }
                        });
        world.tell(
                client,
                "recover",
                null,
                Promise.NONE,
                Command.Recover::new,
                text -> {
                    List<String> is = new ArrayList<>(text.lines().toList());
                    is.sort(null);
                    should.sort(null);
                    if (!is.equals(should)) {
                        throw new Violation("recover names " + is + ", not " + should);
                    }
                });
        world.pump();
    }
}
