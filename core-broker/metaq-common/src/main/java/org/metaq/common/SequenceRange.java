package org.metaq.common;

import java.util.ArrayList;
import java.util.List;

/**
 * Consecutive message numbers of one partition, both ends included.
 *
 * @param first lowest sequence, &gt;= 0
 * @param last highest sequence, &gt;= first
 */
public record SequenceRange(long first, long last) {
    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException if {@code first < 0} or {@code last < first}
     */
    public SequenceRange {
        if (first < 0 || last < first) {
            throw new IllegalArgumentException("not a range of sequences: " + first + ".." + last);
        }
    }

    /** How many sequences it holds, &gt;= 1. */
    public long count() {
        return last - first + 1;
    }

    /** The fewest ranges that hold exactly these ascending sequences. */
    public static List<SequenceRange> ofAscending(long[] sequences) {
        List<SequenceRange> ranges = new ArrayList<>();
        int i = 0;
        while (i < sequences.length) {
            int j = i;
            while (j + 1 < sequences.length && sequences[j + 1] == sequences[j] + 1) {
                j++;
            }
            ranges.add(new SequenceRange(sequences[i], sequences[j]));
            i = j + 1;
        }
        return ranges;
    }
}
