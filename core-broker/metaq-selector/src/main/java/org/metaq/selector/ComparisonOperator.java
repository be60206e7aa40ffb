package org.metaq.selector;

import org.jspecify.annotations.Nullable;

/** The six comparisons. */
enum ComparisonOperator {
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL;

    /** Whether it needs an order, which only numbers have. */
    boolean isOrdering() {
        return this != EQUAL && this != NOT_EQUAL;
    }

    /**
     * Compares two values: unknown with a null, else false if they are unlike each other, whatever
     * the operator.
     */
    Truth apply(@Nullable Object left, @Nullable Object right) {
        if (left == null || right == null) {
            return Truth.UNKNOWN;
        }
        if (left instanceof Number l && right instanceof Number r) {
            return Truth.of(holds(l, r));
        }
        boolean isAlike =
                (left instanceof String && right instanceof String)
                        || (left instanceof Boolean && right instanceof Boolean);
        if (!isAlike || isOrdering()) {
            return Truth.FALSE;
        }
        return Truth.of(left.equals(right) == (this == EQUAL));
    }

    private boolean holds(Number left, Number right) {
        if (Numbers.isNaN(left) || Numbers.isNaN(right)) {
            return this == NOT_EQUAL;
        }
        int order = Numbers.compare(left, right);
        return switch (this) {
            case EQUAL -> order == 0;
            case NOT_EQUAL -> order != 0;
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            case GREATER_OR_EQUAL -> order >= 0;
        };
    }
}
