package org.metaq.broker.state;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.metaq.common.BranchId;
import org.metaq.common.Invariants;
import org.metaq.common.PhysicalName;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.BodyReader;
import org.metaq.protocol.BranchStatus.Share;
import org.metaq.protocol.CommandCodec;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.ProtocolException;
import org.metaq.protocol.Settlement;
import org.metaq.store.journal.Batch;
import org.metaq.store.journal.Checkpoint;
import org.metaq.store.journal.JournalRecord;
import org.metaq.store.journal.Position;
import org.metaq.store.journal.Result;
import org.metaq.store.journal.StateMachine;
import org.metaq.store.log.MessageLog;
import org.metaq.store.log.SpillFile;

/**
 * All that records change. {@link #apply} is the only way in; what it gives depends on the records
 * before it and nothing else.
 */
public final class BrokerState implements StateMachine {
    /** Who hears what records changed, in the same call of {@link #apply}. */
    public interface Listener {
        /** Messages of this topic came, or came back. */
        void available(Topic topic);

        /** A message that came back waits until {@link Cursor#dues}. */
        void waits(Cursor cursor, long sequence);

        /** A subscription is gone: deleted, or replaced by one of other terms. */
        void removed(Subscription subscription);

        /** Messages of this partition are delayed from now on, or not any more. */
        void delayed(Partition partition);
    }

    private final Views views;
    private final Listener listener;

    private final Map<String, Topic> topics = new HashMap<>();
    private final SubscriptionTable subscriptions;
    private final TransactionTable transactions;
    private final Uploads uploads;
    private final Producers producers;
    private final Messages messages;

    private Position position = Position.START;
    private long epoch;
    private long timeMs;
    private long lastMessageId = Long.MIN_VALUE;
    private long messageIdLimit = Long.MIN_VALUE;
    private boolean hasTrimmed;

    /**
     * Empty; {@link #restore} must follow.
     *
     * @param retentionMs of outcomes and of idle producers
     * @param outcomeCountMax most outcomes kept
     * @param transactionMemoryBytes most memory that pending messages of all branches may take
     */
    public BrokerState(
            Views views,
            Listener listener,
            long retentionMs,
            int outcomeCountMax,
            long transactionMemoryBytes) {
        this.views = views;
        this.listener = listener;
        this.subscriptions = new SubscriptionTable(listener);
        this.transactions =
                new TransactionTable(
                        views,
                        new Effects(),
                        new Outcomes(retentionMs, outcomeCountMax),
                        transactionMemoryBytes);
        this.uploads = new Uploads(views, transactions::takeSpillId);
        this.messages = new Messages(views, uploads, listener);
        this.producers = new Producers(retentionMs);
    }

    // ---- what others may see

    /** Epoch of the last applied EPOCH; 0 before the first. */
    public long epoch() {
        return epoch;
    }

    /** Time of the last applied batch, ms since 1970. */
    public long timeMs() {
        return timeMs;
    }

    /** Highest id of a stored message; {@code Long.MIN_VALUE} if none was. */
    public long lastMessageId() {
        return lastMessageId;
    }

    /** No message id at or above this was given yet; {@code Long.MIN_VALUE}: none at all. */
    public long messageIdLimit() {
        return messageIdLimit;
    }

    /** True if logs were trimmed since the last cut: a checkpoint gives their space back. */
    public boolean hasTrimmed() {
        return hasTrimmed;
    }

    /** A topic, or null. */
    public @Nullable Topic topic(String physicalName) {
        return topics.get(physicalName);
    }

    /** All topics. */
    public Collection<Topic> topics() {
        return topics.values();
    }

    /** A durable subscription by id, or null. */
    public @Nullable Subscription subscription(long id) {
        return subscriptions.get(id);
    }

    /** All durable subscriptions, those of queues among them. */
    public Collection<Subscription> subscriptions() {
        return subscriptions.all();
    }

    /** A durable subscription by {@link Subscription.Terms#key}, or null. */
    public @Nullable Subscription durable(String key) {
        return subscriptions.durable(key);
    }

