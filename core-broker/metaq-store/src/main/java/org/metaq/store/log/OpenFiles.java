package org.metaq.store.log;

import java.util.Iterator;
import java.util.LinkedHashSet;

/**
 * The files that are kept open, at most a fixed number; beyond it the one that was opened longest
 * ago and not used since the last round goes. Thread-safe: its monitor guards the table; it is
 * taken inside the monitor of a {@link SharedFile}, never the other way round.
 */
final class OpenFiles {
    private final int countMax;
    private final LinkedHashSet<OpenFile> table = new LinkedHashSet<>();

    OpenFiles(int countMax) {
        this.countMax = countMax;
    }

    /** Keeps a file that was just opened, and lets another go if they are too many. */
    synchronized void add(OpenFile opened) {
        table.add(opened);
        int spared = 0;
        while (table.size() > countMax) {
            Iterator<OpenFile> oldest = table.iterator();
            OpenFile victim = oldest.next();
            oldest.remove();
            if (spared < countMax && (victim == opened || victim.pollRecentlyUsed())) {
                spared++;
                table.add(victim);
            } else {
                letGo(victim);
            }
        }
    }

    /** Keeps it no longer. */
    synchronized void remove(OpenFile file) {
        if (table.remove(file)) {
            letGo(file);
        }
    }

    synchronized void closeAll() {
        for (OpenFile file : table) {
            letGo(file);
        }
        table.clear();
    }

    synchronized int count() {
        return table.size();
    }

    private static void letGo(OpenFile file) {
        file.owner().forget(file);
        file.release();
    }
}
