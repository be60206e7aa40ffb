package org.metaq.bench;

import java.util.BitSet;
import java.util.List;
import java.util.Map;

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
        long allSent = 0;
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
            allSent += sent[producer];
            lost += sent[producer] - all.get(0, sent[producer]).cardinality();
        }
        return new Balance(allSent, lost, doubled);
    }

    /**
     * What went wrong.
     *
     * @param sent messages, or receipts that were expected
     * @param lost of them
     * @param doubled receipts beyond the first
     */
    record Balance(long sent, long lost, long doubled) {
        /** Of nothing. */
        static final Balance EMPTY = new Balance(0, 0, 0);

        /** Together with another one. */
        Balance plus(Balance other) {
            return new Balance(sent + other.sent, lost + other.lost, doubled + other.doubled);
        }

        /** As part of a measurement. */
        Map<Metric, Double> values() {
            return Map.of(
                    Metric.SENT, (double) sent,
                    Metric.LOST, (double) lost,
                    Metric.DOUBLED, (double) doubled);
        }
    }
}
