package org.metaq.soak;

import java.util.BitSet;
import java.util.List;

/**
 * Whether each message is in one place: still in the source queue, or once in the target queue and
 * once in the database.
 *
 * @param lost messages that were sent and are not there, or are in one of target and database only
 * @param duplicated messages that are there more than once
 */
record Tally(int lost, int duplicated) {
    /**
     * Counts.
     *
     * @param sent what the broker has acknowledged; others may be there or not
     */
    static Tally of(
            BitSet sent, List<Integer> source, List<Integer> target, List<Integer> database) {
        int end = sent.length();
        for (List<Integer> place : List.of(source, target, database)) {
            end = place.stream().mapToInt(number -> number + 1).reduce(end, Math::max);
        }
        int[] inSource = counts(source, end);
        int[] inTarget = counts(target, end);
        int[] inDatabase = counts(database, end);
        int lost = 0;
        int duplicated = 0;
        for (int i = 0; i < end; i++) {
            boolean isThere = inSource[i] + inTarget[i] + inDatabase[i] > 0;
            if ((sent.get(i) || isThere)
                    && inSource[i] + Math.min(inTarget[i], inDatabase[i]) == 0) {
                lost++;
            }
            if (inSource[i] + Math.max(inTarget[i], inDatabase[i]) > 1) {
                duplicated++;
            }
        }
        return new Tally(lost, duplicated);
    }

    private static int[] counts(List<Integer> numbers, int end) {
        int[] counts = new int[end];
        numbers.forEach(number -> counts[number]++);
        return counts;
    }
}
