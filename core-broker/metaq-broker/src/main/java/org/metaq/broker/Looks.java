package org.metaq.broker;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.metaq.broker.state.Cursor;
import org.metaq.broker.state.Scan;
import org.metaq.broker.state.Subscription;
import org.metaq.common.SequenceRange;
import org.metaq.store.log.MessageMeta;

/**
 * Looks through backlogs: what is there, and what of it a consumer wants. Bounded in each turn of
 * the broker, and goes on in the next. Confined to the writer thread.
 */
final class Looks {
    /**
     * What is looked at before the turn's budget is asked again, index entries and messages. Once
     * in a turn so much is looked at in any case: no backlog holds up what comes elsewhere.
     */
    private static final int ENTRIES_AT_ONCE = 4096;

    private static final int MESSAGES_AT_ONCE = 32;

    private final BrokerContext context;
    private final Settlements settlements;
    private final LookBudget budget;

    /** Whose look through a backlog was cut short. */
    private final Set<ConsumerState> looking = new LinkedHashSet<>();

    private boolean isFirstRound;

    Looks(BrokerContext context, Settlements settlements) {
        this.context = context;
        this.settlements = settlements;
        this.budget = new LookBudget(context.clock);
    }

    void startTurn() {
        budget.startTurn();
        isFirstRound = true;
    }

    /** All that is ready was looked at; there may be another round in the turn. */
    void endRound() {
        isFirstRound = false;
    }

    private boolean mayLook() {
        return isFirstRound || !budget.isSpent();
    }

    /**
     * Sorts in what came. What the subscription's filter rejects it has done with.
     *
     * @return whether all was seen; if not, the next turn goes on
     */
    boolean see(Subscription subscription) {
        Cursor.Filter filter = subscription.filter();
        boolean isAllSeen = true;
        for (Cursor cursor : subscription.cursors()) {
            if (filter != null) {
                look(cursor, filter);
            } else {
                look(cursor);
            }
            isAllSeen &= !cursor.hasUnseen();
        }
        if (!isAllSeen) {
            context.ready.add(subscription.topic());
        }
        return isAllSeen;
    }

    private void look(Cursor cursor) {
        boolean mayLook = mayLook();
        while (cursor.hasUnseen() && mayLook) {
            budget.entries((int) Math.min(ENTRIES_AT_ONCE, cursor.unseenCount()));
            cursor.look(null, ENTRIES_AT_ONCE);
            mayLook = !budget.isSpent();
        }
    }

    private void look(Cursor cursor, Cursor.Filter filter) {
        Holdings rejected = new Holdings();
        boolean mayLook = mayLook();
        while (cursor.hasUnseen() && mayLook) {
            budget.messages((int) Math.min(MESSAGES_AT_ONCE, cursor.unseenCount()));
            for (SequenceRange range : cursor.look(filter, MESSAGES_AT_ONCE)) {
                rejected.add(cursor, range.first(), range.last());
            }
            mayLook = !budget.isSpent();
        }
        if (!rejected.isEmpty()) {
            settlements.done(rejected, List.of());
        }
    }

    /**
     * The next message for a consumer, which stays available; -1 if there is none just now.
     *
     * @param count how many the consumer can take
     */
    long next(Cursor cursor, ConsumerState consumer, int count) {
        if (consumer.takesAll()) {
            return cursor.first();
        }
        Scan scan = consumer.scan(cursor);
        long wanted = cursor.firstWanted(scan);
        if (wanted >= 0) {
            return wanted;
        }
        lookAhead(cursor, consumer, scan, count);
        return cursor.firstWanted(scan);
    }

    /** Whether there is something that was not looked at for a consumer. */
    boolean hasMore(ConsumerState consumer) {
        for (Cursor cursor : consumer.subscription().cursors()) {
            if (!cursor.partition().isClosed()
                    && (cursor.hasUnseen()
                            || (!consumer.takesAll()
                                    && cursor.unlooked(consumer.scan(cursor)) != null))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Consumers that are in the middle of a backlog and have their answers: what they will ask for
     * next is looked for meanwhile.
     */
    void goOn() {
        for (ConsumerState consumer : List.copyOf(looking)) {
            if (!consumer.isWaiting) {
                looking.remove(consumer);
                for (Cursor cursor : consumer.subscription().cursors()) {
                    if (!cursor.partition().isClosed()) {
                        lookAhead(cursor, consumer, consumer.scan(cursor), consumer.maxMessages);
                    }
                }
            }
        }
    }

    /** Nothing is looked for on behalf of a consumer until it asks again. */
    void stop(ConsumerState consumer) {
        looking.remove(consumer);
    }

    /** Looks for messages that a consumer wants, until there are as many as it can take. */
    private void lookAhead(Cursor cursor, ConsumerState consumer, Scan scan, int count) {
        SequenceRange run = cursor.unlooked(scan);
        boolean mayLook = mayLook();
        while (run != null && (scan.wantedCount() < count || cursor.firstWanted(scan) < 0)) {
            if (!mayLook) {
                looking.add(consumer);
                context.ready.add(cursor.partition().topic());
                return;
            }
            look(cursor, consumer, scan, run, count);
            run = cursor.unlooked(scan);
            mayLook = !budget.isSpent();
        }
    }

    private void look(
            Cursor cursor, ConsumerState consumer, Scan scan, SequenceRange run, int count) {
        long last = Math.min(run.last(), run.first() + MESSAGES_AT_ONCE - 1);
        for (long sequence = run.first(); sequence <= last; sequence++) {
            MessageMeta meta = cursor.partition().log().meta(sequence);
            scan.pass(meta.priority(), sequence);
            if (accepts(consumer, cursor, sequence, meta)) {
                scan.want(meta.priority(), sequence);
                if (scan.wantedCount() >= count) {
                    return;
                }
            }
        }
    }

    private boolean accepts(
            ConsumerState consumer, Cursor cursor, long sequence, MessageMeta meta) {
        boolean isGrouped = (meta.flags() & MessageMeta.FLAG_GROUP) != 0;
        if (consumer.selector == null && !isGrouped) {
            budget.entries(1);
            return true;
        }
        budget.messages(1);
        StoredMessage message = context.heads.read(cursor.partition().log(), sequence, meta);
        return (consumer.selector == null || consumer.selector.matches(message))
                && (!isGrouped
                        || consumer.group.messageGroups().mayTake(message.groupId(), consumer));
    }
}
