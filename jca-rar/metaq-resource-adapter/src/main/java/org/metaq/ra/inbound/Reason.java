package org.metaq.ra.inbound;

/** Why a message was given back, as people read it in a dead letter. */
final class Reason extends Exception {
    private static final long serialVersionUID = 1;

    private final String text;

    /** The reason as something thrown, whose text is just that; the failure is its cause. */
    Reason(Throwable failure) {
        super(failure);
        this.text = of(failure);
    }

    /** Without a failure that was thrown. */
    Reason(String text) {
        super(text);
        this.text = text;
    }

    /** What was thrown, and the root cause of it, which containers wrap. */
    static String of(Throwable failure) {
        Throwable root = failure;
        // as many as anybody nests, and no endless loop
        for (int i = 0; i < 50 && root.getCause() != null; i++) {
            root = root.getCause();
        }
        String outer = failure.toString();
        String inner = root.toString();
        return outer.contains(inner) ? outer : outer + "; caused by " + inner;
    }

    // A session tells the broker the text of what was thrown: here without the class.
    @SuppressWarnings("OverrideThrowableToString")
    @Override
    public String toString() {
        return text;
    }
}
