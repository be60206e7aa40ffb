package org.metaq.common;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The name of a destination on the wire and in the file system.
 *
 * <p>A JMS name may hold any character, and queues and topics are separate name spaces. The
 * physical name is the kind's prefix ({@code queue@}, {@code tempqueue@}, {@code temptopic@},
 * nothing for a topic) and the name in UTF-8, where every byte but {@code A-Z a-z 0-9 . _ -} is
 * written as {@code %} and two upper-case hex digits. So a classic client reaches the JMS topic
 * {@code orders} as {@code orders} and the queue {@code orders} as {@code queue@orders}.
 *
 * @param kind what it names
 * @param name the JMS name, not empty
 */
public record PhysicalName(DestinationKind kind, String name) {
    /** Longest physical name, in bytes: a file name of 255 less the partition suffix. */
    public static final int LENGTH_MAX = 240;

    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if the name is empty or its physical form exceeds {@link
     *     #LENGTH_MAX}
     */
    public PhysicalName {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a destination name must not be empty");
        }
        int length = kind.prefix().length() + encode(name).length();
        if (length > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "the destination name '"
                            + name
                            + "' takes "
                            + length
                            + " bytes as a physical name; the limit is "
                            + LENGTH_MAX);
        }
    }

    /** The physical form. */
    public String text() {
        return kind.prefix() + encode(name);
    }

    /**
     * Reads a physical name back.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static PhysicalName parse(String text) {
        for (DestinationKind kind : DestinationKind.values()) {
            if (!kind.prefix().isEmpty() && text.startsWith(kind.prefix())) {
                return new PhysicalName(kind, decode(text.substring(kind.prefix().length())));
            }
        }
        return new PhysicalName(DestinationKind.TOPIC, decode(text));
    }

    private static String encode(String name) {
        StringBuilder text = new StringBuilder(name.length() + 8);
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            if (isPlain(b)) {
                text.append((char) b);
            } else {
                text.append('%').append(HEX[(b >> 4) & 0xF]).append(HEX[b & 0xF]);
            }
        }
        return text.toString();
    }

    private static String decode(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%' && isHex(text, i + 1) && isHex(text, i + 2)) {
                bytes.write(Integer.parseInt(text.substring(i + 1, i + 3), 16));
                i += 2;
            } else if (c < 128 && isPlain((byte) c)) {
                bytes.write(c);
            } else {
                throw new IllegalArgumentException(
                        "'"
                                + text
                                + "' is not a physical name: character "
                                + i
                                + " must be escaped");
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static boolean isHex(String text, int index) {
        return index < text.length() && "0123456789ABCDEF".indexOf(text.charAt(index)) >= 0;
    }

    private static boolean isPlain(byte b) {
        return (b >= 'A' && b <= 'Z')
                || (b >= 'a' && b <= 'z')
                || (b >= '0' && b <= '9')
                || b == '.'
                || b == '_'
                || b == '-';
    }
}
