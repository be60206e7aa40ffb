package org.metaq.broker;

import java.util.List;
import java.util.function.Consumer;
import org.metaq.broker.state.Applied;
import org.metaq.broker.state.Cursor;
import org.metaq.broker.state.RecordType;
import org.metaq.broker.state.Records;
import org.metaq.broker.state.Redelivery;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Settlement;
import org.metaq.store.journal.JournalRecord.Need;

/** Takes back and settles what consumers hold. Confined to the writer thread. */
final class Settlements {
    /** Text of the error of this name. */
    static final String NOT_ACQUIRED =
            "the settlement names messages that this connection does not hold";

    private final BrokerContext context;
    private final Redeliveries redeliveries;
    private final Redeliveries.Listener listener;

    /** A message that nobody gets any more. */
    record Expired(Cursor cursor, long sequence) {}

    Settlements(BrokerContext context, Redeliveries redeliveries, Redeliveries.Listener listener) {
        this.context = context;
        this.redeliveries = redeliveries;
        this.listener = listener;
    }

    private void append(
            RecordType type,
            Settlement settlement,
            Redelivery redelivery,
            Consumer<Applied> completion) {
        Records.settlement(context.batch.body(), settlement, redelivery);
        context.batch.add(type, Need.LAZY, completion);
    }

    // ---- done

    void acknowledge(BrokerConnection connection, Command.Acknowledge command) {
        Settlement settlement = command.settlement();
        if (!connection.holdings.containsAll(settlement)) {
            notAcquired(connection, command.opaque());
            return;
        }
        Holdings taken = take(connection, settlement);
        Settlement durable = taken.durable();
        Consumer<Applied> settled =
                settled(
                        connection,
                        taken,
                        () -> taken.forEachVolatile(Cursor::acknowledge),
                        answer(connection, command.opaque()));
        if (durable.isEmpty()) {
            settled.accept(Applied.Done.DONE);
        } else {
            append(RecordType.ACKNOWLEDGE, durable, Redelivery.NONE, settled);
        }
    }

    /**
     * Completion of what the connection asked for. If the journal was too busy, the connection
     * holds the messages as before, and may ask again.
     *
     * @param settleVolatile does the part that no record knows
     */
    private Consumer<Applied> settled(
            BrokerConnection connection,
            Holdings taken,
            Runnable settleVolatile,
            Consumer<Applied> answer) {
        return applied -> {
            if (!BrokerContext.isBusy(applied)) {
                settleVolatile.run();
            } else if (connection.isGone) {
                taken.drain(this::giveBackSuspect);
            } else {
                taken.drain((cursor, r) -> connection.holdings.add(cursor, r.first(), r.last()));
            }
            answer.accept(applied);
        };
    }

    private static Holdings take(BrokerConnection connection, Settlement settlement) {
        Holdings taken = new Holdings();
        connection.holdings.remove(
                settlement, (cursor, range) -> taken.add(cursor, range.first(), range.last()));
        return taken;
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

    /** Messages that nobody holds are done with, some of them as dead letters. */
    void done(Holdings messages, List<Redelivery.DeadLetter> deadLetters) {
        messages.forEachVolatile(Cursor::acknowledge);
        Settlement durable = messages.durable();
        if (!durable.isEmpty() || !deadLetters.isEmpty()) {
            append(
                    RecordType.ACKNOWLEDGE,
                    durable,
                    new Redelivery(List.of(), deadLetters),
                    applied -> {
                        if (BrokerContext.isBusy(applied)) {
                            // looked at again, and found to be so again
                            messages.forEachDurable(this::giveBack);
                        }
                    });
        }
    }

    /** Messages expired before anybody got them. */
    void expired(List<Expired> messages) {
        Holdings done = new Holdings();
        messages.forEach(e -> done.add(e.cursor(), e.sequence(), e.sequence()));
        List<Redelivery.DeadLetter> deadLetters =
                messages.stream()
                        .map(e -> redeliveries.deadLetters().expired(e.cursor(), e.sequence()))
                        .filter(dead -> !dead.target().isEmpty())
                        .toList();
        done(done, deadLetters);
    }

    // ---- given back

    void release(BrokerConnection connection, Command.Release command) {
        Settlement settlement = command.settlement();
        if (!connection.holdings.containsAll(settlement)) {
            notAcquired(connection, command.opaque());
            return;
        }
        Consumer<Applied> answer = answer(connection, command.opaque());
        if (!command.delivered()) {
            connection.holdings.remove(settlement, this::giveBack);
            answer.accept(Applied.Done.DONE);
            return;
        }
        Holdings taken = take(connection, settlement);
        Redeliveries.Cause cause =
                new Redeliveries.Cause(connection.redeliveryOptions, command.reason());
        Settlement durable = taken.durable();
        Consumer<Applied> settled =
                settled(connection, taken, () -> releaseVolatile(taken, cause), answer);
        if (durable.isEmpty()) {
            settled.accept(Applied.Done.DONE);
        } else {
            append(RecordType.RELEASE, durable, redeliveries.ofDurable(taken, cause), settled);
        }
    }

    /** As if it had never been taken. */
    void giveBack(Cursor cursor, SequenceRange range) {
        for (long sequence = range.first(); sequence <= range.last(); sequence++) {
            cursor.giveBack(sequence);
        }
        context.ready.add(cursor.partition().topic());
    }

    /** It may have been delivered. */
    void giveBackSuspect(Cursor cursor, SequenceRange range) {
        cursor.giveBackSuspect(range);
        context.ready.add(cursor.partition().topic());
    }

    /** A branch gives back what it held of subscriptions that no record knows. */
    void releaseVolatile(Holdings released, Redeliveries.Cause cause) {
        redeliveries.releaseVolatile(released, cause, listener);
    }
}
