package org.metaq.sim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.metaq.protocol.Command;
import org.metaq.protocol.Settlement;
import org.metaq.sim.SimLink.Result;

/**
 * One life of a transaction manager, as Narayana lives it: transactions under way in memory, the
 * decisions to commit in a log, and a recovery that looks at the brokers again and again.
 */
final class XaManagerProcess {
    private static final int LIVE_MAX = 4;

    final XaManager manager;
    final XaWorld world;
    private final DecisionLog log;
    private final XaRecovery recovery;
    private final Map<XaNode, XaSession> sessions = new LinkedHashMap<>();
    private final Map<XaNode, XaWire> others = new LinkedHashMap<>();
    private final Set<XaTransaction> live = new LinkedHashSet<>();
    private final List<Runnable> later = new ArrayList<>();

    /** Decided, and where it is not known to be committed, as bits. */
    private final Map<Long, Integer> unfinished = new TreeMap<>();

    /** Starts with what the log says. */
    XaManagerProcess(XaWorld world, XaManager manager, DecisionLog log) {
        this.world = world;
        this.manager = manager;
        this.log = log;
        this.recovery = new XaRecovery(this);
        unfinished.putAll(log.unfinished());
        unfinished.keySet().forEach(each -> world.ledger.transaction(each).isDecided = true);
        world.trace.add(manager + " runs; to commit " + unfinished.keySet());
    }

    /** Does one thing of its own accord. */
    void act() {
        if (!later.isEmpty() && world.chance(50)) {
            later.remove(world.random.nextInt(later.size())).run();
        } else if (!world.isSettling && live.size() < LIVE_MAX && world.chance(60)) {
            begin();
        } else if (!world.isSettling && world.chance(25)) {
            recovery.repeat();
        } else {
            recovery.scan(world.any(world.nodes));
        }
    }

    private void begin() {
        List<XaNode> nodes = new ArrayList<>(world.nodes);
        if (world.random.nextBoolean()) {
            Collections.reverse(nodes);
        }
        if (world.chance(25)) {
            nodes.remove(0);
        }
        XaTransaction transaction = world.ledger.begin(manager.name, nodes);
        live.add(transaction);
        new XaScript(this, transaction).start();
    }

    // ---- connections

    /** The connection for work at a broker. */
    XaSession session(XaNode node) {
        XaSession session = sessions.get(node);
        if (session == null || session.wire.isLost()) {
            XaWire wire = connect(node);
            session = new XaSession(world, wire, world.succeeds ? manager + "-" + node : "");
            sessions.put(node, session);
        }
        return session;
    }

    /** A connection for outcomes and scans: any that is not known to be lost will do. */
    XaWire wire(XaNode node) {
        XaSession session = sessions.get(node);
        if (session != null && !session.wire.isLost() && world.chance(70)) {
            return session.wire;
        }
        XaWire other = others.get(node);
        if (other == null || other.isLost()) {
            XaWire wire = connect(node);
            wire.call(
                    "open",
                    o -> new Command.Open(1, "", "", "", o),
                    result -> XaSession.opened("open", result));
            others.put(node, wire);
            return wire;
        }
        return other;
    }

    private XaWire connect(XaNode node) {
        return world.network.connect(manager.name, node, this::run);
    }

    /** What arrives once the process is gone arrives nowhere. */
    private void run(Runnable arrival) {
        if (manager.process() == this) {
            manager.run(arrival);
        }
    }

    /** All its connections. */
    List<XaWire> wires() {
        List<XaWire> wires = new ArrayList<>(others.values());
        sessions.values().forEach(session -> wires.add(session.wire));
        return wires;
    }

    // ---- outcomes

    /** Decides to commit; durable on return. */
    void decide(XaTransaction transaction, List<XaBranch> prepared) {
        int mask = XaTransaction.maskOf(prepared);
        log.commit(transaction.number, mask);
        transaction.isDecided = true;
        unfinished.put(transaction.number, mask);
    }

    /** A branch that was to be committed is finished. */
    void finished(XaBranch branch) {
        long number = branch.transaction.number;
        Integer left = unfinished.get(number);
        if (left != null) {
            int rest = left & ~(1 << branch.node.number());
            if (rest == 0) {
                unfinished.remove(number);
                log.finished(number);
            } else {
                unfinished.put(number, rest);
            }
        }
    }

    /** Commits a prepared branch; {@code then} hears whether that is finished. */
    void commit(XaBranch branch, XaWire wire, Consumer<Boolean> then) {
        branch.isCommitAsked = true;
        wire.call(
                "commit " + branch,
                o -> new Command.Commit(branch.id, false, Settlement.NONE, o),
                result -> {
                    if (!result.equals(XaWire.LOST)) {
                        branch.committed(result);
                    }
                    outcome(branch, wire, result, then);
                });
    }

    /** Rolls back; {@code then} hears whether that is finished. */
    void rollback(XaBranch branch, XaWire wire, Consumer<Boolean> then) {
        branch.isRollbackAsked = true;
        wire.call(
                "rollback " + branch,
                o -> new Command.Rollback(branch.id, Settlement.NONE, o),
                result -> {
                    if (!result.equals(XaWire.LOST)) {
                        branch.rolledBack(result);
                    }
                    outcome(branch, wire, result, then);
                });
    }

    private void outcome(XaBranch branch, XaWire wire, Result result, Consumer<Boolean> then) {
        if (!XaBranch.isHeuristic(result)) {
            then.accept(!result.equals(XaWire.LOST));
            return;
        }
        branch.isForgetAsked = true;
        wire.call(
                "forget " + branch,
                o -> new Command.Forget(branch.id, o),
                answer -> {
                    if (!answer.equals(XaWire.LOST)) {
                        branch.forgotten(answer);
                    }
                    then.accept(!answer.equals(XaWire.LOST));
                });
    }

    // ---- what is under way

    /** Runs at some other time. */
    void later(Runnable action) {
        later.add(action);
    }

    /** What is to run at some other time runs now. */
    void runLater() {
        List<Runnable> now = List.copyOf(later);
        later.clear();
        now.forEach(Runnable::run);
    }

    /** A transaction has left the memory: what is left of it is for the recovery. */
    void over(XaTransaction transaction) {
        live.remove(transaction);
    }

    boolean isLive(XaTransaction transaction) {
        return live.contains(transaction);
    }

    boolean isToCommit(XaTransaction transaction) {
        return unfinished.containsKey(transaction.number);
    }

    /** Transactions that are to be committed and are not under way, with bits of brokers. */
    Map<XaTransaction, Integer> toCommit() {
        Map<XaTransaction, Integer> waiting = new LinkedHashMap<>();
        unfinished.forEach(
                (number, mask) -> {
                    XaTransaction transaction = world.ledger.transaction(number);
                    if (!isLive(transaction)) {
                        waiting.put(transaction, mask);
                    }
                });
        return waiting;
    }

    XaRecovery recovery() {
        return recovery;
    }

    /** True if nothing is left to do that it knows of. */
    boolean isIdle() {
        return live.isEmpty() && later.isEmpty() && unfinished.isEmpty();
    }
}
