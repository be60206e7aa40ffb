package org.metaq.broker;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.DelayLog;
import org.metaq.broker.state.HeuristicOutcome;
import org.metaq.broker.state.Partition;
import org.metaq.broker.state.RecordType;
import org.metaq.broker.state.Records;
import org.metaq.broker.state.Subscription;
import org.metaq.broker.state.Topic;
import org.metaq.common.BranchId;
import org.metaq.protocol.BranchStatus;
import org.metaq.protocol.Command.Decision;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.StartPosition;
import org.metaq.store.journal.JournalRecord.Need;

/**
 * What operators see of a broker and do with it. Confined to the writer thread, on which the
 * futures complete as well, in a {@link Broker#doWork}; what is refused completes them with an
 * {@link IllegalArgumentException} that says why, what may or may not have been done with an {@link
 * IllegalStateException}.
 */
public final class BrokerAdmin {
    /** Who decides over branches here, for the audit log. */
    private static final Decisions.Operator JMX = new Decisions.Operator("", "JMX");

    private final BrokerContext context;
    private final Transactions transactions;
    private final BranchReports reports;
    private final Decisions decisions;
    private final Subscriptions subscriptions;
    private final Deliveries deliveries;
    private final Redeliveries redeliveries;
    private final ClassicStats stats;
    private final Checkpoints checkpoints;

    BrokerAdmin(
            BrokerContext context,
            Transactions transactions,
            BranchReports reports,
            Decisions decisions,
            Subscriptions subscriptions,
            Deliveries deliveries,
            Redeliveries redeliveries,
            ClassicStats stats,
            Checkpoints checkpoints) {
        this.context = context;
        this.transactions = transactions;
        this.reports = reports;
        this.decisions = decisions;
        this.subscriptions = subscriptions;
        this.deliveries = deliveries;
        this.redeliveries = redeliveries;
        this.stats = stats;
        this.checkpoints = checkpoints;
    }

    /**
     * The in-doubt branches together.
     *
     * @param oldestMs since when the oldest is prepared, ms since 1970; 0 if there is none
     */
    public record InDoubt(int count, long oldestMs) {}

    /**
     * A topic.
     *
     * @param name physical name
     * @param messageCount messages that are stored in it
     * @param lengthBytes of these
     * @param delayedCount messages that wait for their delivery time, besides
     * @param isServed false: no client may use it, see {@link BrokerConfig#autoCreate}
     * @param closedPartitions numbers of those that an operator closed
     */
    public record TopicStatus(
            String name,
            int partitionCount,
            long messageCount,
            long lengthBytes,
            long delayedCount,
            boolean isServed,
            boolean acceptPublish,
            boolean acceptSubscribe,
            List<Integer> closedPartitions) {}

    /**
     * A subscription: one of a topic, or the one that a queue has.
     *
     * @param topic physical name
     * @param clientId empty: none
     * @param name empty for a queue's, and for an unshared non-durable one
     * @param selector empty: none
     * @param backlog messages that are neither acknowledged nor held by a prepared branch
     * @param consumerCount consumers that are open
     */
    public record SubscriptionStatus(
            String topic,
            String clientId,
            String name,
            boolean isDurable,
            boolean isShared,
            String selector,
            long backlog,
            int consumerCount) {}

    // ---- what there is

    /** Every subscription of every topic but the temporary ones. */
    public List<SubscriptionStatus> subscriptions() {
        return context.state.topics().stream()
                .flatMap(topic -> topic.subscriptions().stream())
                .map(this::status)
                .toList();
    }

    private SubscriptionStatus status(Subscription subscription) {
        Subscription.Terms terms = subscription.terms();
        return new SubscriptionStatus(
                terms.topic(),
                terms.clientId(),
                terms.name(),
                terms.durable(),
                terms.shared(),
                terms.selector(),
                subscription.backlog(),
                deliveries.consumerCount(subscription));
    }

    /** Messages that were delivered too often since the broker started. */
    public long deadLetterCount() {
        return redeliveries.deadLetters().exhaustedCount();
    }

    /** Messages that expired since the broker started, once for each subscription. */
    public long expiredCount() {
        return redeliveries.deadLetters().expiredCount();
    }

    /** Connections of clients. */
    public int connectionCount() {
        return stats.connections();
    }

    /** Open consumers of JMS clients. */
    public int consumerCount() {
        return deliveries.consumerCount();
    }

    /** Temporary destinations. */
    public int temporaryDestinationCount() {
        return context.temporaryTopics.size();
    }

    /** Subscriptions that are not durable, those of temporary queues too. */
    public int volatileSubscriptionCount() {
        return context.volatileSubscriptions.size();
    }

    /** Every topic but the temporary ones. */
    public List<TopicStatus> topics() {
        return context.state.topics().stream().map(this::status).toList();
    }

    private TopicStatus status(Topic topic) {
        long messages = 0;
        long bytes = 0;
        long delayed = 0;
        List<Integer> closed = new ArrayList<>();
        for (Partition partition : topic.partitions()) {
            messages += partition.log().endSequence() - partition.log().startSequence();
            bytes += partition.log().endOffset() - partition.log().startOffset();
            DelayLog waiting = partition.delayed();
            delayed += waiting == null ? 0 : waiting.pendingCount();
            if (partition.isClosed()) {
                closed.add(partition.number());
            }
        }
        TopicSettings settings = context.catalog.of(topic.text());
        return new TopicStatus(
                topic.text(),
                topic.partitions().size(),
                messages,
                bytes,
                delayed,
                context.isServed(topic),
                settings.acceptPublish(),
                settings.acceptSubscribe(),
                closed);
    }

