package org.metaq.selector;

/** The text is not a selector: where, and what was expected there. */
public final class SelectorSyntaxException extends Exception {
    private final int position;

    SelectorSyntaxException(int position, String problem) {
        super("message selector, character " + (position + 1) + ": " + problem);
        this.position = position;
    }

    /** Index into the text of the first character that is wrong; its length for a missing end. */
    public int position() {
        return position;
    }
}
