package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The tables of conversions of properties (§3.5.4) and of values in bodies (§3.11.3). */
final class Types {
    static final String BOOLEAN = "boolean";
    static final String BYTE = "byte";
    static final String SHORT = "short";
    static final String CHAR = "char";
    static final String INT = "int";
    static final String LONG = "long";
    static final String FLOAT = "float";
    static final String DOUBLE = "double";
    static final String STRING = "String";
    static final String BYTES = "byte[]";

    /** A value of each type, and a text that every type but char can be made of. */
    private static final Map<String, Object> VALUES =
            Map.of(
                    BOOLEAN,
                    true,
                    BYTE,
                    (byte) 12,
                    SHORT,
                    (short) 12,
                    CHAR,
                    'c',
                    INT,
                    12,
                    LONG,
                    12L,
                    FLOAT,
                    1.5f,
                    DOUBLE,
                    1.5d,
                    STRING,
                    "12",
                    BYTES,
                    new byte[] {1, 2});

    private static final Map<String, List<String>> READABLE =
            Map.of(
                    BOOLEAN, List.of(BOOLEAN, STRING),
                    BYTE, List.of(BYTE, SHORT, INT, LONG, STRING),
                    SHORT, List.of(SHORT, INT, LONG, STRING),
                    CHAR, List.of(CHAR, STRING),
                    INT, List.of(INT, LONG, STRING),
                    LONG, List.of(LONG, STRING),
                    FLOAT, List.of(FLOAT, DOUBLE, STRING),
                    DOUBLE, List.of(DOUBLE, STRING),
                    STRING, List.of(BOOLEAN, BYTE, SHORT, INT, LONG, FLOAT, DOUBLE, STRING),
                    BYTES, List.of(BYTES));

    private Types() {}

    /** Reads a value as a type. */
    interface Reader {
        Object read(String type) throws JMSException;
    }

    /** All pairs of a type written and a type read, of properties. */
    static Stream<Arguments> propertyPairs() {
        return pairs(List.of(BOOLEAN, BYTE, SHORT, INT, LONG, FLOAT, DOUBLE, STRING));
    }

    /** All pairs of a type written and a type read, of maps and streams. */
    static Stream<Arguments> bodyPairs() {
        return pairs(List.of(BOOLEAN, BYTE, SHORT, CHAR, INT, LONG, FLOAT, DOUBLE, STRING, BYTES));
    }

    private static Stream<Arguments> pairs(List<String> types) {
        return types.stream().flatMap(from -> types.stream().map(to -> Arguments.of(from, to)));
    }

    static Object value(String type) {
        return VALUES.get(type);
    }

    /** That the pair is in the table and gives the value, or is not and fails. */
    static void check(String from, String to, Reader reader) throws JMSException {
        if (READABLE.get(from).contains(to)) {
            assertThat(reader.read(to)).isEqualTo(converted(value(from), to));
        } else {
            assertThatThrownBy(() -> reader.read(to)).isInstanceOf(MessageFormatException.class);
        }
    }

    private static Object converted(Object value, String to) {
        String text = value.toString();
        return switch (to) {
            case BOOLEAN -> Boolean.valueOf(text);
            case BYTE -> Byte.valueOf(text);
            case SHORT -> Short.valueOf(text);
            case CHAR -> text.charAt(0);
            case INT -> Integer.valueOf(text);
            case LONG -> Long.valueOf(text);
            case FLOAT -> Float.valueOf(text);
            case DOUBLE -> Double.valueOf(text);
            case STRING -> text;
            default -> value;
        };
    }
}