    /** Transactions that are neither prepared nor finished. */
    public int activeTransactionCount() {
        return transactions.activeCount();
    }

    /** How many branches are in doubt, and since when. */
    public InDoubt inDoubt() {
        return new InDoubt(context.state.preparedCount(), context.state.oldestPreparedMs());
    }

    /**
     * Branches; ask for each with {@link #branch}, which takes longer.
     *
     * @param inDoubtOnly only those that are prepared; else also those that somebody works on, and
     *     those over which an operator decided
     */
    public List<BranchId> branches(boolean inDoubtOnly) {
        return reports.list(inDoubtOnly);
    }

    /** All about a branch; null if there is none. */
    public @Nullable BranchStatus branch(BranchId id) {
        return reports.of(id);
    }

    /** What operators decided and no transaction manager has forgotten yet. */
    public List<HeuristicOutcome> heuristicOutcomes() {
        return List.copyOf(context.state.heuristics());
    }

    // ---- what is done

    /** Closes partitions to sends and reads, until they are opened; a restart changes nothing. */
    public CompletableFuture<String> closePartitions(String topic, int first, int last) {
        return setClosed(topic, first, last, true);
    }

    /** Opens partitions again. */
    public CompletableFuture<String> openPartitions(String topic, int first, int last) {
        return setClosed(topic, first, last, false);
    }

    /** Opens every partition of a topic. */
    public CompletableFuture<String> openPartitions(String topic) {
        return setClosed(topic, 0, Integer.MAX_VALUE, false);
    }

    private CompletableFuture<String> setClosed(
            String name, int first, int last, boolean isClosed) {
        FutureAnswer answer = new FutureAnswer();
        Topic topic = context.state.topic(name);
        int max = topic == null ? -1 : topic.partitions().size() - 1;
        boolean isAll = first == 0 && last == Integer.MAX_VALUE;
        if (topic == null) {
            answer.refused(ErrorCode.NO_SUCH_DESTINATION, "there is no topic " + name);
        } else if (!isAll && (first < 0 || last < first || last > max)) {
            answer.refused(
                    ErrorCode.BAD_REQUEST,
                    "%s has the partitions 0..%d, not %d..%d".formatted(name, max, first, last));
        } else {
            int end = Math.min(last, max);
            Records.closePartitions(context.batch.body(), name, first, end, isClosed);
            context.batch.add(
                    RecordType.CLOSE_PARTITIONS,
                    Need.SYNC,
                    answer.whenApplied(
                            "%s partitions %d..%d of %s"
                                    .formatted(isClosed ? "closed" : "opened", first, end, name)));
        }
        return answer.future;
    }

    /**
     * Has a durable subscription, or a queue, deliver again from a place on, or from there on only.
     * Refused while it has consumers. Others of the topic are not touched.
     *
     * @param topic physical name
     * @param clientId of the subscription; empty: none
     * @param name of the subscription; empty for a queue's
     * @param position as {@link StartPosition#parse} reads it
     */
    public CompletableFuture<String> resetSubscription(
            String topic, String clientId, String name, String position) {
        FutureAnswer answer = new FutureAnswer();
        Topic found = context.state.topic(topic);
        if (found == null) {
            answer.refused(ErrorCode.NO_SUCH_DESTINATION, "there is no topic " + topic);
            return answer.future;
        }
        try {
            StartPosition start = StartPosition.parse(position);
            subscriptions.reset(clientId, name, found, start, answer);
        } catch (IllegalArgumentException e) {
            answer.refused(ErrorCode.BAD_REQUEST, Objects.toString(e.getMessage(), position));
        }
        return answer.future;
    }

    /** Takes a checkpoint that holds everything up to now. */
    public CompletableFuture<String> checkpoint() {
        return checkpoints.request();
    }

    /** Commits an in-doubt branch, whatever its transaction manager will say. */
    public CompletableFuture<String> commitHeuristically(String key) {
        return decide(key, Decision.COMMIT);
    }

    /** Rolls back an in-doubt branch, whatever its transaction manager will say. */
    public CompletableFuture<String> rollbackHeuristically(String key) {
        return decide(key, Decision.ROLLBACK);
    }

    /** Forgets what an operator decided over a branch: its transaction manager knows by now. */
    public CompletableFuture<String> forget(String key) {
        return decide(key, Decision.FORGET);
    }

    private CompletableFuture<String> decide(String key, Decision decision) {
        FutureAnswer answer = new FutureAnswer();
        try {
            decisions.decide(BranchId.parse(key), decision, JMX, answer);
        } catch (IllegalArgumentException e) {
            answer.refused(ErrorCode.BAD_REQUEST, Objects.toString(e.getMessage(), key));
        }
        return answer.future;
    }

    /** An answer for a caller in this process. */
    private static final class FutureAnswer implements Answer {
        final CompletableFuture<String> future = new CompletableFuture<>();

        @Override
        public void ok(String text) {
            future.complete(text);
        }

        @Override
        public void refused(ErrorCode code, String text) {
            boolean isKnown = code != ErrorCode.UNKNOWN_OUTCOME && code != ErrorCode.BUSY;
            future.completeExceptionally(
                    isKnown ? new IllegalArgumentException(text) : new IllegalStateException(text));
        }
    }
}
