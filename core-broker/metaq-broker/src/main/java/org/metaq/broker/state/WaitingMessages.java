package org.metaq.broker.state;

/** Messages that wait for their delivery time, numbered in the order of their arrival. */
public interface WaitingMessages {
    /** Who looks at them. */
    interface Visitor {
        /**
         * One that waits.
         *
         * @param deliveryTimeMs ms since 1970
         * @param arrival orders those of one delivery time; unique, and kept when the message gets
         *     another sequence
         */
        void visit(long sequence, long deliveryTimeMs, long arrival);
    }

    /** No sequence below this waits. */
    long firstPending();

    /** Sequence after the last; grows as messages come. */
    long endSequence();

    /** True if this one still waits. */
    boolean isPending(long sequence);

    /** Visits those of {@code first..end-1} that wait, in order of sequence. */
    void forEachPending(long first, long end, Visitor visitor);
}
