package org.metaq.broker;

import java.util.HashMap;
import java.util.Map;
import org.metaq.broker.state.RecordType;
import org.metaq.broker.state.Records;
import org.metaq.store.journal.JournalRecord.Need;

/**
 * {@code unflushThreshold} and {@code unflushInterval} of topics that differ from those of {@code
 * [system]}, which the journal itself keeps. Counts what such a topic sent since it last asked for
 * a force; forces for other reasons are not noticed, so that it asks rather too often. Confined to
 * the writer thread.
 */
final class TopicFlush {
    private static final class Unforced {
        private int count;
        private long dueNs;
    }

    private final BrokerContext context;
    private final Map<String, Unforced> unforced = new HashMap<>();

    TopicFlush(BrokerContext context) {
        this.context = context;
    }

    /** What a send to a topic needs that leaves it to the policy. */
    Need need(String topic) {
        TopicSettings settings = context.catalog.of(topic);
        TopicSettings system = context.catalog.defaults();
        if (settings.unflushThreshold() == system.unflushThreshold()
                && settings.unflushIntervalMs() == system.unflushIntervalMs()) {
            return Need.SEND_POLICY;
        }
        if (settings.unflushThreshold() == 0) {
            return Need.SYNC;
        }
        Unforced sent = unforced.computeIfAbsent(topic, name -> new Unforced());
        if (sent.count == 0) {
            long intervalNs = settings.unflushIntervalMs() * 1_000_000L;
            sent.dueNs = context.clock.monotonicNs() + intervalNs;
        }
        if (++sent.count < settings.unflushThreshold()) {
            return Need.LAZY;
        }
        unforced.remove(topic);
        return Need.SYNC;
    }

    /** Monotonic time at which {@link #forceDue} must be called at the latest. */
    long nextDeadlineNs() {
        long next = Long.MAX_VALUE;
        for (Unforced sent : unforced.values()) {
            next = Math.min(next, sent.dueNs);
        }
        return next;
    }

    /** Has the journal forced if an interval has passed. */
    void forceDue(long nowNs) {
        if (unforced.values().removeIf(sent -> sent.dueNs <= nowNs)) {
            // the journal forces what a record needs: this one says what is known already
            Records.idLimit(context.batch.body(), context.state.messageIdLimit());
            context.batch.add(RecordType.ID_LIMIT, Need.SYNC, BrokerContext::ignore);
        }
    }
}
