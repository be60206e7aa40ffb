package org.metaq.sim;

import java.util.ArrayDeque;
import java.util.Deque;

/** What happened: the last lines, and a hash of all, which is the same for the same seed. */
final class Trace {
    private static final int KEPT = 80;

    private final Deque<String> last = new ArrayDeque<>();
    private long hash = 1125899906842597L;
    private long lines;

    void add(String line) {
        lines++;
        for (int i = 0; i < line.length(); i++) {
            hash = 31 * hash + line.charAt(i);
        }
        last.addLast(lines + " " + line);
        if (last.size() > KEPT) {
            last.removeFirst();
        }
    }

    long hash() {
        return hash;
    }

    /** The last lines, oldest first. */
    String last() {
        return String.join("\n", last);
    }
}
