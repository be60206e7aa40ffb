package org.metaq.ra.check;

/** Something is not as it must be; says what, and what to do. */
final class CheckFailed extends Exception {
    private static final long serialVersionUID = 1;

    CheckFailed(String message) {
        super(message);
    }
}
