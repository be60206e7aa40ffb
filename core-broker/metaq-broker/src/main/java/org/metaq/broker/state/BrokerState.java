package org.metaq.broker.state;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.metaq.common.BranchId;
import org.metaq.common.Invariants;
import org.metaq.common.PhysicalName;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.BodyReader;
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

        /** A subscription is gone: deleted, or replaced by one of other terms. */
        void removed(Subscription subscription);
    }

    private final Views views;
    private final Listener listener;

    private final Map<String, Topic> topics = new HashMap<>();
    private final Map<Long, Subscription> subscriptions = new TreeMap<>();
    private final Map<String, Subscription> durables = new HashMap<>();
    private final TransactionTable transactions;
    private final Uploads uploads;
    private final Producers producers;
    private final List<Partition> touched = new ArrayList<>();

    private Position position = Position.START;
    private long epoch;
    private long timeMs;
    private long lastMessageId = Long.MIN_VALUE;
    private long nextSubscriptionId = 1;
    private long messageIdLimit = Long.MIN_VALUE;

    /**
     * Empty; {@link #restore} must follow.
     *
     * @param retentionMs of outcomes and of idle producers
     * @param transactionMemoryBytes most memory that pending messages of all branches may take
     */
    public BrokerState(
            Views views, Listener listener, long retentionMs, long transactionMemoryBytes) {
        this.views = views;
        this.listener = listener;
        this.transactions =
                new TransactionTable(views, new Effects(), retentionMs, transactionMemoryBytes);
        this.uploads = new Uploads(views, transactions::takeSpillId);
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

    /** A durable subscription by {@link Subscription.Terms#key}, or null. */
    public @Nullable Subscription durable(String key) {
        return durables.get(key);
    }

    /** An open or prepared branch, or null. */
    public @Nullable Branch branch(BranchId id) {
        return transactions.branch(id);
    }

    /** All open and prepared branches, oldest first. */
    public Collection<Branch> branches() {
        return transactions.branches();
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
        touched.forEach(Partition::publish);
        touched.forEach(partition -> listener.available(partition.topic()));
        touched.clear();
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
                case ACKNOWLEDGE -> acknowledge(readSettlement(in));
                case RELEASE -> release(readSettlement(in));
                case DELIVERED -> delivered(in.i64(), in.i32(), in.i64());
                case CREATE_TOPIC -> createTopic(in.string(), in.i32());
                case SUBSCRIBE -> subscribe(Records.readTerms(in));
                case UNSUBSCRIBE -> unsubscribe(in.string(), in.string());
                case PREPARE -> transactions.prepare(branch(in), readSettlement(in), timeMs);
                case COMMIT ->
                        transactions.commit(branch(in), in.bool(), readSettlement(in), timeMs);
                case ROLLBACK ->
                        transactions.rollback(
                                branch(in),
                                Outcomes.Outcome.ofCode(in.u8()),
                                readSettlement(in),
                                timeMs);
                case SETTLE_BY_HAND -> transactions.settleByHand(branch(in), in.bool(), timeMs);
                case FORGET -> transactions.forget(branch(in));
                case ID_LIMIT -> limitMessageIds(in.i64());
                case CLOSE_PARTITIONS ->
                        closePartitions(in.string(), in.i32(), in.i32(), in.bool());
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
        subscriptions.values().forEach(s -> s.cursors().forEach(Cursor::startEpoch));
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
            add(
                    new Subscription(
                            nextSubscriptionId++,
                            new Subscription.Terms("", "", physicalName, true, true, false, ""),
                            topic));
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

    private Applied limitMessageIds(long limit) {
        messageIdLimit = Math.max(messageIdLimit, limit);
        return Applied.Done.DONE;
    }

    private Topic openTopic(PhysicalName name, int partitionCount) {
        Topic topic = new Topic(name, partitionCount, number -> views.openLog(name, number));
        topics.put(topic.text(), topic);
        return topic;
    }

    private void add(Subscription subscription) {
        subscriptions.put(subscription.id(), subscription);
        subscription.topic().add(subscription);
        if (!subscription.terms().name().isEmpty()) {
            durables.put(subscription.terms().key(), subscription);
        }
    }

    private Applied subscribe(Subscription.Terms terms) {
        Topic topic = topics.get(terms.topic());
        if (topic == null) {
            return new Applied.Refused(ErrorCode.NO_SUCH_DESTINATION, "no topic " + terms.topic());
        }
        Subscription existing = durables.get(terms.key());
        if (existing != null) {
            if (existing.terms().equals(terms)) {
                return new Applied.Subscribed(existing);
            }
            remove(existing);
        }
        Subscription subscription = new Subscription(nextSubscriptionId++, terms, topic);
        add(subscription);
        return new Applied.Subscribed(subscription);
    }

    private Applied unsubscribe(String clientId, String name) {
        Subscription.Terms key = new Subscription.Terms(clientId, name, "", true, false, false, "");
        Subscription subscription = durables.get(key.key());
        if (subscription == null) {
            return new Applied.Refused(
                    ErrorCode.NO_SUCH_SUBSCRIPTION,
                    "no durable subscription '" + name + "' of client id '" + clientId + "'");
        }
        remove(subscription);
        return Applied.Done.DONE;
    }

    private void remove(Subscription subscription) {
        subscriptions.remove(subscription.id());
        durables.remove(subscription.terms().key());
        subscription.topic().remove(subscription);
        listener.removed(subscription);
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
            return new Applied.Refused(
                    ErrorCode.NO_SUCH_DESTINATION,
                    "no partition " + send.topic() + "-" + send.partition());
        }
        lastMessageId = Math.max(lastMessageId, send.messageId());
        BranchId branchId = send.branch();
        Applied.Stored stored;
        if (branchId == null) {
            stored = append(topic.partitions().get(send.partition()), send);
        } else {
            Applied.Refused refused = transactions.send(branchId, body);
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

    private Applied.Stored append(Partition partition, Records.Send send) {
        long messageId = send.messageId();
        MessageLog log = partition.log();
        long offset = log.endOffset();
        long expirationMs = send.expirationMs();
        if (send.uploadId() == 0) {
            log.append(send.message(), timeMs, expirationMs, send.priority(), send.flags());
        } else {
            Upload body = Objects.requireNonNull(uploads.get(send.uploadId()));
            log.append(send.message(), body, timeMs, expirationMs, send.priority(), send.flags());
        }
        partition.noteLength(Math.toIntExact(send.messageLength()));
        if (partition.touch()) {
            touched.add(partition);
        }
        return new Applied.Stored(messageId, partition.number(), offset);
    }

    private Applied acknowledge(Settlement settlement) {
        forEach(settlement, Cursor::acknowledge);
        return Applied.Done.DONE;
    }

    private Applied release(Settlement settlement) {
        forEach(settlement, Cursor::releaseDelivered);
        return Applied.Done.DONE;
    }

    private Applied delivered(long subscriptionId, int partition, long end) {
        Subscription subscription = subscriptions.get(subscriptionId);
        if (subscription != null) {
            subscription.cursors().get(partition).markDelivered(end);
            listener.available(subscription.topic());
        }
        return Applied.Done.DONE;
    }

    private interface CursorAction {
        void on(Cursor cursor, SequenceRange range);
    }

    /** Entries of subscriptions that are gone are left out: there is nothing left to settle. */
    private void forEach(Settlement settlement, CursorAction action) {
        for (Settlement.Entry entry : settlement.entries()) {
            Subscription subscription = subscriptions.get(entry.subscriptionId());
            if (subscription == null) {
                continue;
            }
            Cursor cursor = subscription.cursors().get(entry.partition());
            entry.ranges().forEach(range -> action.on(cursor, range));
            listener.available(subscription.topic());
        }
    }

    // ---- transactions

    /** What branches do to the rest of the state. */
    private final class Effects implements TransactionTable.Effects {
        @Override
        public void lock(Settlement acknowledged) {
            forEach(acknowledged, Cursor::lock);
        }

        @Override
        public void unlock(Settlement acknowledged) {
            forEach(acknowledged, Cursor::unlock);
        }

        @Override
        public void acknowledge(Settlement acknowledged) {
            forEach(acknowledged, Cursor::acknowledge);
        }

        @Override
        public void releaseDelivered(Settlement delivered) {
            forEach(delivered, Cursor::releaseDelivered);
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
                append(topic.partitions().get(send.partition()), send);
            }
        } catch (ProtocolException e) {
            throw new IllegalStateException("a pending message does not parse", e);
        }
    }

    // ---- checkpoints

    @Override
    public Checkpoint cut() {
        List<MessageLog> logs = new ArrayList<>();
        topics.values().forEach(t -> t.partitions().forEach(p -> logs.add(p.log())));
        List<SpillFile> spills = new ArrayList<>();
        transactions.forEachSpill(spills::add);
        uploads.forEachSpill(spills::add);
        return views.checkpoint(position, epoch, new Snapshot(this).write(), logs, spills);
    }

    @Override
    public void restore(ByteBuffer state, Position at) {
        topics.clear();
        subscriptions.clear();
        durables.clear();
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

    Producers producers() {
        return producers;
    }

    Collection<Subscription> subscriptions() {
        return subscriptions.values();
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
            nextSubscriptionId,
            transactions.nextSpillId(),
            messageIdLimit
        };
    }

    void restoreScalars(long[] scalars) {
        epoch = scalars[0];
        timeMs = scalars[1];
        lastMessageId = scalars[2];
        nextSubscriptionId = scalars[3];
        transactions.restoreNextSpillId(scalars[4]);
        messageIdLimit = scalars[5];
    }

    void restoreTopic(String physicalName, int partitionCount) {
        openTopic(PhysicalName.parse(physicalName), partitionCount);
    }

    void restoreSubscription(Subscription subscription) {
        add(subscription);
    }

    void restoreHeuristic(HeuristicOutcome outcome) {
        transactions.restore(outcome);
    }

    void restoreBranch(Branch branch) {
        transactions.restore(branch);
    }
}
