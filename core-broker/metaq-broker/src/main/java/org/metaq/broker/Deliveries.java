package org.metaq.broker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Applied;
import org.metaq.broker.state.Cursor;
import org.metaq.broker.state.RecordType;
import org.metaq.broker.state.Records;
import org.metaq.broker.state.Subscription;
import org.metaq.broker.state.Topic;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Settlement;
import org.metaq.store.journal.JournalRecord.Need;
import org.metaq.store.log.MessageMeta;

/**
 * Hands messages to consumers that asked for some, and takes back and settles what they hold.
 * Confined to the writer thread.
 */
final class Deliveries {
    /** Text of the error of this name. */
    static final String NOT_ACQUIRED =
            "the settlement names messages that this connection does not hold";

    /** How far the delivered mark runs ahead of what is handed out from a backlog, messages. */
    private static final int MARK_AHEAD = 1024;

    private final BrokerContext context;
    private final Map<Subscription, Group> groups = new HashMap<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final Set<Cursor> marksUnderWay = new HashSet<>();

    private record Timer(long deadlineNs, ConsumerState consumer) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            return Long.compare(deadlineNs, other.deadlineNs);
        }
    }

    Deliveries(BrokerContext context) {
        this.context = context;
    }

    /** The open consumers of a subscription; made on first use. */
    Group group(Subscription subscription) {
        return groups.computeIfAbsent(subscription, Group::new);
    }

    boolean isActive(Subscription subscription) {
        Group group = groups.get(subscription);
        return group != null && !group.consumers.isEmpty();
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
        if (consumer.deadlineNs < consumer.timerNs) {
            startTimer(consumer);
        }
        context.ready.add(consumer.subscription().topic());
    }

    private void startTimer(ConsumerState consumer) {
        consumer.timerNs = consumer.deadlineNs;
        timers.add(new Timer(consumer.deadlineNs, consumer));
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
                if (group != null && !group.waiting.isEmpty() && subscription.isDurable()) {
                    subscription.cursors().forEach(this::addMarkAtEnd);
                }
            }
        }
    }

    private void addMarkAtEnd(Cursor cursor) {
        if (cursor.deliveredMark() == cursor.partition().log().endSequence()) {
            addMark(cursor, Records.END_OF_LOG);
        }
    }

    private void addMark(Cursor cursor, long end) {
        if (marksUnderWay.add(cursor)) {
            Records.delivered(
                    context.batch.body(),
                    cursor.subscription().id(),
                    cursor.partition().number(),
                    end);
            context.batch.add(
                    RecordType.DELIVERED, Need.LAZY, applied -> marksUnderWay.remove(cursor));
        }
    }

    /** Answers waiting acquires as far as there are messages. */
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
                    deliver(group);
                }
            }
        }
    }

    private void deliver(Group group) {
        List<Expired> expired = new ArrayList<>();
        while (!group.waiting.isEmpty()) {
            long available = 0;
            for (Cursor cursor : group.subscription.cursors()) {
                available += cursor.availableAtMost();
            }
            if (available == 0) {
                break;
            }
            long share = (available + group.waiting.size() - 1) / group.waiting.size();
            ConsumerState consumer = group.waiting.getFirst();
            int count = (int) Math.min(share, consumer.maxMessages);
            List<OutboundDelivery> deliveries = take(group, consumer, count, expired);
            if (deliveries.isEmpty()) {
                break;
            }
            group.waiting.removeFirst();
            consumer.isWaiting = false;
            consumer.connection.link().deliveries(consumer.opaque, deliveries);
        }
        if (!expired.isEmpty()) {
            acknowledgeExpired(expired);
        }
    }

    private record Expired(Cursor cursor, long sequence) {}

    private List<OutboundDelivery> take(
            Group group, ConsumerState consumer, int count, List<Expired> expired) {
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
            List<Expired> expired) {
        long nowMs = context.clock.wallMs();
        boolean needsMark = cursor.subscription().isDurable();
        while (deliveries.size() < count && !cursor.partition().isClosed()) {
            long sequence = cursor.peekAvailable();
            if (sequence < 0) {
                break;
            }
            if (needsMark && sequence >= cursor.deliveredMark()) {
                moveMarkAhead(cursor, sequence);
                break;
            }
            MessageMeta meta = cursor.partition().log().meta(sequence);
            if (!deliveries.isEmpty() && meta.length() > bytesLeft) {
                return 0;
            }
            cursor.take(sequence);
            if (meta.expirationMs() != 0 && meta.expirationMs() <= nowMs) {
                expired.add(new Expired(cursor, sequence));
                continue;
            }
            consumer.connection.holdings.add(cursor, sequence, sequence);
            bytesLeft -= meta.length();
            deliveries.add(
                    new OutboundDelivery(
                            cursor.partition().number(),
                            sequence,
                            cursor.nextDeliveryCount(sequence),
                            cursor.isRedelivered(sequence),
                            cursor.partition().log().bytes(sequence)));
        }
        if (needsMark && !deliveries.isEmpty()) {
            long next = deliveries.get(deliveries.size() - 1).sequence() + 1;
            if (cursor.deliveredMark() - next < MARK_AHEAD / 2) {
                moveMarkAhead(cursor, next);
            }
        }
        return bytesLeft;
    }

    /** Lets up to {@link #MARK_AHEAD} messages from this one on be handed out, if there are any. */
    private void moveMarkAhead(Cursor cursor, long sequence) {
        long end = Math.min(cursor.partition().log().endSequence(), sequence + MARK_AHEAD);
        if (end > cursor.deliveredMark()) {
            addMark(cursor, end);
        }
    }

    private void acknowledgeExpired(List<Expired> expired) {
        Holdings done = new Holdings();
        expired.forEach(e -> done.add(e.cursor(), e.sequence(), e.sequence()));
        done.forEachVolatile(Cursor::acknowledge);
        append(RecordType.ACKNOWLEDGE, done.durable(), BrokerContext::ignore);
    }

    private void append(RecordType type, Settlement settlement, Consumer<Applied> completion) {
        if (!settlement.isEmpty()) {
            Records.settlement(context.batch.body(), settlement);
            context.batch.add(type, Need.LAZY, completion);
        }
    }

    // ---- time

    /** When the next waiting acquire runs out; {@code Long.MAX_VALUE} if none waits. */
    long nextDeadlineNs() {
        Timer timer = timers.peek();
        return timer == null ? Long.MAX_VALUE : timer.deadlineNs();
    }

    /** Answers acquires whose time is over, empty. */
    void expire(long nowNs) {
        Timer timer = timers.peek();
        while (timer != null && timer.deadlineNs() <= nowNs) {
            timers.poll();
            ConsumerState consumer = timer.consumer();
            if (consumer.timerNs == timer.deadlineNs()) {
                consumer.timerNs = Long.MAX_VALUE;
            }
            if (consumer.isWaiting && consumer.deadlineNs <= nowNs) {
                answerEmpty(consumer);
            } else if (consumer.isWaiting && consumer.deadlineNs < consumer.timerNs) {
                startTimer(consumer);
            }
            timer = timers.peek();
        }
    }

    private void answerEmpty(ConsumerState consumer) {
        if (consumer.isWaiting) {
            consumer.isWaiting = false;
            consumer.group.waiting.remove(consumer);
            consumer.connection.link().deliveries(consumer.opaque, List.of());
        }
    }

    // ---- settle

    void acknowledge(BrokerConnection connection, Command.Acknowledge command) {
        Settlement settlement = command.settlement();
        if (!connection.holdings.containsAll(settlement)) {
            notAcquired(connection, command.opaque());
            return;
        }
        Holdings taken = new Holdings();
        connection.holdings.remove(
                settlement, (cursor, range) -> taken.add(cursor, range.first(), range.last()));
        taken.forEachVolatile(Cursor::acknowledge);
        Settlement durable = taken.durable();
        Consumer<Applied> answer = answer(connection, command.opaque());
        if (durable.isEmpty()) {
            answer.accept(Applied.Done.DONE);
        } else {
            append(RecordType.ACKNOWLEDGE, durable, answer);
        }
    }

    /** Answers {@code ok}, or nothing if the command is quiet; an error in any case. */
    private static Consumer<Applied> answer(BrokerConnection connection, int opaque) {
        Consumer<Applied> answer = BrokerContext.answer(connection, opaque, "");
        return applied -> {
            if (opaque != Command.QUIET || applied instanceof Applied.Refused) {
                answer.accept(applied);
            }
        };
    }

    static void notAcquired(BrokerConnection connection, int opaque) {
        BrokerContext.error(connection, opaque, ErrorCode.NOT_ACQUIRED, NOT_ACQUIRED);
    }

    void release(BrokerConnection connection, Command.Release command) {
        Settlement settlement = command.settlement();
        if (!connection.holdings.containsAll(settlement)) {
            notAcquired(connection, command.opaque());
            return;
        }
        if (!command.delivered()) {
            connection.holdings.remove(settlement, this::giveBack);
            answer(connection, command.opaque()).accept(Applied.Done.DONE);
            return;
        }
        Holdings taken = new Holdings();
        connection.holdings.remove(
                settlement, (cursor, range) -> taken.add(cursor, range.first(), range.last()));
        releaseDelivered(taken, answer(connection, command.opaque()));
    }

    /** Gives back what was delivered; the completion is called in any case. */
    private void releaseDelivered(Holdings taken, Consumer<Applied> completion) {
        taken.forEachVolatile(this::giveBackDelivered);
        Settlement durable = taken.durable();
        if (durable.isEmpty()) {
            completion.accept(Applied.Done.DONE);
        } else {
            append(RecordType.RELEASE, durable, completion);
        }
    }

    void giveBackDelivered(Cursor cursor, SequenceRange range) {
        cursor.releaseDelivered(range);
        context.ready.add(cursor.partition().topic());
    }

    void giveBack(Cursor cursor, SequenceRange range) {
        for (long sequence = range.first(); sequence <= range.last(); sequence++) {
            cursor.giveBack(sequence);
        }
        context.ready.add(cursor.partition().topic());
    }

    void giveBackSuspect(Cursor cursor, SequenceRange range) {
        cursor.giveBackSuspect(range);
        context.ready.add(cursor.partition().topic());
    }

    // ---- consumers

    ConsumerState open(BrokerConnection connection, int consumerId, Subscription subscription) {
        Group group = group(subscription);
        ConsumerState consumer = new ConsumerState(connection, consumerId, group);
        group.consumers.add(consumer);
        connection.consumers.put(consumerId, consumer);
        return consumer;
    }

    /** Closes a consumer; true if it was the subscription's last. */
    boolean close(ConsumerState consumer) {
        answerEmpty(consumer);
        consumer.connection.consumers.remove(consumer.id);
        Group group = consumer.group;
        group.consumers.remove(consumer);
        if (group.consumers.isEmpty()) {
            groups.remove(group.subscription);
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
