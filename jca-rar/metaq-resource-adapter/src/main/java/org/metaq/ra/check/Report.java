package org.metaq.ra.check;

import jakarta.jms.JMSException;
import javax.transaction.xa.XAException;

/** What came of a self-check so far, a line for each step. For one thread. */
final class Report {
    private final StringBuilder lines = new StringBuilder();
    private boolean isFailed;
    private boolean isWaiting;

    /** One thing that is tried. */
    @FunctionalInterface
    interface Step {
        /** Tries it; an error is a failure of the check. */
        void run() throws CheckFailed, JMSException, XAException;
    }

    /** Tries something and adds a line about it; true if it went well. */
    boolean step(String what, Step step) {
        try {
            step.run();
            ok(what);
            return true;
        } catch (CheckFailed e) {
            failed(what + ": " + e.getMessage());
        } catch (JMSException | XAException | RuntimeException e) {
            // Pools and transaction managers throw what they like, unchecked.
            failed(what + ": " + e + cause(e));
        }
        return false;
    }

    private static String cause(Throwable thrown) {
        Throwable cause = thrown.getCause();
        return cause == null ? "" : ", caused by " + cause;
    }

    void ok(String what) {
        line("OK", what);
    }

    void waiting(String what) {
        isWaiting = true;
        line("WAITING", what);
    }

    void failed(String what) {
        isFailed = true;
        line("FAILED", what);
    }

    private void line(String result, String what) {
        lines.append(String.format("%-8s%s%n", result, what));
    }

    /** All lines, then one for all of them. */
    String text() {
        String overall =
                isFailed
                        ? "SELF-CHECK FAILED"
                        : isWaiting
                                ? "SELF-CHECK WAITING: all is well but what waits"
                                : "SELF-CHECK OK";
        return lines + overall;
    }
}
