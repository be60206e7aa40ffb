package org.metaq.selector;

/**
 * A word of a selector.
 *
 * @param type what it is
 * @param text as it stands in the selector; of a string literal, what it means
 * @param position index of its first character
 */
record Token(TokenType type, String text, int position) {
    /** As a message names it. */
    String description() {
        return switch (type) {
            case END -> "the end";
            case STRING -> "the string '" + shortened() + "'";
            default -> shortened();
        };
    }

    private String shortened() {
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }
}
