package org.metaq.protocol;

import java.util.List;
import org.metaq.common.SequenceRange;

/**
 * Messages to acknowledge or release, by subscription and partition.
 *
 * @param entries one per subscription and partition; may be empty
 */
public record Settlement(List<Entry> entries) {
    /** Nothing to settle. */
    public static final Settlement NONE = new Settlement(List.of());

    /** Copies the list. */
    public Settlement {
        entries = List.copyOf(entries);
    }

    /** True if there is nothing to settle. */
    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /**
     * Messages of one partition.
     *
     * @param subscriptionId as {@code subscribe} answered it
     * @param partition number of the partition, &gt;= 0
     * @param ranges ascending, disjoint, not empty
     */
    public record Entry(long subscriptionId, int partition, List<SequenceRange> ranges) {
        /** Copies the list. */
        public Entry {
            ranges = List.copyOf(ranges);
        }
    }
}
