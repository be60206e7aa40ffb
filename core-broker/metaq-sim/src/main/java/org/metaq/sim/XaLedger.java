package org.metaq.sim;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Branch;
import org.metaq.broker.state.BranchState;
import org.metaq.broker.state.HeuristicOutcome;
import org.metaq.common.BranchId;

/**
 * All messages and transactions of an XA run, and what may be seen of them while it runs. {@link
 * XaCheck} looks at the end.
 */
final class XaLedger {
    /** A message: where it is, and the branches that sent it and acknowledged it. */
    record Message(
            long id,
            XaNode node,
            String queue,
            @Nullable XaBranch sender,
            List<XaBranch> consumers) {}

    private final Trace trace;
    private final Map<Long, Message> messages = new TreeMap<>();
    private final Map<BranchId, XaBranch> branches = new LinkedHashMap<>();
    private final List<XaTransaction> transactions = new ArrayList<>();

    XaLedger(Trace trace) {
        this.trace = trace;
    }

    // ---- what happens

    /** A new transaction. */
    XaTransaction begin(String manager, List<XaNode> nodes) {
        XaTransaction transaction = new XaTransaction(transactions.size() + 1L, manager, nodes);
        transactions.add(transaction);
        transaction.branches.forEach(branch -> branches.put(branch.id, branch));
        return transaction;
    }

    /** A new message; of no branch: it is there from the start. */
    long send(XaNode node, String queue, @Nullable XaBranch sender) {
        long id = messages.size() + 1L;
        messages.put(id, new Message(id, node, queue, sender, new ArrayList<>()));
        return id;
    }

    /**
     * A branch gets a message.
     *
     * @param isLate it may have been on its way for long: others may have got it since
     * @throws Violation if it should not have
     */
    void delivered(XaBranch to, String queue, long id, boolean isLate) {
        Message message = messages.get(id);
        if (message == null || message.node() != to.node || !message.queue().equals(queue)) {
            throw new Violation(to + " got " + message + " from " + queue + " as " + id);
        }
        XaBranch sender = message.sender();
        if (sender != null && !sender.mayShow()) {
            throw new Violation(to + " got message " + id + " of " + sender + ", which is open");
        }
        if (isLate) {
            return;
        }
        for (XaBranch other : message.consumers()) {
            if (other.isHolding()) {
                throw new Violation(to + " got message " + id + ", which " + other + " has");
            }
        }
    }

    /** A branch tells its broker that it acknowledges what it received. */
    void acknowledged(XaBranch branch) {
        for (SimClient.Held held : branch.received) {
            message(held.ref().message()).consumers().add(branch);
        }
    }

    /**
     * A broker runs again on what was on its disk.
     *
     * @throws Violation if it lacks what was promised to be there
     */
    void started(XaNode node) {
        var state = node.broker().state();
        for (XaBranch branch : branches.values()) {
            if (branch.node != node) {
                continue;
            }
            HeuristicOutcome heuristic = state.heuristic(branch.id);
            if (branch.isUnderHand) {
                branch.isUnderHand = false;
                branch.byHand = heuristic == null ? null : heuristic.isCommitted();
            }
            if (branch.byHand != null && !branch.isForgetAsked && heuristic == null) {
                throw new Violation(node + " has forgotten what was done by hand with " + branch);
            }
            Branch kept = state.branch(branch.id);
            boolean isPrepared = kept != null && kept.state() == BranchState.PREPARED;
            if (branch.isInDoubt() && !isPrepared) {
                throw new Violation(node + " has lost " + branch + ", which was prepared");
            }
        }
        trace.add(node + " runs; branches " + state.branches().size());
    }

    // ---- what is known

    Message message(long id) {
        Message message = messages.get(id);
        if (message == null) {
            throw new Violation("there is no message " + id);
        }
        return message;
    }

    /** The branch of this name. */
    XaBranch branch(BranchId id) {
        XaBranch branch = branches.get(id);
        if (branch == null) {
            throw new Violation("there never was a branch " + id);
        }
        return branch;
    }

    Collection<Message> messages() {
        return messages.values();
    }

    Collection<XaBranch> branches() {
        return branches.values();
    }

    List<XaTransaction> transactions() {
        return transactions;
    }

    XaTransaction transaction(long number) {
        return transactions.get(Math.toIntExact(number - 1));
    }
}
