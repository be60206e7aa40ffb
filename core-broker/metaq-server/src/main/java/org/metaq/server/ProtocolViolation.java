package org.metaq.server;

/**
 * Input after which the next command cannot be found, or which MetaQ's protocol answers by closing
 * the connection.
 */
final class ProtocolViolation extends Exception {
    private static final long serialVersionUID = 1L;

    /** Which kind; each is logged at its own pace. */
    enum Kind {
        LINE_TOO_LONG("line-too-long"),
        BLANK_LINE("blank-line"),
        UNKNOWN_COMMAND("unknown-command"),
        MALFORMED_COMMAND("malformed-command");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    private final Kind kind;

    ProtocolViolation(Kind kind, String detail) {
        super(detail);
        this.kind = kind;
    }

    Kind kind() {
        return kind;
    }
}
