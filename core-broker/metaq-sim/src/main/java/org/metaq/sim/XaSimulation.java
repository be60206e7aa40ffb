package org.metaq.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.metaq.broker.BrokerAdmin;
import org.metaq.broker.state.Branch;
import org.metaq.broker.state.BranchState;
import org.metaq.common.BranchId;

/**
 * One run of one seed with two brokers and one or two transaction managers, which drive global
 * transactions over both under one clock. Each step is one thing that happens somewhere: a message
 * of a connection arrives, a broker works, a manager goes on, a connection breaks, a process or a
 * machine stops or starts, time passes, an operator decides. So all that can happen between two
 * messages happens in some seed. At the end everything runs, the recoveries finish what is left,
 * and {@link XaCheck} compares.
 */
final class XaSimulation {
    /** A fault that is put there on purpose. */
    record Fault(UnaryOperator<SimOptions> options, UnaryOperator<String> recovered) {
        static final Fault NONE = new Fault(options -> options, text -> text);
    }

    private static final int NODES = 2;
    private static final int MANAGERS_MAX = 2;
    private static final int DICE = 2000;

    /** Enough for every time-out to pass, and for scans behind it. */
    private static final int SETTLE_ROUNDS_MAX = 100;

    private static final int SETTLE_STEPS_MAX = 100_000;
    private static final int SETTLE_MS = 1000;

    private final Random random;
    private final XaWorld world;
    private final List<XaManager> managers = new ArrayList<>();
    private final boolean hasOperator;

    /** Where much is lost little gets prepared, and where little is lost little is repeated. */
    private final int percentOfTrouble;

    XaSimulation(long seed, Fault fault) {
        random = new Random(seed * Simulation.SEED_FACTOR + 3);
        world = new XaWorld(random);
        for (int i = 0; i < NODES; i++) {
            SimOptions options = fault.options().apply(SimOptions.of(random).strict());
            world.nodes.add(new XaNode(i, world, options, fault.recovered()));
        }
        int count = 1 + random.nextInt(MANAGERS_MAX);
        for (int i = 1; i <= count; i++) {
            managers.add(new XaManager("m" + i, world));
        }
        hasOperator = world.chance(50);
        percentOfTrouble = world.any(List.of(10, 30, 100));
    }

    /** Runs, and checks at the end. */
    void run(int steps) {
        world.nodes.forEach(XaNode::start);
        XaCheck check = new XaCheck(world);
        check.fill();
        managers.forEach(XaManager::start);
        for (int i = 0; i < steps; i++) {
            step();
        }
        settle();
        check.run();
    }

    // ---- one step

    private void step() {
        int dice = random.nextInt(DICE);
        XaNode node = world.any(world.nodes);
        XaManager manager = world.any(managers);
        if (dice < 1100) {
            if (!world.network.deliverOne()) {
                act(manager);
            }
        } else if (dice < 1600) {
            node.work();
        } else if (dice < 1860) {
            act(manager);
        } else if (dice < 1890) {
            node.runBackground();
        } else if (dice < 1920) {
            passTime();
        } else if (dice < 1940) {
            if (hasOperator) {
                settleByHand(node);
            }
        } else if (world.chance(percentOfTrouble)) {
            disturb(node, manager);
        }
        startAgain(node, manager);
    }

    private void disturb(XaNode node, XaManager manager) {
        if (world.chance(40)) {
            world.network.cutOne();
        } else if (world.chance(50)) {
            stopOrArm(node);
        } else {
            stopOrArm(manager);
        }
    }

    private static void act(XaManager manager) {
        manager.run(
                () -> {
                    XaManagerProcess process = manager.process();
                    if (process != null) {
                        process.act();
                    }
                });
    }

    private void passTime() {
        int ms = world.chance(10) ? random.nextInt(25_000) : random.nextInt(300);
        world.trace.add(ms + " ms pass");
        world.clock.advanceMs(ms);
    }

    private void stopOrArm(XaNode node) {
        if (!node.isUp() || world.chance(50)) {
            node.arm();
        } else if (world.chance(20)) {
            node.close();
        } else {
            node.crashed();
        }
    }

