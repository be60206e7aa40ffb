package org.metaq.broker;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Cursor;
import org.metaq.broker.state.RecordType;
import org.metaq.broker.state.Records;
import org.metaq.broker.state.Scan;
import org.metaq.broker.state.SequenceSet;
import org.metaq.broker.state.Subscription;
import org.metaq.broker.state.Topic;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.selector.Selector;
import org.metaq.store.journal.JournalRecord.Need;
import org.metaq.store.log.MessageMeta;

/** Hands messages to consumers that asked for some. Confined to the writer thread. */
final class Deliveries {
    /** How far the delivered mark runs ahead of what is handed out from a backlog, messages. */
    private static final int MARK_AHEAD = 1024;

    /** Messages that are read in one turn to see who wants them: others wait meanwhile. */
    private static final int LOOKS_MAX = 2_000;

    private final BrokerContext context;
    private final Groups groups;
    private final Settlements settlements;
    private final TreeSet<Timer> timers = new TreeSet<>();
    private final Set<Cursor> marksUnderWay = new HashSet<>();
    private long nextTimer;
    private int looksLeft;

    /** When to look at a consumer whose acquire waits; each has at most one. */
    record Timer(long deadlineNs, long number, ConsumerState consumer)
            implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            int byDeadline = Long.compare(deadlineNs, other.deadlineNs);
            return byDeadline != 0 ? byDeadline : Long.compare(number, other.number);
        }
    }

    Deliveries(BrokerContext context, Groups groups, Settlements settlements) {
        this.context = context;
        this.groups = groups;
        this.settlements = settlements;
    }

    int consumerCount() {
        return groups.consumerCount();
    }

    boolean isActive(Subscription subscription) {
        return consumerCount(subscription) > 0;
    }

    int consumerCount(Subscription subscription) {
        Group group = groups.get(subscription);
        return group == null ? 0 : group.consumers.size();
    }

    // ---- acquire

    void acquire(BrokerConnection connection, Command.Acquire command) {
        ConsumerState consumer = connection.consumers.get(command.consumerId());
        if (consumer == null) {
            noSuchConsumer(connection, command.consumerId(), command.opaque());
            return;
        }
        if (consumer.isWaiting) {
            BrokerContext.error(
                    connection,
                    command.opaque(),
                    ErrorCode.BAD_REQUEST,
                    "consumer " + consumer.id + " has an acquire pending; one at a time");
            return;
        }
        consumer.opaque = command.opaque();
        consumer.maxMessages = command.maxMessages();
        consumer.maxBytes = command.maxBytes();
        consumer.deadlineNs = context.clock.monotonicNs() + command.waitMs() * 1_000_000L;
        consumer.isWaiting = true;
        consumer.group.waiting.add(consumer);
        Timer timer = consumer.timer;
        if (timer == null || consumer.deadlineNs < timer.deadlineNs()) {
            stopTimer(consumer);
            startTimer(consumer);
        }
        context.ready.add(consumer.subscription().topic());
    }

    private void startTimer(ConsumerState consumer) {
        Timer timer = new Timer(consumer.deadlineNs, nextTimer++, consumer);
        consumer.timer = timer;
        timers.add(timer);
    }

    private void stopTimer(ConsumerState consumer) {
        Timer timer = consumer.timer;
        if (timer != null) {
            timers.remove(timer);
            consumer.timer = null;
        }
    }

    static void noSuchConsumer(BrokerConnection connection, int consumerId, int opaque) {
        BrokerContext.error(
                connection,
                opaque,
                ErrorCode.NO_SUCH_CONSUMER,
                "this connection has no consumer " + consumerId);
    }

    /**
     * Before a batch is appended: marks that its messages will need, so that none waits for
     * another.
     */
    void addMarks(Set<Topic> sentTo) {
        for (Topic topic : sentTo) {
            for (Subscription subscription : topic.subscriptions()) {
                Group group = groups.get(subscription);
                if (subscription.isDurable()
                        && group != null
                        && !group.waiting.isEmpty()
                        && group.waiting.getFirst().takesAll()) {
                    subscription.cursors().forEach(this::addMarkOfNew);
                }
            }
        }
    }

    private void addMarkOfNew(Cursor cursor) {
        if (!cursor.hasUnseen() && cursor.availableCount() == 0) {
            long end = cursor.partition().log().endSequence();
            addMarks(cursor, List.of(new SequenceRange(end, Records.END_OF_LOG)));
        }
    }

    private void addMarks(Cursor cursor, List<SequenceRange> ranges) {
        if (!ranges.isEmpty() && marksUnderWay.add(cursor)) {
            Records.mark(
                    context.batch.body(),
                    cursor.subscription().id(),
                    cursor.partition().number(),
                    ranges);
            context.batch.add(RecordType.MARK, Need.LAZY, applied -> marksUnderWay.remove(cursor));
        }
    }

    /** Answers waiting acquires as far as there are messages. */
    void deliverReady() {
        if (context.ready.isEmpty()) {
            return;
        }
        List<Topic> topics = List.copyOf(context.ready);
        context.ready.clear();
        looksLeft = LOOKS_MAX;
        for (Topic topic : topics) {
            for (Subscription subscription : topic.subscriptions()) {
                Group group = groups.get(subscription);
                if (group != null && !group.waiting.isEmpty()) {
                    look(subscription);
                    deliver(group);
                } else if (subscription.filter() != null) {
                    look(subscription);
                }
            }
        }
    }

    /** Sorts in what came. What the subscription's filter rejects it has done with. */
    private void look(Subscription subscription) {
        Holdings rejected = new Holdings();
        for (Cursor cursor : subscription.cursors()) {
            long before = cursor.partition().log().endSequence() - cursor.seenEnd();
            List<SequenceRange> ranges = cursor.look(subscription.filter(), looksLeft);
            ranges.forEach(range -> rejected.add(cursor, range.first(), range.last()));
            if (subscription.filter() != null) {
                looksLeft -= (int) Math.min(looksLeft, before);
                if (cursor.hasUnseen()) {
                    context.ready.add(subscription.topic());
                }
            }
        }
        if (!rejected.isEmpty()) {
            settlements.done(rejected, List.of());
        }
    }

    private void deliver(Group group) {
        List<Settlements.Expired> expired = new ArrayList<>();
        int waitingCount = group.waiting.size();
        for (ConsumerState consumer : List.copyOf(group.waiting)) {
            long available = 0;
            for (Cursor cursor : group.subscription.cursors()) {
                available += cursor.availableCount();
            }
            if (available == 0) {
                break;
            }
            long share = (available + waitingCount - 1) / waitingCount;
            int count = (int) Math.min(share, consumer.maxMessages);
            List<OutboundDelivery> deliveries = take(group, consumer, count, expired);
            if (deliveries.isEmpty() && consumer.takesAll()) {
                break;
            }
            if (!deliveries.isEmpty()) {
                group.waiting.remove(consumer);
                waitingCount--;
                consumer.isWaiting = false;
                consumer.connection.link().deliveries(consumer.opaque, deliveries);
            }
        }
        if (!expired.isEmpty()) {
            settlements.expired(expired);
        }
    }

    private List<OutboundDelivery> take(
            Group group, ConsumerState consumer, int count, List<Settlements.Expired> expired) {
        List<OutboundDelivery> deliveries = new ArrayList<>(Math.min(count, 64));
        List<Cursor> cursors = group.subscription.cursors();
        int bytesLeft = consumer.maxBytes;
        for (int i = 0; i < cursors.size() && deliveries.size() < count && bytesLeft > 0; i++) {
            int number = (group.nextPartition + i) % cursors.size();
            bytesLeft =
                    takeFrom(cursors.get(number), consumer, count, bytesLeft, deliveries, expired);
        }
        group.nextPartition = (group.nextPartition + 1) % cursors.size();
        return deliveries;
    }

    private int takeFrom(
            Cursor cursor,
            ConsumerState consumer,
            int count,
            int bytesLeft,
            List<OutboundDelivery> deliveries,
            List<Settlements.Expired> expired) {
        long nowMs = context.clock.wallMs();
        boolean needsMark = cursor.subscription().isDurable();
        int left = bytesLeft;
        while (deliveries.size() < count && !cursor.partition().isClosed()) {
            long sequence = next(cursor, consumer);
            if (sequence < 0) {
                break;
            }
            MessageMeta meta = cursor.partition().log().meta(sequence);
            if (meta.expirationMs() != 0 && meta.expirationMs() <= nowMs) {
                cursor.take(sequence);
                expired.add(new Settlements.Expired(cursor, sequence));
                continue;
            }
            if (needsMark && !cursor.isMarked(sequence)) {
                addMarks(cursor, toMark(cursor, consumer, sequence));
                break;
            }
            if (!deliveries.isEmpty() && meta.length() > left) {
                return 0;
            }
            cursor.take(sequence);
            own(consumer, cursor, sequence, meta);
            consumer.connection.holdings.add(cursor, sequence, sequence);
            left -= meta.length();
            deliveries.add(outbound(cursor, sequence));
        }
        if (needsMark
                && !deliveries.isEmpty()
                && consumer.takesAll()
                && !cursor.isMarkedAhead(MARK_AHEAD / 2)) {
            addMarks(cursor, cursor.upcoming(MARK_AHEAD));
        }
        return left;
    }

    static OutboundDelivery outbound(Cursor cursor, long sequence) {
        return new OutboundDelivery(
                cursor.partition().number(),
                sequence,
                cursor.nextDeliveryCount(sequence),
                cursor.isRedelivered(sequence),
                cursor.partition().log().bytes(sequence));
    }

    /** The next message for a consumer, which stays available; -1 if there is none just now. */
    private long next(Cursor cursor, ConsumerState consumer) {
        if (consumer.takesAll()) {
            return cursor.first();
        }
        Scan scan = consumer.scan(cursor);
        for (long s = cursor.first(scan); s >= 0; s = cursor.first(scan)) {
            if (looksLeft <= 0) {
                context.ready.add(cursor.partition().topic());
                return -1;
            }
            MessageMeta meta = cursor.partition().log().meta(s);
            if (accepts(consumer, cursor, s, meta)) {
                return s;
            }
            scan.pass(meta.priority(), s);
        }
        return -1;
    }

    private boolean accepts(
            ConsumerState consumer, Cursor cursor, long sequence, MessageMeta meta) {
        boolean isGrouped = (meta.flags() & MessageMeta.FLAG_GROUP) != 0;
        if (consumer.selector == null && !isGrouped) {
            return true;
        }
        looksLeft--;
        StoredMessage message = StoredMessage.read(cursor.partition().log(), sequence);
        return (consumer.selector == null || consumer.selector.matches(message))
                && (!isGrouped
                        || consumer.group.messageGroups().mayTake(message.groupId(), consumer));
    }

    /** The consumer has a message: its message group is the consumer's from now on. */
    private static void own(
            ConsumerState consumer, Cursor cursor, long sequence, MessageMeta meta) {
        if ((meta.flags() & MessageMeta.FLAG_GROUP) != 0) {
            String groupId = StoredMessage.read(cursor.partition().log(), sequence).groupId();
            consumer.group.messageGroups().taken(groupId, consumer);
        }
    }

    /** What had better be marked now that the consumer wants this one. */
    private List<SequenceRange> toMark(Cursor cursor, ConsumerState consumer, long sequence) {
        if (consumer.takesAll()) {
            return cursor.upcoming(MARK_AHEAD);
        }
        SequenceSet wanted = new SequenceSet();
        Scan scan = consumer.scan(cursor).copy();
        long s = sequence;
        while (s >= 0 && wanted.count() < consumer.maxMessages && looksLeft > 0) {
            MessageMeta meta = cursor.partition().log().meta(s);
            if (s == sequence || accepts(consumer, cursor, s, meta)) {
                wanted.add(s, s);
            }
            scan.pass(meta.priority(), s);
            s = cursor.first(scan);
        }
        return wanted.ranges();
    }

    // ---- time

    /** When the next waiting acquire runs out; {@code Long.MAX_VALUE} if none waits. */
    long nextDeadlineNs() {
        return timers.isEmpty() ? Long.MAX_VALUE : timers.first().deadlineNs();
    }

    /** Answers acquires whose time is over, empty. */
    void expire(long nowNs) {
        while (!timers.isEmpty() && timers.first().deadlineNs() <= nowNs) {
            ConsumerState consumer = timers.first().consumer();
            stopTimer(consumer);
            if (consumer.isWaiting && consumer.deadlineNs <= nowNs) {
                answerEmpty(consumer);
            } else if (consumer.isWaiting) {
                startTimer(consumer);
            }
        }
    }

    private void answerEmpty(ConsumerState consumer) {
        if (consumer.isWaiting) {
            consumer.isWaiting = false;
            consumer.group.waiting.remove(consumer);
            consumer.connection.link().deliveries(consumer.opaque, List.of());
        }
    }

    // ---- consumers

    ConsumerState open(
            BrokerConnection connection,
            int consumerId,
            Subscription subscription,
            @Nullable Selector selector) {
        Group group = groups.open(subscription);
        ConsumerState consumer = new ConsumerState(connection, consumerId, group, selector);
        group.consumers.add(consumer);
        connection.consumers.put(consumerId, consumer);
        return consumer;
    }

    /** Closes a consumer; true if it was the subscription's last. */
    boolean close(ConsumerState consumer) {
        answerEmpty(consumer);
        stopTimer(consumer);
        consumer.connection.consumers.remove(consumer.id);
        consumer.endScans();
        Group group = consumer.group;
        group.closed(consumer);
        context.ready.add(group.subscription.topic());
        if (group.consumers.isEmpty()) {
            groups.closed(group.subscription);
            return true;
        }
        return false;
    }

    /** A subscription is gone: its consumers get nothing any more. */
    void removed(Subscription subscription) {
        @Nullable Group group = groups.remove(subscription);
        if (group != null) {
            List.copyOf(group.waiting).forEach(this::answerEmpty);
        }
        subscription.cursors().forEach(marksUnderWay::remove);
    }
}
