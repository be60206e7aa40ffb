package org.metaq.broker;

import org.metaq.protocol.ErrorCode;

/** A command that is not done, and why: a caller's mistake or a limit; nothing was changed. */
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final String text;

    RefusedException(ErrorCode code, String text) {
        super(text, null, false, false);
        this.code = code;
        this.text = text;
    }

    ErrorCode code() {
        return code;
    }

    String text() {
        return text;
    }
}
