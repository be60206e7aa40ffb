package org.metaq.jms.message;

import jakarta.jms.MessageFormatException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a value as another type: the tables of Jakarta Messaging 3.1 §3.5.4 (properties) and
 * §3.11.3 (Map and Stream bodies), which agree but for {@code char} and {@code byte[]}.
 *
 * <p>What has no cell in the table throws {@link MessageFormatException}. Null is read as the
 * target's {@code valueOf(String)} reads it: false, or {@link NumberFormatException} for integers,
 * or {@link NullPointerException} for float, double and char.
 */
final class Conversions {
    private Conversions() {}

    static boolean toBoolean(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Boolean v) {
            return v;
        }
        if (value == null || value instanceof String) {
            return Boolean.parseBoolean((String) value);
        }
        throw refused(value, "boolean");
    }

    static byte toByte(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Byte v) {
            return v;
        }
        return Byte.parseByte(number(value, "byte"));
    }

    static short toShort(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Short || value instanceof Byte) {
            return ((Number) value).shortValue();
        }
        return Short.parseShort(number(value, "short"));
    }

    static int toInt(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).intValue();
        }
        return Integer.parseInt(number(value, "int"));
    }

    static long toLong(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Long
                || value instanceof Integer
                || value instanceof Short
                || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        return Long.parseLong(number(value, "long"));
    }

    static float toFloat(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Float v) {
            return v;
        }
        return Float.parseFloat(fraction(value, "float"));
    }

    static double toDouble(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Double || value instanceof Float) {
            return ((Number) value).doubleValue();
        }
        return Double.parseDouble(fraction(value, "double"));
    }

    static char toChar(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Character v) {
            return v;
        }
        if (value == null) {
            throw new NullPointerException("a null value cannot be read as char");
        }
        throw refused(value, "char");
    }

    static @Nullable String toText(@Nullable Object value) throws MessageFormatException {
        if (value instanceof byte[]) {
            throw refused(value, "String");
        }
        return value == null ? null : value.toString();
    }

    static byte @Nullable [] toBytes(@Nullable Object value) throws MessageFormatException {
        if (value == null) {
            return null;
        }
        if (value instanceof byte[] v) {
            return v.clone();
        }
        throw refused(value, "byte[]");
    }

    /** Checks a value for a Map or Stream body and copies it if it can change. */
    static @Nullable Object checkBodyValue(@Nullable Object value) throws MessageFormatException {
        if (value instanceof byte[] bytes) {
            return bytes.clone();
        }
        if (value instanceof Character) {
            return value;
        }
        return checkProperty(value);
    }

    /** Checks a value for a property. */
    static @Nullable Object checkProperty(@Nullable Object value) throws MessageFormatException {
        if (value == null
                || value instanceof Boolean
                || value instanceof Byte
                || value instanceof Short
                || value instanceof Integer
                || value instanceof Long
                || value instanceof Float
                || value instanceof Double
                || value instanceof String) {
            return value;
        }
        throw new MessageFormatException(
                "a value of " + value.getClass().getName() + " cannot be stored here");
    }

    private static String number(@Nullable Object value, String target)
            throws MessageFormatException {
        if (value == null) {
            throw new NumberFormatException("a null value cannot be read as " + target);
        }
        return text(value, target);
    }

    private static String fraction(@Nullable Object value, String target)
            throws MessageFormatException {
        if (value == null) {
            throw new NullPointerException("a null value cannot be read as " + target);
        }
        return text(value, target);
    }

    private static String text(Object value, String target) throws MessageFormatException {
        if (value instanceof String v) {
            return v;
        }
        throw refused(value, target);
    }

    private static MessageFormatException refused(Object value, String target) {
        return new MessageFormatException(
                "a value of " + value.getClass().getSimpleName() + " cannot be read as " + target);
    }
}
