package org.metaq.protocol;

import java.nio.charset.StandardCharsets;

/**
 * The tokens of one command line: separated by exactly one space, so that two spaces make an empty
 * token. Immutable.
 */
public final class CommandLine {
    private final String[] tokens;

    private CommandLine(String[] tokens) {
        this.tokens = tokens;
    }

    /** Splits a line given without its CRLF. */
    public static CommandLine parse(byte[] line, int from, int to) {
        int count = 1;
        for (int i = from; i < to; i++) {
            if (line[i] == ' ') {
                count++;
            }
        }
        String[] tokens = new String[count];
        int start = from;
        int token = 0;
        for (int i = from; i <= to; i++) {
            if (i == to || line[i] == ' ') {
                tokens[token++] = new String(line, start, i - start, StandardCharsets.UTF_8);
                start = i + 1;
            }
        }
        return new CommandLine(tokens);
    }

    /** First token. */
    public String word() {
        return tokens[0];
    }

    /** How many tokens there are, the word included; &gt;= 1. */
    public int count() {
        return tokens.length;
    }

    /** A token, 0 being the word. */
    String token(int index) throws ProtocolException {
        if (index >= tokens.length) {
            throw new ProtocolException(
                    "'" + word() + "' needs more than " + tokens.length + " tokens");
        }
        return tokens[index];
    }

    int intAt(int index) throws ProtocolException {
        try {
            return Integer.parseInt(token(index));
        } catch (NumberFormatException e) {
            throw notANumber(index, e);
        }
    }

    long longAt(int index) throws ProtocolException {
        try {
            return Long.parseLong(token(index));
        } catch (NumberFormatException e) {
            throw notANumber(index, e);
        }
    }

    boolean flagAt(int index) throws ProtocolException {
        return switch (token(index)) {
            case "0" -> false;
            case "1" -> true;
            default ->
                    throw new ProtocolException(
                            "token " + index + " of '" + word() + "' must be 0 or 1");
        };
    }

    private ProtocolException notANumber(int index, NumberFormatException cause) {
        return new ProtocolException(
                "token " + index + " of '" + word() + "' is not a number: '" + tokens[index] + "'",
                cause);
    }
}
