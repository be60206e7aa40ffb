package org.metaq.broker;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Partition;
import org.metaq.store.log.ClosedSegment;
import org.metaq.store.log.PartitionLog;

/**
 * What may go of a partition log, and why. Decides; changes nothing. Confined to the writer thread.
 *
 * <p>Closed segments go, oldest first, for as long as one of these holds for the next:
 *
 * <ul>
 *   <li>{@code age}: its last message is older than {@code deletePolicy} says, and it is time to
 *       look at ages;
 *   <li>{@code size}: the partition is longer than {@code maxPartitionBytes};
 *   <li>{@code consumed}: it belongs to a queue that has a {@code deletePolicy}, and all its
 *       messages are acknowledged: nobody else reads them.
 * </ul>
 *
 * <p>A segment with a message that a subscription or queue has not acknowledged stops them all,
 * unless the topic {@code deletesUnconsumed}; one with a message that a prepared branch holds does
 * in any case.
 */
final class RetentionRule {
    /** Why a segment goes. */
    enum Reason {
        AGE,
        SIZE,
        CONSUMED
    }

    /**
     * Segments that may go.
     *
     * @param segments oldest first; may be none
     * @param reason of the last of them; null if there is none
     * @param isHeldBack whether the size limit asks for more than subscriptions allow
     */
    record Verdict(List<ClosedSegment> segments, @Nullable Reason reason, boolean isHeldBack) {}

    private static final Verdict NOTHING = new Verdict(List.of(), null, false);

    private final TopicSettings settings;
    private final long nowMs;
    private final boolean looksAtAges;

    /**
     * For the partitions of one topic, at one moment.
     *
     * @param looksAtAges whether {@code deleteWhen} is due
     */
    RetentionRule(TopicSettings settings, long nowMs, boolean looksAtAges) {
        this.settings = settings;
        this.nowMs = nowMs;
        this.looksAtAges = looksAtAges;
    }

    /** What is done with the files of segments that go. */
    DeletePolicy.Action action() {
        DeletePolicy.Action action = settings.deletePolicy().action();
        // A limit of size must hold also where nothing goes for its age.
        return action == DeletePolicy.Action.KEEP ? DeletePolicy.Action.DELETE : action;
    }

    Verdict judge(Partition partition) {
        PartitionLog log = (PartitionLog) partition.log();
        List<ClosedSegment> closed = log.closedSegments();
        if (closed.isEmpty()) {
            return NOTHING;
        }
        long consumed = partition.trimLimit(false, true);
        long limit = settings.deletesUnconsumed() ? partition.trimLimit(true, true) : consumed;
        boolean isQueue = partition.topic().name().kind().isQueue();
        int count = 0;
        Reason reason = null;
        while (count < closed.size()) {
            ClosedSegment next = closed.get(count);
            boolean isConsumed = isQueue && next.endSequence() <= consumed;
            Reason why = reasonOf(log, next, isConsumed);
            if (why == null) {
                break;
            }
            if (next.endSequence() > limit) {
                return new Verdict(closed.subList(0, count), reason, why == Reason.SIZE);
            }
            reason = why;
            count++;
        }
        return new Verdict(closed.subList(0, count), reason, false);
    }

    private @Nullable Reason reasonOf(PartitionLog log, ClosedSegment segment, boolean isConsumed) {
        DeletePolicy policy = settings.deletePolicy();
        if (isConsumed && policy.action() != DeletePolicy.Action.KEEP) {
            return Reason.CONSUMED;
        }
        long max = settings.maxPartitionBytes();
        if (max > 0 && log.publishedEndOffset() - segment.startOffset() > max) {
            return Reason.SIZE;
        }
        boolean ages = looksAtAges && policy.action() != DeletePolicy.Action.KEEP;
        return ages && log.lastTimestampMs(segment) < nowMs - policy.ageMs() ? Reason.AGE : null;
    }
}
