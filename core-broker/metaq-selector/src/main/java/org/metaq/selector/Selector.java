package org.metaq.selector;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A message selector, ready to be evaluated. Immutable.
 *
 * <p>It has limits, so that evaluating what a client sent can neither exhaust the stack nor take
 * unbounded time: {@link #LENGTH_MAX}, {@link #DEPTH_MAX}, {@link #PATTERN_LENGTH_MAX}. Chains of
 * AND, OR and of arithmetic operators count as one level, however long they are.
 */
public final class Selector {
    /** Longest text, characters. */
    public static final int LENGTH_MAX = 256 * 1024;

    /** Deepest nesting of parentheses, NOT and signs. */
    public static final int DEPTH_MAX = 200;

    /** Longest pattern of a LIKE, characters. */
    public static final int PATTERN_LENGTH_MAX = 4096;

    private final String text;
    private final Expression condition;
    private final Set<String> identifiers;

    Selector(String text, Expression condition, Set<String> identifiers) {
        this.text = text;
        this.condition = condition;
        this.identifiers = identifiers;
    }

    /**
     * Parses a selector.
     *
     * @param text neither empty nor blank
     * @throws SelectorSyntaxException if it is not a selector, or exceeds a limit
     */
    public static Selector parse(String text) throws SelectorSyntaxException {
        if (text.length() > LENGTH_MAX) {
            throw new SelectorSyntaxException(
                    LENGTH_MAX,
                    "it has "
                            + text.length()
                            + " characters, at most "
                            + LENGTH_MAX
                            + " are allowed; use a shorter one");
        }
        Parser parser = new Parser(text);
        Expression condition = parser.parse();
        return new Selector(text, condition, parser.identifiers());
    }

    /**
     * Parses a selector that may be none.
     *
     * @return null if the text is null, empty or blank, which selects every message (Jakarta
     *     Messaging 3.1 §3.8.1)
     * @throws SelectorSyntaxException as {@link #parse}
     */
    public static @Nullable Selector parseOrNull(@Nullable String text)
            throws SelectorSyntaxException {
        return text == null || text.isBlank() ? null : parse(text);
    }

    /**
     * Whether the message is selected: the condition is true, neither false nor unknown.
     *
     * @param source the message
     */
    public boolean matches(SelectorSource source) {
        return condition.truth(source) == Truth.TRUE;
    }

    /** The headers and properties that it names, in the order of the text; unmodifiable. */
    public Set<String> identifiers() {
        return identifiers;
    }

    /** The text as it was parsed. */
    @Override
    public String toString() {
        return text;
    }
}
