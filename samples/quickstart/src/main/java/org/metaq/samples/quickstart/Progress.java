package org.metaq.samples.quickstart;

import java.io.PrintStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Shows what is going on: on a terminal one line that is written over, elsewhere a line every
 * second. Confined to its thread.
 */
final class Progress {
    private static final long TERMINAL_PERIOD_NS = 100_000_000;
    private static final long PLAIN_PERIOD_NS = 1_000_000_000;

    private final PrintStream out;
    private final boolean isTerminal;
    private final long startNs;
    private String phase = "";
    private long phaseStartNs;
    private long phaseStartCount;
    private long all;
    private long shownNs;
    private @Nullable String pendingLine;

    Progress(PrintStream out, boolean isTerminal) {
        this.out = out;
        this.isTerminal = isTerminal;
        this.startNs = System.nanoTime();
    }

    /** Something happened, to stay on the screen. */
    void event(String text) {
        clear();
        out.printf(Locale.ROOT, "%6.1f s  %s%n", seconds(startNs), text);
    }

    /**
     * A phase begins; {@link #count} counts in it.
     *
     * @param newAll how many there are to do; 0: not known
     */
    void phase(String name, long countSoFar, long newAll) {
        phase = name;
        all = newAll;
        phaseStartNs = System.nanoTime();
        phaseStartCount = countSoFar;
        shownNs = 0;
    }

    /** So many are done. Shown now and then. */
    void count(long done) {
        long nowNs = System.nanoTime();
        if (shownNs != 0 && nowNs - shownNs < (isTerminal ? TERMINAL_PERIOD_NS : PLAIN_PERIOD_NS)) {
            return;
        }
        shownNs = nowNs;
        double rate = (done - phaseStartCount) / Math.max(0.001, seconds(phaseStartNs));
        String line =
                String.format(
                        Locale.ROOT,
                        "%6.1f s  %s: %d%s, %.0f/s",
                        seconds(startNs),
                        phase,
                        done,
                        all == 0 ? "" : " of " + all,
                        rate);
        if (isTerminal) {
            out.print("\r" + line + "\u001b[K");
            out.flush();
            pendingLine = line;
        } else {
            out.println(line);
        }
    }

    private void clear() {
        if (pendingLine != null) {
            out.print("\r\u001b[K");
            pendingLine = null;
        }
    }

    /** Takes the updated line off the screen. */
    void end() {
        clear();
        out.flush();
    }

    private static double seconds(long sinceNs) {
        return (System.nanoTime() - sinceNs) / 1e9;
    }
}