    /** An open or prepared branch, or null. */
    public @Nullable Branch branch(BranchId id) {
        return transactions.branch(id);
    }

    /** All open and prepared branches, in no order. */
    public Collection<Branch> branches() {
        return transactions.branches().all();
    }

    /** How many open and prepared branches there are; does not look at them. */
    public int branchCount() {
        return transactions.branches().count();
    }

    /** How many branches are in doubt. */
    public int preparedCount() {
        return transactions.branches().preparedCount();
    }

    /** Since when the oldest branch is in doubt, ms since 1970; 0 if none is. */
    public long oldestPreparedMs() {
        return transactions.branches().oldestPreparedMs();
    }

    /** Space that a branch's messages take up to its outcome: in memory, and in spill files. */
    public long keptBytes(Branch branch) {
        return branch.pending().storedBytes() + uploads.bytesOf(branch.id());
    }

    /** Outcomes of finished branches. */
    public Outcomes outcomes() {
        return transactions.outcomes();
    }

    /** What an operator decided over a branch, until it is forgotten; or null. */
    public @Nullable HeuristicOutcome heuristic(BranchId id) {
        return transactions.heuristics().get(id);
    }

    /** All heuristic outcomes that are not forgotten, oldest first. */
    public Collection<HeuristicOutcome> heuristics() {
        return transactions.heuristics().values();
    }

    // ---- apply

    @Override
    public List<Result> apply(Position first, Batch batch) {
        List<Result> results = new ArrayList<>(batch.records().size());
        timeMs = Math.max(timeMs, batch.timeMs());
        for (JournalRecord record : batch.records()) {
            results.add(apply(batch, RecordType.ofCode(record.type()), record.body()));
        }
        position = new Position(first.entry(), batch.records().size() - 1);
        messages.publish();
        return results;
    }

    private Result apply(Batch batch, RecordType type, ByteBuffer body) {
        if (type == RecordType.EPOCH) {
            return startEpoch(batch.epoch());
        }
        if (batch.epoch() != epoch) {
            return new Applied.Refused(
                    ErrorCode.UNKNOWN_OUTCOME,
                    "epoch " + batch.epoch() + " is over, this is epoch " + epoch);
        }
        try {
            BodyReader in = new BodyReader(body);
            return switch (type) {
                case SEND, SEND_PARTS -> send(body);
                case PART -> addPart(in.i64(), in.rest());
                case DROP_PARTS -> dropParts(in.i64());
                case ACKNOWLEDGE -> acknowledge(readSettlement(in), Redelivery.read(in));
                case RELEASE -> release(readSettlement(in), Redelivery.read(in));
                case MARK -> subscriptions.mark(in.i64(), in.i32(), Records.readRanges(in));
                case RESET -> reset(in);
                case DELIVERED -> subscriptions.delivered(in.i64(), in.i32(), in.i64());
                case CREATE_TOPIC -> createTopic(in.string(), in.i32());
                case SUBSCRIBE -> subscribe(Records.readTerms(in));
                case UNSUBSCRIBE -> subscriptions.unsubscribe(in.string(), in.string());
                case PREPARE ->
                        transactions.prepare(
                                branch(in), readSettlement(in), Records.readOrigin(in), timeMs);
                case COMMIT ->
                        transactions.commit(branch(in), in.bool(), readSettlement(in), timeMs);
                case ROLLBACK ->
                        transactions.rollback(
                                branch(in),
                                Outcomes.Outcome.ofCode(in.u8()),
                                readSettlement(in),
                                Redelivery.read(in),
                                timeMs);
                case SETTLE_BY_HAND ->
                        transactions.settleByHand(
                                branch(in), in.bool(), Redelivery.read(in), timeMs);
                case FORGET -> transactions.forget(branch(in));
                case ID_LIMIT -> limitMessageIds(in.i64());
                case CLOSE_PARTITIONS ->
                        closePartitions(in.string(), in.i32(), in.i32(), in.bool());
                case TRIM -> trim(Records.Trim.read(in));
                case DUE, DELAY_COMPACT -> moveDelayed(type, Records.Delayed.read(in));
                case EPOCH -> throw new IllegalStateException("handled above");
            };
        } catch (ProtocolException e) {
            throw new IllegalStateException("record " + type + " does not parse", e);
        }
    }

