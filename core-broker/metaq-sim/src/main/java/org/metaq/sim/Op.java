package org.metaq.sim;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Outcomes.Outcome;
import org.metaq.common.BranchId;

/** What clients did, in the order in which the broker was told; {@link ModelState} applies it. */
sealed interface Op {
    /**
     * A message as one subscription sees it.
     *
     * @param subscription its name in the model
     * @param message the id in the payload
     */
    record Ref(String subscription, long message) {}

    /** A topic, or a queue with its subscription. */
    record CreateTopic(String topic, int partitions, boolean isTemporary) implements Op {}

    /** A temporary destination is gone. */
    record DeleteTemporary(String topic) implements Op {}

    /**
     * A message; of a producer other than 0 each sequence counts once.
     *
     * @param deliveryTimeMs when it may be delivered, unique among messages; 0: at once
     */
    record Send(
            long message,
            String topic,
            int partition,
            long producer,
            long sequence,
            @Nullable BranchId branch,
            long deliveryTimeMs)
            implements Op {
        /** As it is when its branch was committed. */
        Send outOfBranch() {
            return new Send(message, topic, partition, 0, 0, null, deliveryTimeMs);
        }
    }

    /** The time by which the broker goes from now on. */
    record Time(long nowMs) implements Op {}

    /** What is due in a partition moves there. */
    record Due(String topic, int partition) implements Op {}

    /** Done with these. */
    record Acknowledge(List<Ref> refs) implements Op {}

    /** Given back, delivered. */
    record Release(List<Ref> refs) implements Op {}

    /** Given back as if never taken. */
    record GiveBack(List<Ref> refs) implements Op {}

    /** Held by a connection that was lost. */
    record Lose(List<Ref> refs) implements Op {}

    /** A client got it. */
    record HandOut(Ref ref) implements Op {}

    /** A subscription, made if there is none of these terms. */
    record Subscribe(String key, String topic, boolean isDurable) implements Op {}

    /** A subscription is deleted. */
    record Unsubscribe(String key) implements Op {}

    /**
     * The head of a partition log is gone.
     *
     * @param start lowest sequence that stays
     * @param losesUnconsumed whether subscriptions may lose messages
     * @param isOrderKnown false if commands that were told before it may be applied behind it
     */
    record Trim(
            String topic, int partition, long start, boolean losesUnconsumed, boolean isOrderKnown)
            implements Op {}

    /** The first phase. */
    record Prepare(BranchId branch, List<Ref> refs) implements Op {}

    /** One phase, or the second. */
    record Commit(BranchId branch, List<Ref> refs) implements Op {}

    /** The end of a branch without effect but on delivery counts. */
    record Rollback(BranchId branch, Outcome outcome, List<Ref> refs) implements Op {}
}
