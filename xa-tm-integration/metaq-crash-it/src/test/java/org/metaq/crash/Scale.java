package org.metaq.crash;

/**
 * Sizes of a test: small ones in every build; with {@code -Dmetaq.full=true} what the project
 * promises.
 */
final class Scale {
    static final boolean IS_FULL = Boolean.getBoolean("metaq.full");

    private Scale() {}

    static int of(int usual, int full) {
        return IS_FULL ? full : usual;
    }
}
