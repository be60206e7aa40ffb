package org.metaq.common;

/** Checks of what must hold whatever a client sends; always on. A failed one stops the broker. */
public final class Invariants {
    private Invariants() {}

    /**
     * Fails unless {@code condition} holds.
     *
     * @param why what must hold, as a sentence
     * @param values the values that show why it does not, printed in order
     * @throws InvariantViolation if {@code condition} is false
     */
    public static void check(boolean condition, String why, Object... values) {
        if (!condition) {
            throw new InvariantViolation(why + " " + java.util.Arrays.toString(values));
        }
    }

    /** A broken invariant: a fault of the program or of the disk, never of a caller. */
    public static final class InvariantViolation extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        InvariantViolation(String message) {
            super(message);
        }
    }
}
