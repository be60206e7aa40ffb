package org.metaq.selector;

import org.jspecify.annotations.Nullable;

/** A node of a parsed selector. Immutable. */
interface Expression {
    /** What is known of the type before a message is seen. */
    enum Kind {
        /** A condition, or TRUE or FALSE. */
        BOOLEAN,
        /** A number or arithmetic. */
        NUMBER,
        /** A string literal. */
        STRING,
        /** An identifier: anything. */
        ANY
    }

    Kind kind();

    /** Its value for a message: null, a Boolean, a Number, a String, or something unlike all. */
    @Nullable Object value(SelectorSource source);

    /** The value as a condition. */
    default Truth truth(SelectorSource source) {
        return Truth.ofValue(value(source));
    }

    /** A node that is true, false or unknown. */
    interface Condition extends Expression {
        @Override
        Truth truth(SelectorSource source);

        @Override
        default Kind kind() {
            return Kind.BOOLEAN;
        }

        @Override
        default @Nullable Object value(SelectorSource source) {
            return truth(source).toValue();
        }
    }

    /** A constant. */
    record Literal(Kind kind, Object constant) implements Expression {
        @Override
        public Object value(SelectorSource source) {
            return constant;
        }
    }

    /** A header or a property. */
    record Identifier(String name) implements Expression {
        @Override
        public Kind kind() {
            return Kind.ANY;
        }

        @Override
        public @Nullable Object value(SelectorSource source) {
            return source.value(name);
        }
    }
}
