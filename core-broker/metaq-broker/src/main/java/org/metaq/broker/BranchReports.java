package org.metaq.broker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.Association.Phase;
import org.metaq.broker.state.Branch;
import org.metaq.broker.state.BranchState;
import org.metaq.broker.state.Cursor;
import org.metaq.broker.state.HeuristicOutcome;
import org.metaq.broker.state.Partition;
import org.metaq.broker.state.Subscription;
import org.metaq.common.BranchId;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.BranchOrigin;
import org.metaq.protocol.BranchStatus;
import org.metaq.protocol.BranchStatus.Share;
import org.metaq.protocol.BranchStatus.State;
import org.metaq.protocol.Settlement;
import org.metaq.store.log.MessageLog;

/** What operators see of branches. Changes nothing. Confined to the writer thread. */
final class BranchReports {
    private final BrokerContext context;
    private final Associations associations;
    private final Transactions transactions;

    BranchReports(BrokerContext context, Associations associations, Transactions transactions) {
        this.context = context;
        this.associations = associations;
        this.transactions = transactions;
    }

    /**
     * Branches that are prepared, oldest first; and if these are not all that is asked for, those
     * that somebody works on, and those over which an operator decided.
     */
    List<BranchId> list(boolean inDoubtOnly) {
        List<BranchId> ids = new ArrayList<>();
        context.state.branches().stream()
                .filter(branch -> branch.state() == BranchState.PREPARED)
                .sorted(Comparator.comparingLong(Branch::preparedMs))
                .forEach(branch -> ids.add(branch.id()));
        if (!inDoubtOnly) {
            associations.all().forEach(association -> ids.add(association.id));
            context.state.heuristics().forEach(heuristic -> ids.add(heuristic.branch()));
        }
        return ids;
    }

    /** All about a branch, or null if there is none. Reads the index, not the messages. */
    @Nullable BranchStatus of(BranchId id) {
        Association association = associations.get(id);
        Branch branch = context.state.branch(id);
        if (association != null) {
            return unprepared(association, branch);
        }
        if (branch != null && branch.state() == BranchState.PREPARED) {
            return prepared(branch);
        }
        HeuristicOutcome heuristic = context.state.heuristic(id);
        return heuristic == null ? null : decided(heuristic);
    }

    private BranchStatus unprepared(Association association, @Nullable Branch branch) {
        Work work = new Work();
        work.addSends(branch, association);
        association.acknowledged.forEachDurable(work::hold);
        association.acknowledged.forEachVolatile(work::hold);
        return work.status(
                association.id, state(association), association.origin(), 0, kept(branch));
    }

    private static State state(Association association) {
        if (!association.rollbackOnly.isEmpty()) {
            return State.ROLLBACK_ONLY;
        }
        if (association.phases.containsValue(Phase.ACTIVE)) {
            return State.ACTIVE;
        }
        return association.isIdle() ? State.IDLE : State.SUSPENDED;
    }

    private BranchStatus prepared(Branch branch) {
        Association part = transactions.preparedPart(branch.id());
        Work work = new Work();
        work.addSends(branch, part);
        for (Settlement.Entry entry : branch.acknowledged().entries()) {
            Subscription subscription = context.state.subscription(entry.subscriptionId());
            if (subscription != null) {
                Cursor cursor = subscription.cursors().get(entry.partition());
                entry.ranges().forEach(range -> work.hold(cursor, range));
            }
        }
        if (part != null) {
            part.acknowledged.forEachVolatile(work::hold);
        }
        return work.status(
                branch.id(), State.PREPARED, branch.origin(), branch.preparedMs(), kept(branch));
    }

    private long kept(@Nullable Branch branch) {
        return branch == null ? 0 : context.state.keptBytes(branch);
    }

    private static BranchStatus decided(HeuristicOutcome heuristic) {
        return new BranchStatus(
                heuristic.branch(),
                heuristic.isCommitted() ? State.HEURISTIC_COMMITTED : State.HEURISTIC_ROLLED_BACK,
                heuristic.origin(),
                heuristic.preparedMs(),
                heuristic.timeMs(),
                heuristic.sent(),
                heuristic.acknowledged(),
                0,
                0);
    }

    /** Sums up what a branch did. */
    private static final class Work {
        private final Map<String, Share> sent = new TreeMap<>();
        private final Map<String, Share> acknowledged = new TreeMap<>();
        private final Map<Partition, Long> lowestHeld = new HashMap<>();

        /**
         * Adds what a commit stores.
         *
         * @param association has what goes to temporary destinations; null: nothing
         */
        void addSends(@Nullable Branch branch, @Nullable Association association) {
            if (branch != null) {
                branch.sent().forEach(share -> add(share, sent));
            }
            if (association != null) {
                for (Association.TemporarySend send : association.temporarySends) {
                    add(new Share(send.topic().text(), 1, send.message().length), sent);
                }
            }
        }

        private static void add(Share share, Map<String, Share> to) {
            to.merge(share.topic(), share, Share::plus);
        }

        /** Adds messages that were consumed; what the log does not have any more is left out. */
        void hold(Cursor cursor, SequenceRange range) {
            Partition partition = cursor.partition();
            Share share = partition.share(range);
            if (share == null) {
                return;
            }
            add(share, acknowledged);
            if (!partition.topic().name().kind().isTemporary()) {
                long first = Math.max(range.first(), partition.log().startSequence());
                lowestHeld.merge(partition, first, Math::min);
            }
        }

        private long pinnedBytes() {
            long bytes = 0;
            for (Map.Entry<Partition, Long> lowest : lowestHeld.entrySet()) {
                MessageLog log = lowest.getKey().log();
                bytes += log.endOffset() - log.meta(lowest.getValue()).offset();
            }
            return bytes;
        }

        BranchStatus status(
                BranchId id, State state, BranchOrigin origin, long preparedMs, long keptBytes) {
            return new BranchStatus(
                    id,
                    state,
                    origin,
                    preparedMs,
                    0,
                    List.copyOf(sent.values()),
                    List.copyOf(acknowledged.values()),
                    keptBytes,
                    pinnedBytes());
        }
    }
}
