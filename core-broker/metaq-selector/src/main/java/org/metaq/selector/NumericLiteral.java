package org.metaq.selector;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers as Java writes them, which Jakarta Messaging 3.1 §3.8.1.1 refers to: exact ones in
 * decimal, octal, hexadecimal or binary, all of them long; approximate ones double, or float with
 * the suffix f.
 */
final class NumericLiteral {
    // Underscores may stand between digits only. No group repeats, so that a long literal needs
    // neither stack nor a second look.
    private static final String DIGITS = "[0-9](?:[0-9_]*[0-9])?";
    private static final String HEX_DIGITS = "[0-9a-fA-F](?:[0-9a-fA-F_]*[0-9a-fA-F])?";

    private static final Pattern EXACT =
            Pattern.compile(
                    "(?:0[xX](?<hex>"
                            + HEX_DIGITS
                            + ")|0[bB](?<binary>[01](?:[01_]*[01])?)"
                            + "|0_*(?<octal>[0-7](?:[0-7_]*[0-7])?)"
                            + "|(?<decimal>0|[1-9](?:[0-9_]*[0-9])?))[lL]?");

    /** The lookahead wants a point, an exponent or a suffix: 09 is no octal, and no double. */
    private static final Pattern APPROXIMATE =
            Pattern.compile(
                    "(?![0-9_]*$)(?<digits>"
                            + withPoint(DIGITS)
                            + ")(?:[eE][+-]?"
                            + DIGITS
                            + ")?(?<suffix>[fFdD])?");

    private static final Pattern APPROXIMATE_HEX =
            Pattern.compile(
                    "0[xX](?<digits>"
                            + withPoint(HEX_DIGITS)
                            + ")[pP][+-]?"
                            + DIGITS
                            + "(?<suffix>[fFdD])?");

    private NumericLiteral() {}

    private static String withPoint(String digits) {
        return "(?:" + digits + "(?:\\.(?:" + digits + ")?)?|\\." + digits + ")";
    }

    /**
     * Reads a literal.
     *
     * @param text starts with a digit, or a point and a digit
     * @param isNegative whether a minus stands before it, which -9223372036854775808 needs
     * @throws NumberFormatException with the reason, if it is none or out of range
     */
    static Number parse(String text, boolean isNegative) {
        Matcher exact = EXACT.matcher(text);
        if (exact.matches()) {
            return exact(exact, isNegative);
        }
        for (Pattern pattern : new Pattern[] {APPROXIMATE_HEX, APPROXIMATE}) {
            Matcher approximate = pattern.matcher(text);
            if (approximate.matches()) {
                return approximate(approximate, isNegative);
            }
        }
        throw new NumberFormatException("is no number");
    }

    private static Long exact(Matcher literal, boolean isNegative) {
        String decimal = literal.group("decimal");
        try {
            if (decimal != null) {
                return Long.parseLong((isNegative ? "-" : "") + plain(decimal));
            }
            long value = unsigned(literal);
            return isNegative ? -value : value;
        } catch (NumberFormatException e) {
            throw outOfRange("long");
        }
    }

    /** As in Java, the digits give the bits: 0xFFFFFFFFFFFFFFFF is -1. */
    private static long unsigned(Matcher literal) {
        String hex = literal.group("hex");
        if (hex != null) {
            return Long.parseUnsignedLong(plain(hex), 16);
        }
        String binary = literal.group("binary");
        if (binary != null) {
            return Long.parseUnsignedLong(plain(binary), 2);
        }
        return Long.parseUnsignedLong(plain(literal.group("octal")), 8);
    }

    private static Number approximate(Matcher literal, boolean isNegative) {
        String text = plain(literal.group());
        boolean isZero = literal.group("digits").chars().allMatch(c -> "0_.".indexOf(c) >= 0);
        if ("f".equalsIgnoreCase(literal.group("suffix"))) {
            float value = Float.parseFloat(text);
            if (Float.isInfinite(value) || (value == 0 && !isZero)) {
                throw outOfRange("float");
            }
            return isNegative ? -value : value;
        }
        double value = Double.parseDouble(text);
        if (Double.isInfinite(value) || (value == 0 && !isZero)) {
            throw outOfRange("double");
        }
        return isNegative ? -value : value;
    }

    private static NumberFormatException outOfRange(String type) {
        return new NumberFormatException("is out of the range of a " + type);
    }

    private static String plain(String digits) {
        return digits.replace("_", "");
    }
}
