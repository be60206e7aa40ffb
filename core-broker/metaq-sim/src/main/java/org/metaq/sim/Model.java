package org.metaq.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The oracle. All that clients told the broker stands in one order, and a crash may cut that order
 * at one place only: at or behind the last answer that promised durability when the power failed,
 * at or behind the last answer of any kind when only the process died, nowhere after a clean stop.
 * So after a restart the broker must show exactly what {@link ModelState} holds after one of these
 * cuts: then nothing acknowledged is lost, nothing is there twice, no transaction is there in part,
 * and order is kept.
 */
final class Model {
    private ModelState durable = new ModelState();
    private ModelState live = new ModelState();

    /** Behind {@link #durable}, oldest first. */
    private final Deque<Op> tail = new ArrayDeque<>();

    private long durableCount;
    private long answeredCount;
    private final Set<String> everActive = new HashSet<>();
    private final boolean losesUnconsumed;

    /**
     * Of a broker that holds nothing.
     *
     * @param losesUnconsumed whether subscriptions may lose messages to retention
     */
    Model(boolean losesUnconsumed) {
        this.losesUnconsumed = losesUnconsumed;
    }

    /** How the broker stopped. */
    enum Stop {
        /** Closed. */
        CLEAN,
        /** The process died; what it wrote is there. */
        KILLED,
        /** The power failed; what it forced is there. */
        POWER_LOSS
    }

    /** With everything that was submitted. */
    ModelState live() {
        return live;
    }

    /** Operations so far. */
    long count() {
        return durableCount + tail.size();
    }

    /** The broker is told; gives the operation's place in the order. */
    long submit(Op op) {
        live.apply(op);
        tail.addLast(op);
        return count();
    }

    /** A subscription has, or had, a consumer. */
    void active(String key) {
        everActive.add(key);
    }

    /** The broker answered: up to here it is written. */
    void answered(long place) {
        answeredCount = Math.max(answeredCount, place);
    }

    /** The broker promised: up to here it is durable. */
    void durable(long place) {
        answered(place);
        while (durableCount < place) {
            durable.apply(tail.removeFirst());
            durableCount++;
        }
    }

    /**
     * Compares a restarted broker with every cut that the stop allows, and goes on from the first
     * that fits.
     *
     * @param now the time by which the broker goes
     * @param movesDue whether what is due by then had to move before the broker was looked at
     * @throws Violation if none fits
     */
    void restarted(Stop stop, Observation seen, Op.Time now, boolean movesDue) {
        long leastCount =
                switch (stop) {
                    case CLEAN -> count();
                    case KILLED -> Math.max(durableCount, answeredCount);
                    case POWER_LOSS -> durableCount;
                };
        ModelState candidate = durable.copy();
        ModelState first = null;
        ModelState last = null;
        List<String> fewest = null;
        long place = durableCount;
        Deque<Op> rest = new ArrayDeque<>(tail);
        while (true) {
            if (place >= leastCount) {
                ModelState restarted = candidate.copy();
                restarted.startEpoch(everActive);
                List<String> differences = trim(restarted, seen);
                ModelState shown = restarted.copy();
                shown.apply(now);
                if (movesDue) {
                    shown.due().forEach(shown::apply);
                }
                differences.addAll(Comparison.differences(shown, seen));
                if (differences.isEmpty()) {
                    first = first == null ? restarted : first;
                    last = restarted;
                } else if (fewest == null || differences.size() <= fewest.size()) {
                    fewest = new ArrayList<>(differences);
                    fewest.add(0, "cut at " + place + " of " + leastCount + ".." + count());
                }
            }
            if (rest.isEmpty()) {
                break;
            }
            candidate.apply(rest.removeFirst());
            place++;
        }
        if (first == null || last == null) {
            throw new Violation(
                    "after the stop ("
                            + stop
                            + ") the broker shows what no cut allows:\n  "
                            + String.join("\n  ", fewest == null ? List.of() : fewest));
        }
        adopt(first, last);
    }

    /**
     * A trim that nobody saw before the stop counts if its effect is there; gives what is wrong.
     */
    private List<String> trim(ModelState restarted, Observation seen) {
        List<String> wrong = new ArrayList<>();
        restarted.topics.forEach(
                (topic, log) -> {
                    List<Long> starts = seen.starts().getOrDefault(topic, List.of());
                    for (int i = 0; i < starts.size(); i++) {
                        Op.Trim trim = new Op.Trim(topic, i, starts.get(i), losesUnconsumed, true);
                        wrong.add(restarted.trim(trim));
                    }
                });
        wrong.removeIf(String::isEmpty);
        return wrong;
    }

    /** Between the first and the last cut that fit, delivery counts may differ. */
    private void adopt(ModelState first, ModelState last) {
        first.subscriptions.forEach(
                (name, subscription) -> {
                    ModelSubscription other = last.subscriptions.get(name);
                    if (other != null) {
                        subscription.widen(other);
                    }
                });
        durableCount = count();
        answeredCount = durableCount;
        tail.clear();
        durable = first.copy();
        live = first;
    }
}
