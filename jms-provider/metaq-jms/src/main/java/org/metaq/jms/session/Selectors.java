package org.metaq.jms.session;

import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.ErrorCode;
import org.metaq.selector.Selector;
import org.metaq.selector.SelectorSyntaxException;

/** Message selectors as the API gives them. Stateless. */
final class Selectors {
    private Selectors() {}

    /**
     * A selector as the broker takes it: empty for none, which null and blanks mean (Jakarta
     * Messaging 3.1 §3.8.1).
     *
     * @throws InvalidSelectorException if it is not in the selector language
     */
    static String checked(@Nullable String selector) throws JMSException {
        try {
            return selector == null || Selector.parseOrNull(selector) == null ? "" : selector;
        } catch (SelectorSyntaxException e) {
            throw JmsErrors.withCause(
                    new InvalidSelectorException(
                            "message selector '" + selector + "': " + e.getMessage(),
                            ErrorCode.INVALID_SELECTOR.name()),
                    e);
        }
    }
}
