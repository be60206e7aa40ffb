package org.metaq.broker;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Cursor;
import org.metaq.broker.state.RecordType;
import org.metaq.broker.state.Records;
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

    /** Longest that an acquire waits beyond its time while there is more to look through. */
    private static final long OVERTIME_MAX_NS = 5_000_000_000L;

    private final BrokerContext context;
    private final Groups groups;
    private final Settlements settlements;
    private final Looks looks;
    private final TreeSet<Timer> timers = new TreeSet<>();
    private final Set<Cursor> marksUnderWay = new HashSet<>();
    private long nextTimer;

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
        this.looks = new Looks(context, settlements);
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
        looks.stop(consumer);
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
                        && group.waiting.iterator().next().takesAll()) {
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

    /** A turn of the broker begins. */
    void startTurn() {
        looks.startTurn();
    }

    /** Answers waiting acquires as far as there are messages; perhaps several times in a turn. */
    void deliverReady() {
        if (context.ready.isEmpty()) {
            return;
        }
        List<Topic> topics = List.copyOf(context.ready);
        context.ready.clear();
        for (Topic topic : topics) {
            for (Subscription subscription : topic.subscriptions()) {
                Group group = groups.get(subscription);
                if (group != null && !group.waiting.isEmpty()) {
                    boolean isAllSeen = looks.see(subscription);
                    // Any of the backlog may have the highest priority, so all must be seen first;
                    // but a filter lets pass what has to be read, which takes much longer.
                    if (isAllSeen || subscription.filter() != null) {
                        deliver(group);
                    }
                } else if (subscription.filter() != null) {
                    looks.see(subscription);
                }
            }
        }
        looks.goOn();
        looks.endRound();
    }

    private void deliver(Group group) {
        List<Settlements.Expired> expired = new ArrayList<>();
        int waitingCount = group.waiting.size();
        Iterator<ConsumerState> waiting = group.waiting.iterator();
        while (waiting.hasNext()) {
            ConsumerState consumer = waiting.next();
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
                waiting.remove();
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
            long sequence = looks.next(cursor, consumer, count - deliveries.size());
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
                addMarks(
                        cursor,
                        consumer.takesAll()
                                ? cursor.upcoming(MARK_AHEAD)
                                : consumer.scan(cursor).wanted());
                break;
            }
            if (!deliveries.isEmpty() && meta.length() > left) {
                return 0;
            }
            if (!own(consumer, cursor, sequence, meta)) {
                consumer.scan(cursor).drop(meta.priority(), sequence);
                continue;
            }
            cursor.take(sequence);
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

    /**
     * A consumer is about to take a message: its message group is the consumer's from now on.
     *
     * @return false if it is another's meanwhile
     */
    private boolean own(ConsumerState consumer, Cursor cursor, long sequence, MessageMeta meta) {
        if ((meta.flags() & MessageMeta.FLAG_GROUP) == 0) {
            return true;
        }
        String groupId = context.heads.read(cursor.partition().log(), sequence, meta).groupId();
        if (!consumer.group.messageGroups().mayTake(groupId, consumer)) {
            return false;
        }
        consumer.group.messageGroups().taken(groupId, consumer);
        return true;
    }

    // ---- time

    /** When the next waiting acquire runs out; {@code Long.MAX_VALUE} if none waits. */
    long nextDeadlineNs() {
        return timers.isEmpty() ? Long.MAX_VALUE : timers.first().deadlineNs();
    }

    /**
     * Answers acquires whose time is over, empty; but there may be more to look through for them.
     */
    void expire(long nowNs) {
        List<ConsumerState> late = new ArrayList<>(0);
        while (!timers.isEmpty() && timers.first().deadlineNs() <= nowNs) {
            ConsumerState consumer = timers.first().consumer();
            stopTimer(consumer);
            if (!consumer.isWaiting) {
                continue;
            }
            if (consumer.deadlineNs > nowNs) {
                startTimer(consumer);
            } else if (nowNs - consumer.deadlineNs < OVERTIME_MAX_NS && looks.hasMore(consumer)) {
                late.add(consumer);
            } else {
                answerEmpty(consumer);
            }
        }
        late.forEach(this::startTimer);
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
        looks.stop(consumer);
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
            group.consumers.forEach(looks::stop);
        }
        subscription.cursors().forEach(marksUnderWay::remove);
    }
}