    private static BranchId branch(BodyReader in) throws ProtocolException {
        return BranchId.parse(in.string());
    }

    private static Settlement readSettlement(BodyReader in) throws ProtocolException {
        return CommandCodec.readSettlement(in);
    }

    private Applied startEpoch(long newEpoch) {
        Invariants.check(newEpoch > epoch, "epochs grow", epoch, newEpoch);
        epoch = newEpoch;
        transactions.startEpoch(timeMs);
        uploads.startEpoch();
        subscriptions.startEpoch();
        return Applied.Done.DONE;
    }

    // ---- destinations and subscriptions

    private Applied createTopic(String physicalName, int partitionCount) {
        Topic existing = topics.get(physicalName);
        if (existing != null) {
            existing.grow(partitionCount, number -> views.openLog(existing.name(), number));
            return Applied.Done.DONE;
        }
        PhysicalName name = PhysicalName.parse(physicalName);
        Topic topic = openTopic(name, partitionCount);
        if (name.kind().isQueue()) {
            subscriptions.addQueue(topic);
        }
        return Applied.Done.DONE;
    }

    private Applied closePartitions(String topicName, int first, int last, boolean isClosed) {
        Topic topic = topics.get(topicName);
        if (topic == null) {
            return new Applied.Refused(ErrorCode.NO_SUCH_DESTINATION, "no topic " + topicName);
        }
        for (int number = Math.max(0, first);
                number <= Math.min(last, topic.partitions().size() - 1);
                number++) {
            topic.partitions().get(number).isClosed(isClosed);
        }
        listener.available(topic);
        return Applied.Done.DONE;
    }

    /**
     * Drops what the record names, but nothing that a durable subscription needs unless it says so,
     * and nothing that a prepared branch holds: whatever the one who wrote it looked at.
     */
    private Applied trim(Records.Trim trim) {
        Topic topic = topics.get(trim.topic());
        if (topic == null || !topic.hasPartition(trim.partition())) {
            return noPartition(trim.topic(), trim.partition());
        }
        Partition partition = topic.partitions().get(trim.partition());
        MessageLog log = partition.log();
        long startOffset = log.startOffset();
        long limit = partition.trimLimit(trim.dropsUnconsumed(), false);
        int segmentCount = views.trimLog(log, Math.min(trim.firstSequence(), limit));
        if (segmentCount > 0) {
            hasTrimmed = true;
            for (Subscription subscription : topic.subscriptions()) {
                subscription.cursors().get(partition.number()).trimmed(log.startSequence());
            }
            listener.available(topic);
        }
        return new Applied.Trimmed(segmentCount, log.startOffset() - startOffset);
    }

    private static Applied noPartition(String topic, int partition) {
        return new Applied.Refused(
                ErrorCode.NO_SUCH_DESTINATION, "no partition " + topic + "-" + partition);
    }

    private Applied limitMessageIds(long limit) {
        messageIdLimit = Math.max(messageIdLimit, limit);
        return Applied.Done.DONE;
    }

    private Topic openTopic(PhysicalName name, int partitionCount) {
        Topic topic = new Topic(name, partitionCount, number -> views.openLog(name, number));
        topics.put(topic.text(), topic);
        return topic;
    }

    private Applied subscribe(Subscription.Terms terms) {
        Topic topic = topics.get(terms.topic());
        return topic == null
                ? new Applied.Refused(ErrorCode.NO_SUCH_DESTINATION, "no topic " + terms.topic())
                : subscriptions.subscribe(terms, topic);
    }

