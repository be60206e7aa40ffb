package org.metaq.client.offset;

/**
 * How far a group has read a partition. Its text is MetaQ's {@code messageId-offset}. Immutable.
 *
 * @param messageId of the last message that it is done with, any int64; -1: none
 * @param offset where it goes on
 */
public record GroupOffset(long messageId, long offset) {
    /** Message id where none is known. */
    public static final long NO_MESSAGE = -1;

    /**
     * Reads {@code messageId-offset}, where the id may be negative, or the offset alone, as MetaQ
     * before 1.4 wrote it.
     *
     * @throws IllegalArgumentException if the text is something else
     */
    public static GroupOffset parse(String text) {
        String trimmed = text.trim();
        int dash = trimmed.lastIndexOf('-');
        try {
            return dash <= 0
                    ? new GroupOffset(NO_MESSAGE, Long.parseLong(trimmed))
                    : new GroupOffset(
                            Long.parseLong(trimmed.substring(0, dash)),
                            Long.parseLong(trimmed.substring(dash + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' does not have the form messageId-offset", e);
        }
    }

    /** {@code messageId-offset}. */
    @Override
    public String toString() {
        return messageId + "-" + offset;
    }
}
