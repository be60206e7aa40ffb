package org.metaq.jms.option;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Options behind a question mark: {@code name=value[&name=value…]}, where {@code %} and two hex
 * digits stand for a byte of UTF-8. Stateless.
 */
public final class QueryText {
    private QueryText() {}

    /**
     * Reads options, in their order.
     *
     * @param query empty: none
     * @throws IllegalArgumentException if an option has no value or is given twice, or an escape is
     *     not one; the text never shows a value, which may be a password
     */
    public static Map<String, String> parse(String query) {
        Map<String, String> options = new LinkedHashMap<>();
        if (query.isEmpty()) {
            return options;
        }
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = decode(equals < 0 ? pair : pair.substring(0, equals), "name");
            if (equals < 0) {
                throw new IllegalArgumentException(
                        "option '" + name + "' has no value: write option=value");
            }
            if (options.put(name, decode(pair.substring(equals + 1), name)) != null) {
                throw new IllegalArgumentException("option '" + name + "' is given twice");
            }
        }
        return options;
    }

    /** A value such that {@link #parse} reads it back. */
    public static String encode(String value) {
        return value.replace("%", "%25").replace("&", "%26");
    }

    private static String decode(String text, String what) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        int i = 0;
        while (i < text.length()) {
            int escape = text.indexOf('%', i);
            int plainEnd = escape < 0 ? text.length() : escape;
            bytes.writeBytes(text.substring(i, plainEnd).getBytes(StandardCharsets.UTF_8));
            i = plainEnd;
            if (escape >= 0) {
                bytes.write(hexByte(text, escape, what));
                i += 3;
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static int hexByte(String text, int escape, String what) {
        int high = digit(text, escape + 1);
        int low = digit(text, escape + 2);
        if (high < 0 || low < 0) {
            // The text itself may be a password.
            throw new IllegalArgumentException(
                    "option "
                            + what
                            + ": '%' must be followed by two hex digits; the sign itself is %25");
        }
        return high * 16 + low;
    }

    private static int digit(String text, int index) {
        return index < text.length() ? Character.digit(text.charAt(index), 16) : -1;
    }
}
