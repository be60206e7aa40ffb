package org.metaq.sim;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.metaq.common.BranchId;
import org.metaq.protocol.Command;
import org.metaq.protocol.Settlement;
import org.metaq.sim.XaBranch.Vote;

/**
 * The recovery of a manager's process, which goes on as long as the process lives. A scan of a
 * broker gives its in-doubt branches; those of this manager that are not under way are committed if
 * the log says so, and else rolled back. A branch that is to be committed and that a scan does not
 * give is finished: so a scan that leaves one out breaks a transaction.
 */
final class XaRecovery {
    private final XaManagerProcess process;
    private final XaWorld world;

    /** Goes by scans alone; else commits what the log says without a look. */
    private final boolean trustsScans;

    private final Set<XaNode> scanning = new HashSet<>();

    /** Where the last scan gave nothing of this manager's. */
    private final Set<XaNode> clean = new HashSet<>();

    XaRecovery(XaManagerProcess process) {
        this.process = process;
        this.world = process.world;
        this.trustsScans = world.random.nextBoolean();
    }

    /** Looks at a broker, if it is not being looked at. */
    void scan(XaNode node) {
        if (!scanning.add(node)) {
            return;
        }
        // not what is decided meanwhile: the scan may be older than its prepare
        Map<XaTransaction, Integer> toCommit = process.toCommit();
        XaWire wire = process.wire(node);
        wire.call(
                "recover",
                Command.Recover::new,
                result -> {
                    scanning.remove(node);
                    clean.remove(node);
                    if (XaSession.opened("recover", result)) {
                        scanned(node, wire, toCommit, node.recovered(result.text()));
                    }
                });
    }

    private void scanned(
            XaNode node, XaWire wire, Map<XaTransaction, Integer> toCommit, String keys) {
        List<XaBranch> found = found(keys);
        if (found.isEmpty()) {
            clean.add(node);
        }
        toCommit.forEach(
                (transaction, mask) -> {
                    for (XaBranch branch : transaction.branches) {
                        if (branch.node == node && (mask & (1 << node.number())) != 0) {
                            settle(branch, wire, found.contains(branch));
                        }
                    }
                });
        for (XaBranch branch : found) {
            if (!process.isToCommit(branch.transaction)) {
                process.rollback(branch, wire, isFinished -> {});
            } else if (!toCommit.containsKey(branch.transaction)) {
                commit(branch, wire);
            }
        }
    }

    /** Branches of this manager that are not under way. */
    private List<XaBranch> found(String keys) {
        List<XaBranch> found = new ArrayList<>();
        for (String key : keys.lines().toList()) {
            BranchId id = BranchId.parse(key);
            XaBranch branch = world.ledger.branch(id);
            if (!branch.isPrepareAsked) {
                throw new Violation("recover gives " + branch + ", which was never prepared");
            }
            boolean isMine = XaTransaction.managerOf(id).equals(process.manager.name);
            if (isMine && !process.isLive(branch.transaction)) {
                found.add(branch);
            }
        }
        return found;
    }

    private void settle(XaBranch branch, XaWire wire, boolean isFound) {
        if (isFound || !trustsScans) {
            commit(branch, wire);
        } else {
            process.finished(branch);
        }
    }

    private void commit(XaBranch branch, XaWire wire) {
        process.commit(
                branch,
                wire,
                isFinished -> {
                    if (isFinished) {
                        process.finished(branch);
                    }
                });
    }

    /** The outcome of a transaction that is over is asked for once more, as if nobody knew it. */
    void repeat() {
        List<XaBranch> over =
                world.ledger.branches().stream()
                        .filter(branch -> branch.transaction.manager.equals(process.manager.name))
                        .filter(branch -> !process.isLive(branch.transaction))
                        .filter(branch -> !process.isToCommit(branch.transaction))
                        .filter(branch -> branch.isCommitAsked || branch.isRollbackAsked)
                        .toList();
        if (!over.isEmpty()) {
            XaBranch branch = world.any(over);
            repeat(branch, process.wire(branch.node));
        }
    }

    private void repeat(XaBranch branch, XaWire wire) {
        world.trace.add("once more: " + branch);
        if (branch.transaction.isOnePhase() && branch.isCommitAsked) {
            if (branch.transaction.told != null) {
                repeatOnePhase(branch, wire);
            }
        } else if (branch.transaction.isDecided && branch.vote == Vote.PREPARED) {
            process.commit(branch, wire, isFinished -> {});
        } else if (!branch.transaction.isDecided) {
            process.rollback(branch, wire, isFinished -> {});
        }
    }

    private void repeatOnePhase(XaBranch branch, XaWire wire) {
        wire.call(
                "commit one phase " + branch,
                o -> new Command.Commit(branch.id, true, Settlement.NONE, o),
                result -> {
                    if (!result.equals(XaWire.LOST)) {
                        var unused =
                                branch.committedOnePhase(result, true, world.clock.monotonicNs());
                    }
                });
    }

    /** True if nothing of this manager's is in doubt anywhere, as far as is known. */
    boolean isClean() {
        return clean.containsAll(world.nodes);
    }
}