    private void stopOrArm(XaManager manager) {
        if (manager.process() == null || world.chance(50)) {
            manager.arm();
        } else {
            manager.crashed();
        }
    }

    /** What does not run starts soon. */
    private void startAgain(XaNode node, XaManager manager) {
        if (!node.isUp() && world.chance(4)) {
            node.start();
        }
        if (manager.process() == null && world.chance(4)) {
            manager.start();
        }
    }

    /** An operator decides over a branch, against whatever its manager will say. */
    private void settleByHand(XaNode node) {
        node.work();
        if (!node.isUp()) {
            return;
        }
        List<BranchId> prepared =
                node.broker().state().branches().stream()
                        .filter(branch -> branch.state() == BranchState.PREPARED)
                        .map(Branch::id)
                        .toList();
        if (prepared.isEmpty()) {
            return;
        }
        XaBranch branch = world.ledger.branch(world.any(prepared));
        boolean commits = random.nextBoolean();
        world.trace.add((commits ? "commit" : "rollback") + " by hand of " + branch);
        branch.isUnderHand = true;
        BrokerAdmin admin = node.broker().admin();
        String key = branch.id.toString();
        CompletableFuture<String> done =
                commits ? admin.commitHeuristically(key) : admin.rollbackHeuristically(key);
        node.work();
        if (node.isUp()) {
            if (!done.isDone() || done.isCompletedExceptionally()) {
                throw new Violation("an operator may not decide over " + branch + ": " + done);
            }
            branch.isUnderHand = false;
            branch.byHand = commits;
        }
    }

    // ---- the end

    /** Everything runs and nothing fails any more, until nothing is left to do. */
    private void settle() {
        world.isSettling = true;
        world.trace.add("everything runs from now on");
        for (XaNode node : world.nodes) {
            node.disarm();
            if (!node.isUp()) {
                node.start();
            }
        }
        for (XaManager manager : managers) {
            manager.disarm();
            if (manager.process() == null) {
                manager.start();
            }
        }
        comeToRest();
        for (int i = 0; i < SETTLE_ROUNDS_MAX; i++) {
            // what was under way while the managers looked, they have not seen
            boolean isIdle = managers.stream().allMatch(each -> process(each).isIdle());
            world.clock.advanceMs(SETTLE_MS);
            comeToRest();
            if (isIdle && managers.stream().allMatch(XaSimulation::isDone)) {
                return;
            }
        }
        throw new Violation("the managers do not come to an end: " + unfinished());
    }

    private void comeToRest() {
        for (XaManager manager : managers) {
            XaManagerProcess process = process(manager);
            manager.run(() -> world.nodes.forEach(process.recovery()::scan));
        }
        world.nodes.forEach(XaNode::work);
        for (int i = 0; world.network.deliverOne(); i++) {
            world.nodes.forEach(XaNode::work);
            if (i > SETTLE_STEPS_MAX) {
                throw new Violation("the managers do not come to rest: " + unfinished());
            }
        }
        managers.forEach(manager -> manager.run(process(manager)::runLater));
    }

    private static XaManagerProcess process(XaManager manager) {
        XaManagerProcess process = manager.process();
        if (process == null) {
            throw new IllegalStateException(manager + " does not run");
        }
        return process;
    }

    private static boolean isDone(XaManager manager) {
        return process(manager).isIdle() && process(manager).recovery().isClean();
    }

    private List<String> unfinished() {
        List<String> unfinished = new ArrayList<>();
        for (XaNode node : world.nodes) {
            node.broker()
                    .state()
                    .branches()
                    .forEach(each -> unfinished.add(each.id() + "@" + node));
        }
        return unfinished;
    }

    // ---- what was done

    Trace trace() {
        return world.trace;
    }

    /** Stops without notice. */
    long crashes() {
        return world.nodes.stream().mapToLong(XaNode::crashes).sum()
                + managers.stream().mapToLong(XaManager::crashes).sum();
    }

    /** Global transactions. */
    long transactions() {
        return world.ledger.transactions().size();
    }
}
