package org.metaq.selector;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Arithmetic of Jakarta Messaging 3.1 §3.8.1.1: null with a null, in Java's types otherwise. */
final class Arithmetic {
    private Arithmetic() {}

    /**
     * A chain of operators of the same precedence, from left to right: a list, so that a long one
     * is no deep tree.
     *
     * @param first the leftmost operand
     * @param steps what is done to it
     */
    record Chain(Expression first, List<Step> steps) implements Expression {
        @Override
        public Kind kind() {
            return Kind.NUMBER;
        }

        @Override
        public @Nullable Object value(SelectorSource source) {
            Object result = first.value(source);
            for (Step step : steps) {
                result = step.operator().apply(result, step.operand().value(source));
            }
            return result;
        }
    }

    /** An operator and what stands right of it. */
    record Step(ArithmeticOperator operator, Expression operand) {}

    /** {@code -a} or {@code +a}. */
    record Sign(Expression operand, boolean isMinus) implements Expression {
        @Override
        public Kind kind() {
            return Kind.NUMBER;
        }

        @Override
        public @Nullable Object value(SelectorSource source) {
            Object value = operand.value(source);
            if (value == null) {
                return null;
            }
            if (!(value instanceof Number number)) {
                return Numbers.NO_NUMBER;
            }
            return isMinus ? Numbers.negate(number) : number;
        }
    }
}
