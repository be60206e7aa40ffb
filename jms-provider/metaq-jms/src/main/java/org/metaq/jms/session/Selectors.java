package org.metaq.jms.session;

import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;

/** Message selectors as the API gives them. Stateless. */
final class Selectors {
    private Selectors() {}

    /**
     * A selector as the broker takes it: empty for none, which null and blanks mean (Jakarta
     * Messaging 3.1 §3.8.1).
     *
     * @throws jakarta.jms.InvalidSelectorException if it is not in the selector language
     */
    static String checked(@Nullable String selector) throws JMSException {
        return selector == null || selector.isBlank() ? "" : selector;
    }
}
