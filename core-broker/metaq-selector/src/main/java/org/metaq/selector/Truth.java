package org.metaq.selector;

import org.jspecify.annotations.Nullable;

/** A value of three-valued logic: Jakarta Messaging 3.1 §3.8.1.2. */
enum Truth {
    /** The message is not selected. */
    FALSE,
    /** Depends on a value that the message does not have; the message is not selected. */
    UNKNOWN,
    /** The message is selected. */
    TRUE;

    static Truth of(boolean value) {
        return value ? TRUE : FALSE;
    }

    /**
     * Of a value where a condition stands. One that is no boolean is unlike any boolean, which is
     * false as a comparison of unlike values is.
     */
    static Truth ofValue(@Nullable Object value) {
        if (value == null) {
            return UNKNOWN;
        }
        return of(value.equals(true));
    }

    /** The same as a value, null for unknown. */
    @Nullable Boolean toValue() {
        return this == UNKNOWN ? null : Boolean.valueOf(this == TRUE);
    }

    Truth and(Truth other) {
        return compareTo(other) < 0 ? this : other;
    }

    Truth or(Truth other) {
        return compareTo(other) > 0 ? this : other;
    }

    Truth not() {
        return switch (this) {
            case FALSE -> TRUE;
            case UNKNOWN -> UNKNOWN;
            case TRUE -> FALSE;
        };
    }
}
