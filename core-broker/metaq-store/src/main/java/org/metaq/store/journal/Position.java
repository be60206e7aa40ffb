package org.metaq.store.journal;

/**
 * Where a record stands in the order of all records. Opaque; given by the journal in {@code apply},
 * never before.
 *
 * @param entry number of the batch, from 1 on, dense
 * @param ordinal number of the record in its batch, from 0 on
 */
public record Position(long entry, int ordinal) implements Comparable<Position> {
    /** Before the first record. */
    public static final Position START = new Position(0, 0);

    @Override
    public int compareTo(Position other) {
        int byEntry = Long.compare(entry, other.entry);
        return byEntry != 0 ? byEntry : Integer.compare(ordinal, other.ordinal);
    }
}
