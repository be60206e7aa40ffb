package org.metaq.bench;

import java.util.BitSet;
import java.util.List;

/** Which messages one consumer received. Confined to that consumer until it ends. */
final class Ledger {
    private final BitSet[] seen;
    private long doubled;

    Ledger(int producers) {
        seen = new BitSet[producers];
        for (int i = 0; i < producers; i++) {
            seen[i] = new BitSet();
        }
    }

    /** Notes message {@code number}, counted from 0, of a producer. */
    void received(int producer, int number) {
        BitSet numbers = seen[producer];
        if (numbers.get(number)) {
            doubled++;
        } else {
            numbers.set(number);
        }
    }

    /**
     * Compares what was sent with what all consumers have.
     *
     * @param sent messages of each producer
     */
    static Balance balance(int[] sent, List<Ledger> ledgers) {
        long lost = 0;
        long doubled = 0;
        for (Ledger ledger : ledgers) {
            doubled += ledger.doubled;
        }
        for (int producer = 0; producer < sent.length; producer++) {
            BitSet all = new BitSet();
            for (Ledger ledger : ledgers) {
                BitSet mine = ledger.seen[producer];
                BitSet both = (BitSet) mine.clone();
                both.and(all);
                doubled += both.cardinality();
                all.or(mine);
            }
            lost += sent[producer] - all.get(0, sent[producer]).cardinality();
        }
        return new Balance(lost, doubled);
    }

    /**
     * What went wrong.
     *
     * @param lost messages sent and not received
     * @param doubled receipts beyond the first
     */
    record Balance(long lost, long doubled) {}
}
