package org.metaq.broker.state;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Last sequence of each producer id, so that a repeated send is stored once. Idle ones are
 * forgotten; so are those that sent longest ago when there are more than {@link #COUNT_MAX}.
 */
final class Producers {
    /** Most producers that are remembered. */
    static final int COUNT_MAX = 100_000;

    /** A producer's last send and what it was answered. */
    record Last(long sequence, long timeMs, Applied.Stored answer) {}

    private final long retentionMs;
    private final LinkedHashMap<Long, Last> byId = new LinkedHashMap<>(64, 0.75f, true);

    Producers(long retentionMs) {
        this.retentionMs = retentionMs;
    }

    /**
     * The first answer to a send that was stored before, or null for a new one. Of older sends than
     * the last the offset is not known any more.
     */
    Applied.@Nullable Stored repeated(long producerId, long sequence) {
        if (producerId == 0) {
            return null;
        }
        Last last = byId.get(producerId);
        if (last == null || sequence > last.sequence()) {
            return null;
        }
        return sequence == last.sequence()
                ? last.answer()
                : new Applied.Stored(0, last.answer().partition(), -1);
    }

    void stored(long producerId, long sequence, long timeMs, Applied.Stored answer) {
        if (producerId == 0) {
            return;
        }
        byId.put(producerId, new Last(sequence, timeMs, answer));
        Iterator<Map.Entry<Long, Last>> oldest = byId.entrySet().iterator();
        while (oldest.hasNext()) {
            boolean isIdle = oldest.next().getValue().timeMs() < timeMs - retentionMs;
            if (!isIdle && byId.size() <= COUNT_MAX) {
                break;
            }
            oldest.remove();
        }
    }

    Map<Long, Last> all() {
        return byId;
    }

    void restore(long producerId, Last last) {
        byId.put(producerId, last);
    }

    void clear() {
        byId.clear();
    }
}
