package org.metaq.broker;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;

/**
 * What the broker remembers, in memory only, of sends that no record knows, so that a client that
 * repeats them on another connection gets the first answer: what was stored in temporary
 * destinations, and what was refused while later sends of the same producer were stored. Of both
 * the last {@link #COUNT_MAX}. Confined to the writer thread.
 */
final class RecentSends {
    static final int COUNT_MAX = 10_000;

    private final Map<Long, Long> lastTemporary = new Bounded<>();
    private final Map<Key, RefusedException> refused = new Bounded<>();

    private record Key(long producerId, long sequence) {}

    private static final class Bounded<K, V> extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > COUNT_MAX;
        }
    }

    /** Whether a temporary destination has got this send, or a later one of its producer. */
    boolean isRepeatedTemporary(Command.Send c) {
        Long last = lastTemporary.get(c.producerId());
        return last != null && last >= c.producerSequence();
    }

    /** A temporary destination got this send. */
    void storedTemporary(Command.Send c) {
        if (c.producerId() != 0) {
            lastTemporary.put(c.producerId(), c.producerSequence());
        }
    }

    /** A send was refused. */
    void refused(long producerId, long sequence, ErrorCode code, String text) {
        if (producerId != 0) {
            refused.put(new Key(producerId, sequence), new RefusedException(code, text));
        }
    }

    /** A send was stored, perhaps after an attempt that was refused. */
    void stored(long producerId, long sequence) {
        if (!refused.isEmpty()) {
            refused.remove(new Key(producerId, sequence));
        }
    }

    /** How this send was answered when it was refused; null if it was not. */
    @Nullable RefusedException refusalOf(Command.Send c) {
        return refused.isEmpty()
                ? null
                : refused.get(new Key(c.producerId(), c.producerSequence()));
    }
}