    private Applied reset(BodyReader in) throws ProtocolException {
        String clientId = in.string();
        String name = in.string();
        String topicName = in.string();
        long[] starts = new long[in.count(Long.BYTES)];
        for (int i = 0; i < starts.length; i++) {
            starts[i] = in.i64();
        }
        Topic topic = topics.get(topicName);
        return topic == null
                ? new Applied.Refused(ErrorCode.NO_SUCH_DESTINATION, "no topic " + topicName)
                : subscriptions.reset(clientId, name, topic, starts);
    }

    private Applied acknowledge(Settlement settlement, Redelivery redelivery) {
        redelivery.deadLetters().forEach(this::moveDeadLetter);
        subscriptions.forEach(settlement, Cursor::acknowledge);
        return Applied.Done.DONE;
    }

    private Applied release(Settlement settlement, Redelivery redelivery) {
        redelivery.deadLetters().forEach(this::moveDeadLetter);
        subscriptions.release(settlement, redelivery.delays());
        return Applied.Done.DONE;
    }

    /** Copies a dead letter to its queue, and acknowledges it. */
    private void moveDeadLetter(Redelivery.DeadLetter dead) {
        messages.copyDeadLetter(dead, topics.get(dead.topic()), topics.get(dead.target()), timeMs);
        Subscription subscription = subscriptions.get(dead.subscriptionId());
        if (subscription != null) {
            SequenceRange one = new SequenceRange(dead.sequence(), dead.sequence());
            subscription.cursors().get(dead.partition()).acknowledge(one);
        }
    }

    // ---- messages

    private Applied addPart(long uploadId, ByteBuffer piece) {
        uploads.add(uploadId, piece);
        return Applied.Done.DONE;
    }

    private Applied dropParts(long uploadId) {
        uploads.drop(uploadId);
        return Applied.Done.DONE;
    }

    /**
     * Whatever comes of a SEND_PARTS, its body is needed afterwards only where a branch holds it.
     */
    private Applied send(ByteBuffer body) throws ProtocolException {
        Records.Send send = Records.Send.read(body);
        Applied applied = send(send, body);
        uploads.drop(send.uploadId());
        return applied;
    }

    /** Whether a producer's send of this number counts as stored, so that no other will be. */
    public boolean isRepeated(long producerId, long sequence) {
        return producers.repeated(producerId, sequence) != null;
    }

    private Applied send(Records.Send send, ByteBuffer body) {
        Upload upload = uploads.get(send.uploadId());
        if (send.uploadId() != 0 && (upload == null || upload.bytes() != send.bodyLength())) {
            return new Applied.Refused(
                    ErrorCode.BUSY,
                    "not all of the body was taken: nothing was stored, send again");
        }
        Applied.Stored repeated = producers.repeated(send.producerId(), send.producerSequence());
        if (repeated != null) {
            return repeated;
        }
        Topic topic = topics.get(send.topic());
        if (topic == null || !topic.hasPartition(send.partition())) {
            return noPartition(send.topic(), send.partition());
        }
        lastMessageId = Math.max(lastMessageId, send.messageId());
        BranchId branchId = send.branch();
        Applied.Stored stored;
        if (branchId == null) {
            stored = messages.store(topic.partitions().get(send.partition()), send, timeMs);
        } else {
            Applied.Refused refused = transactions.send(branchId, send, body);
            if (refused != null) {
                return refused;
            }
            if (upload != null) {
                upload.holdFor(branchId);
            }
            stored = new Applied.Stored(send.messageId(), send.partition(), -1);
        }
        producers.stored(send.producerId(), send.producerSequence(), timeMs, stored);
        return stored;
    }

    private Applied moveDelayed(RecordType type, Records.Delayed delayed) {
        Topic topic = topics.get(delayed.topic());
        if (topic == null || !topic.hasPartition(delayed.partition())) {
            return noPartition(delayed.topic(), delayed.partition());
        }
        Partition partition = topic.partitions().get(delayed.partition());
        hasTrimmed |=
                type == RecordType.DUE
                        ? messages.due(partition, delayed.sequences(), timeMs)
                        : messages.compact(partition, delayed.sequences());
        return Applied.Done.DONE;
    }

    // ---- transactions

