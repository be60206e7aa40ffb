package org.metaq.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/** What happened: the last lines, and a hash of all, which is the same for the same seed. */
final class Trace {
    private static final int KEPT = 80;

    private final int kept;
    private final Deque<String> last = new ArrayDeque<>();
    private long hash = 1125899906842597L;
    private long lines;

    /** By kind of line, which is what stands before its first number or bracket. */
    private final Map<String, Integer> counts = new TreeMap<>();

    Trace() {
        this(KEPT);
    }

    /** Keeps so many lines. */
    Trace(int kept) {
        this.kept = kept;
    }

    void add(String line) {
        lines++;
        counts.merge(kind(line), 1, Integer::sum);
        for (int i = 0; i < line.length(); i++) {
            hash = 31 * hash + line.charAt(i);
        }
        last.addLast(lines + " " + line);
        if (last.size() > kept) {
            last.removeFirst();
        }
    }

    private static String kind(String line) {
        String text = line.startsWith("client") ? line.substring(line.indexOf(' ') + 1) : line;
        int end = 0;
        while (end < text.length()
                && (Character.isLetter(text.charAt(end)) || text.charAt(end) == ' ')) {
            end++;
        }
        return text.substring(0, end).strip();
    }

    /** How many lines of each kind there were. */
    Map<String, Integer> counts() {
        return counts;
    }

    long lines() {
        return lines;
    }

    long hash() {
        return hash;
    }

    /** The last lines, oldest first. */
    String last() {
        return String.join("\n", last);
    }
}
