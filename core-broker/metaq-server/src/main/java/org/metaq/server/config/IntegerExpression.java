package org.metaq.server.config;

import java.util.function.LongSupplier;

/**
 * Numbers as {@code server.ini} may write them: whole numbers, each with an optional unit {@code
 * K}, {@code M} or {@code G} (powers of 1024), the operators {@code + - * / %} with their usual
 * order, and parentheses, such as {@code 1024*1024*1024}, {@code 64M} or {@code (1G + 512M) / 2}.
 */
final class IntegerExpression {
    /** Deepest nesting of parentheses and signs. */
    private static final int DEPTH_MAX = 50;

    /** What {@link #next} gives behind the last character. */
    private static final char END = '\0';

    private final String text;
    private int position;
    private int depth;

    private IntegerExpression(String text) {
        this.text = text;
    }

    /**
     * The value.
     *
     * @throws NumberFormatException if the text is not such an expression
     * @throws ArithmeticException if it does not fit an int64, or divides by zero
     */
    static long evaluate(String text) {
        IntegerExpression expression = new IntegerExpression(text);
        long value = expression.sum();
        if (expression.next() != END) {
            throw new NumberFormatException("unexpected '" + expression.next() + "'");
        }
        return value;
    }

    /** The next character that is no blank, not yet taken; {@link #END} behind the last. */
    private char next() {
        while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
            position++;
        }
        return position < text.length() ? text.charAt(position) : END;
    }

    private long sum() {
        long value = product();
        while (true) {
            switch (next()) {
                case '+' -> {
                    position++;
                    value = Math.addExact(value, product());
                }
                case '-' -> {
                    position++;
                    value = Math.subtractExact(value, product());
                }
                default -> {
                    return value;
                }
            }
        }
    }

    private long product() {
        long value = factor();
        while (true) {
            switch (next()) {
                case '*' -> {
                    position++;
                    value = Math.multiplyExact(value, factor());
                }
                case '/' -> {
                    position++;
                    value = value / factor();
                }
                case '%' -> {
                    position++;
                    value = value % factor();
                }
                default -> {
                    return value;
                }
            }
        }
    }

    private long factor() {
        char first = next();
        if (first == '-') {
            position++;
            return Math.negateExact(nested(this::factor));
        }
        if (first != '(') {
            return number();
        }
        position++;
        long value = nested(this::sum);
        if (next() != ')') {
            throw new NumberFormatException("a ')' is missing");
        }
        position++;
        return value;
    }

    private long nested(LongSupplier part) {
        if (++depth > DEPTH_MAX) {
            throw new NumberFormatException("it is nested deeper than " + DEPTH_MAX);
        }
        long value = part.getAsLong();
        depth--;
        return value;
    }

    private long number() {
        next();
        int start = position;
        while (position < text.length() && isAsciiDigit(text.charAt(position))) {
            position++;
        }
        if (start == position) {
            char found = next();
            throw new NumberFormatException(
                    found == END
                            ? "a number is missing"
                            : "a number is missing at '" + found + "'");
        }
        long value = Long.parseLong(text.substring(start, position));
        int shift =
                switch (next()) {
                    case 'k', 'K' -> 10;
                    case 'm', 'M' -> 20;
                    case 'g', 'G' -> 30;
                    default -> 0;
                };
        position += shift > 0 ? 1 : 0;
        return Math.multiplyExact(value, 1L << shift);
    }

    private static boolean isAsciiDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