    /** What branches do to the rest of the state. */
    private final class Effects implements TransactionTable.Effects {
        @Override
        public void lock(Settlement acknowledged) {
            subscriptions.forEach(acknowledged, Cursor::lock);
        }

        @Override
        public List<Share> shares(Settlement acknowledged) {
            Map<String, Share> byTopic = new TreeMap<>();
            subscriptions.forEach(
                    acknowledged,
                    (cursor, range) -> {
                        Share share = cursor.partition().share(range);
                        if (share != null) {
                            byTopic.merge(share.topic(), share, Share::plus);
                        }
                    });
            return List.copyOf(byTopic.values());
        }

        @Override
        public void unlock(Settlement acknowledged) {
            subscriptions.forEach(acknowledged, Cursor::unlock);
        }

        @Override
        public void acknowledge(Settlement acknowledged) {
            subscriptions.forEach(acknowledged, Cursor::acknowledge);
        }

        @Override
        public void releaseDelivered(Settlement delivered, Redelivery redelivery) {
            release(delivered, redelivery);
        }

        @Override
        public void store(ByteBuffer sendBody) {
            appendPending(sendBody);
        }

        @Override
        public void finished(BranchId branch) {
            uploads.dropOf(branch);
        }
    }

    private void appendPending(ByteBuffer sendBody) {
        try {
            Records.Send send = Records.Send.read(sendBody);
            Topic topic = topics.get(send.topic());
            if (topic != null) {
                messages.store(topic.partitions().get(send.partition()), send, timeMs);
            }
        } catch (ProtocolException e) {
            throw new IllegalStateException("a pending message does not parse", e);
        }
    }

    // ---- checkpoints

    @Override
    public Checkpoint cut() {
        hasTrimmed = false;
        List<MessageLog> logs = new ArrayList<>();
        topics.values().forEach(t -> t.partitions().forEach(p -> p.addLogsTo(logs)));
        List<SpillFile> spills = new ArrayList<>();
        transactions.forEachSpill(spills::add);
        uploads.forEachSpill(spills::add);
        return views.checkpoint(position, epoch, new Snapshot(this).write(), logs, spills);
    }

    @Override
    public void restore(ByteBuffer state, Position at) {
        topics.clear();
        subscriptions.clear();
        transactions.clear();
        uploads.clear();
        producers.clear();
        position = at;
        if (state.hasRemaining()) {
            new Snapshot(this).read(state);
        }
    }

    /** Closes the logs. */
    public void close() {
        topics.values().forEach(Topic::close);
    }

    // ---- for the snapshot

    Uploads uploads() {
        return uploads;
    }

    Branches branchTable() {
        return transactions.branches();
    }

    SharedSpills sharedSpills() {
        return transactions.sharedSpills();
    }

    Producers producers() {
        return producers;
    }

    Views views() {
        return views;
    }

    /** The scalars, in the order of {@link #restoreScalars}. */
    long[] scalars() {
        return new long[] {
            epoch,
            timeMs,
            lastMessageId,
            subscriptions.nextId(),
            transactions.nextSpillId(),
            messageIdLimit
        };
    }

    void restoreScalars(long[] scalars) {
        epoch = scalars[0];
        timeMs = scalars[1];
        lastMessageId = scalars[2];
        subscriptions.restoreNextId(scalars[3]);
        transactions.restoreNextSpillId(scalars[4]);
        messageIdLimit = scalars[5];
    }

    void restoreTopic(String physicalName, int partitionCount) {
        openTopic(PhysicalName.parse(physicalName), partitionCount);
    }

    /** Opens the delay log of a partition. */
    DelayLog restoreDelayLog(Partition partition) {
        return messages.openDelayLog(partition);
    }

    void restoreSubscription(Subscription subscription) {
        subscriptions.add(subscription);
    }

    void restoreHeuristic(HeuristicOutcome outcome) {
        transactions.restore(outcome);
    }

    void restoreBranch(Branch branch) {
        transactions.restore(branch);
    }

    void restoreWaiting(Branches.Waiting waiting) {
        transactions.restore(waiting);
    }
}
