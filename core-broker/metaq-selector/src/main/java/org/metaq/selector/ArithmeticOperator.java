package org.metaq.selector;

import org.jspecify.annotations.Nullable;

/** The four operators between numbers, which work in the type of Java's binary promotion. */
enum ArithmeticOperator {
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE;

    /**
     * Combines two values.
     *
     * @return null with a null and for a division of integers by zero, {@link Numbers#NO_NUMBER} if
     *     one is no number
     */
    @Nullable Object apply(@Nullable Object left, @Nullable Object right) {
        if (left == null || right == null) {
            return null;
        }
        if (!(left instanceof Number l) || !(right instanceof Number r)) {
            return Numbers.NO_NUMBER;
        }
        if (l instanceof Double || r instanceof Double) {
            return inDoubles(l.doubleValue(), r.doubleValue());
        }
        if (l instanceof Float || r instanceof Float) {
            return inFloats(l.floatValue(), r.floatValue());
        }
        if (this == DIVIDE && r.longValue() == 0) {
            return null;
        }
        if (l instanceof Long || r instanceof Long) {
            return inLongs(l.longValue(), r.longValue());
        }
        return inInts(l.intValue(), r.intValue());
    }

    private double inDoubles(double left, double right) {
        return switch (this) {
            case ADD -> left + right;
            case SUBTRACT -> left - right;
            case MULTIPLY -> left * right;
            case DIVIDE -> left / right;
        };
    }

    private float inFloats(float left, float right) {
        return switch (this) {
            case ADD -> left + right;
            case SUBTRACT -> left - right;
            case MULTIPLY -> left * right;
            case DIVIDE -> left / right;
        };
    }

    private long inLongs(long left, long right) {
        return switch (this) {
            case ADD -> left + right;
            case SUBTRACT -> left - right;
            case MULTIPLY -> left * right;
            case DIVIDE -> left / right;
        };
    }

    private int inInts(int left, int right) {
        return switch (this) {
            case ADD -> left + right;
            case SUBTRACT -> left - right;
            case MULTIPLY -> left * right;
            case DIVIDE -> left / right;
        };
    }
}
