package org.metaq.samples.quickstart;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts how often each order came out somewhere, and with what content. Confined to its thread.
 */
final class Tally {
    private static final int NAMED_MAX = 10;

    private final String what;
    private final OrderHash expected;
    private final int[] counts;
    private final List<Integer> changed = new ArrayList<>();
    private final List<Integer> unknown = new ArrayList<>();
    private int total;

    /**
     * A tally that has seen nothing.
     *
     * @param what "rows", for the differences
     * @param expected what must come out, each once
     */
    Tally(String what, OrderHash expected) {
        this.what = what;
        this.expected = expected;
        this.counts = new int[expected.count()];
    }

    void add(int number, long hash) {
        total++;
        if (number < 1 || number > counts.length) {
            unknown.add(number);
            return;
        }
        counts[number - 1]++;
        if (hash != expected.get(number)) {
            changed.add(number);
        }
    }

    int total() {
        return total;
    }

    /** Orders that did not come out. */
    List<Integer> lost() {
        return numbersWhere(0, 0);
    }

    /** Orders that came out more than once. */
    List<Integer> duplicated() {
        return numbersWhere(2, Integer.MAX_VALUE);
    }

    private List<Integer> numbersWhere(int min, int max) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] >= min && counts[i] <= max) {
                found.add(i + 1);
            }
        }
        return found;
    }

    /** A line for each kind of difference, with the first orders of it. */
    List<String> differences() {
        List<String> lines = new ArrayList<>();
        describe(lines, "lost", lost());
        describe(lines, "duplicated", duplicated());
        describe(lines, "with other content", changed);
        describe(lines, "of no order", unknown);
        return lines;
    }

    private void describe(List<String> lines, String kind, List<Integer> numbers) {
        if (!numbers.isEmpty()) {
            List<Integer> named = numbers.subList(0, Math.min(NAMED_MAX, numbers.size()));
            lines.add(
                    what
                            + " "
                            + kind
                            + ": "
                            + numbers.size()
                            + ", orders "
                            + named
                            + (named.size() < numbers.size() ? " ..." : ""));
        }
    }
}
