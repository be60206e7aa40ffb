package org.metaq.store.log;

import java.util.ArrayDeque;

/**
 * Bounds how many logs keep index pages in memory: the one that has kept them longest gives them up
 * first. A page with entries that are not written yet stays until its log publishes. Confined to
 * the writer.
 */
final class PageBudget {
    private final int logCountMax;
    private final ArrayDeque<PartitionLog> holders = new ArrayDeque<>();

    PageBudget(int logCountMax) {
        this.logCountMax = logCountMax;
    }

    /** A log that held no page takes one. */
    void taken(PartitionLog log) {
        holders.addLast(log);
        trim();
    }

    /** Takes pages from those that can give them until no more than allowed hold some. */
    void trim() {
        for (int i = holders.size() - 1; i > 0 && holders.size() > logCountMax; i--) {
            PartitionLog oldest = holders.removeFirst();
            if (!oldest.dropPages()) {
                holders.addLast(oldest);
            }
        }
    }

    /** A log is closed. */
    void closed(PartitionLog log) {
        holders.remove(log);
    }

    int holderCount() {
        return holders.size();
    }
}
