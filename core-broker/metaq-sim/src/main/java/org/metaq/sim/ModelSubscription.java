package org.metaq.sim;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.metaq.common.BranchId;

/** A subscription as the model knows it. */
final class ModelSubscription {
    /** Whether a message counts as perhaps delivered before. */
    enum Suspect {
        NO,
        MAYBE,
        YES
    }

    /** Known deliveries: at least and at most. */
    record Known(int min, int max) {
        static final Known NONE = new Known(0, 0);
    }

    final String name;
    final String key;
    final String topic;
    final boolean isDurable;
    final int[] start;
    final Set<Long> acknowledged = new HashSet<>();
    final Map<Long, BranchId> locked = new TreeMap<>();
    final Map<Long, Known> known = new HashMap<>();
    final Map<Long, Suspect> suspects = new HashMap<>();
    final Set<Long> handedOut = new TreeSet<>();

    /** Live only: what connections hold. */
    final Set<Long> held = new HashSet<>();

    ModelSubscription(String name, String key, String topic, boolean isDurable, int[] start) {
        this.name = name;
        this.key = key;
        this.topic = topic;
        this.isDurable = isDurable;
        this.start = start;
    }

    ModelSubscription copy() {
        ModelSubscription copy = new ModelSubscription(name, key, topic, isDurable, start);
        copy.acknowledged.addAll(acknowledged);
        copy.locked.putAll(locked);
        copy.known.putAll(known);
        copy.suspects.putAll(suspects);
        copy.handedOut.addAll(handedOut);
        copy.held.addAll(held);
        return copy;
    }

    void acknowledge(long message) {
        acknowledged.add(message);
        known.remove(message);
        suspects.remove(message);
        handedOut.remove(message);
        held.remove(message);
    }

    void release(long message) {
        if (!acknowledged.contains(message)) {
            Known old = known(message);
            known.put(message, new Known(old.min() + 1, old.max() + 1));
            suspects.remove(message);
            held.remove(message);
        }
    }

    void giveBack(long message) {
        handedOut.remove(message);
        held.remove(message);
    }

    void lose(long message) {
        held.remove(message);
        if (!acknowledged.contains(message) && known(message).min() == 0) {
            suspects.put(message, known(message).max() == 0 ? Suspect.YES : Suspect.MAYBE);
        }
    }

    void lock(long message, BranchId branch) {
        locked.put(message, branch);
        held.remove(message);
    }

    Known known(long message) {
        return known.getOrDefault(message, Known.NONE);
    }

    Suspect suspect(long message) {
        return suspects.getOrDefault(message, Suspect.NO);
    }

    /** A new epoch; {@code wasActive}: it had a consumer, so that marks may have run ahead. */
    void startEpoch(Iterable<Long> unacknowledged, boolean wasActive) {
        held.clear();
        Map<Long, Suspect> now = new HashMap<>();
        for (long message : unacknowledged) {
            Known count = known(message);
            if (count.min() > 0) {
                continue;
            }
            if (handedOut.contains(message) && count.max() == 0) {
                now.put(message, Suspect.YES);
            } else if (wasActive) {
                now.put(message, Suspect.MAYBE);
            }
        }
        suspects.clear();
        suspects.putAll(now);
    }

    /** What the other knows may be true as well. */
    void widen(ModelSubscription other) {
        Set<Long> messages = new HashSet<>(known.keySet());
        messages.addAll(other.known.keySet());
        messages.addAll(suspects.keySet());
        messages.addAll(other.suspects.keySet());
        for (long message : messages) {
            Known mine = known(message);
            Known theirs = other.known(message);
            boolean differs = !mine.equals(theirs) || suspect(message) != other.suspect(message);
            if (differs) {
                known.put(
                        message,
                        new Known(
                                Math.min(mine.min(), theirs.min()),
                                Math.max(mine.max(), theirs.max())));
                suspects.put(message, Suspect.MAYBE);
            }
        }
    }

    /** Why a delivery of this count and flag is wrong; empty if it is right. */
    String check(long message, int count, boolean isRedelivered) {
        Known seen = known(message);
        Suspect suspect = suspect(message);
        boolean isRight = false;
        for (int k = seen.min(); k <= seen.max(); k++) {
            if (k > 0) {
                isRight |= count == 1 + k && isRedelivered;
            } else {
                isRight |= suspect != Suspect.YES && count == 1 && !isRedelivered;
                isRight |= suspect != Suspect.NO && count == 2 && isRedelivered;
            }
        }
        return isRight
                ? ""
                : "message "
                        + message
                        + " of "
                        + name
                        + " came with delivery count "
                        + count
                        + (isRedelivered ? ", redelivered" : ", not redelivered")
                        + "; known deliveries "
                        + seen
                        + ", suspect "
                        + suspect;
    }
}
