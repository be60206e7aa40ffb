package org.metaq.selector;

import java.util.List;
import java.util.Set;
import org.metaq.selector.Expression.Condition;
import org.metaq.selector.Expression.Identifier;

/** The conditions of Jakarta Messaging 3.1 §3.8.1.1. */
final class Conditions {
    private Conditions() {}

    /** {@code a AND b AND …} */
    record And(List<Expression> terms) implements Condition {
        @Override
        public Truth truth(SelectorSource source) {
            Truth result = Truth.TRUE;
            for (Expression term : terms) {
                result = result.and(term.truth(source));
                if (result == Truth.FALSE) {
                    break;
                }
            }
            return result;
        }
    }

    /** {@code a OR b OR …} */
    record Or(List<Expression> terms) implements Condition {
        @Override
        public Truth truth(SelectorSource source) {
            Truth result = Truth.FALSE;
            for (Expression term : terms) {
                result = result.or(term.truth(source));
                if (result == Truth.TRUE) {
                    break;
                }
            }
            return result;
        }
    }

    /** {@code NOT a} */
    record Not(Expression term) implements Condition {
        @Override
        public Truth truth(SelectorSource source) {
            return term.truth(source).not();
        }
    }

    /** {@code a = b} and the other five. */
    record Comparison(Expression left, ComparisonOperator operator, Expression right)
            implements Condition {
        @Override
        public Truth truth(SelectorSource source) {
            return operator.apply(left.value(source), right.value(source));
        }
    }

    /**
     * {@code a [NOT] BETWEEN low AND high}, which the specification explains as {@code a >= low AND
     * a <= high}, and {@code a < low OR a > high}.
     */
    record Between(Expression operand, Expression low, Expression high, boolean isNegated)
            implements Condition {
        @Override
        public Truth truth(SelectorSource source) {
            Object value = operand.value(source);
            Object lowest = low.value(source);
            Object highest = high.value(source);
            return isNegated
                    ? ComparisonOperator.LESS
                            .apply(value, lowest)
                            .or(ComparisonOperator.GREATER.apply(value, highest))
                    : ComparisonOperator.GREATER_OR_EQUAL
                            .apply(value, lowest)
                            .and(ComparisonOperator.LESS_OR_EQUAL.apply(value, highest));
        }
    }

    /** {@code name [NOT] IN ('a', 'b', …)}; false for what is no string, negated or not. */
    record In(Identifier name, Set<String> values, boolean isNegated) implements Condition {
        @Override
        public Truth truth(SelectorSource source) {
            Object value = name.value(source);
            if (value == null) {
                return Truth.UNKNOWN;
            }
            return Truth.of(value instanceof String string && values.contains(string) != isNegated);
        }
    }

    /** {@code name [NOT] LIKE pattern}; false for what is no string, negated or not. */
    record Like(Identifier name, LikePattern pattern, boolean isNegated) implements Condition {
        @Override
        public Truth truth(SelectorSource source) {
            Object value = name.value(source);
            if (value == null) {
                return Truth.UNKNOWN;
            }
            return Truth.of(value instanceof String string && pattern.matches(string) != isNegated);
        }
    }

    /** {@code name IS [NOT] NULL}; never unknown. */
    record IsNull(Identifier name, boolean isNegated) implements Condition {
        @Override
        public Truth truth(SelectorSource source) {
            return Truth.of((name.value(source) == null) != isNegated);
        }
    }
}
