package org.metaq.broker;

import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Cursor;
import org.metaq.broker.state.Subscription;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.ProtocolException;
import org.metaq.selector.Selector;
import org.metaq.selector.SelectorSyntaxException;
import org.metaq.store.log.MessageLog;
import org.metaq.store.log.MessageMeta;

/**
 * What a subscription of a topic gets: what its selector matches, and, with noLocal, what others
 * sent.
 *
 * @param origin whose messages it leaves out; empty: nobody's
 * @param heads reads what it looks at
 */
record SubscriptionFilter(@Nullable Selector selector, String origin, MessageHeads heads)
        implements Cursor.Filter {
    /**
     * The filter of a subscription; null if it gets everything.
     *
     * @param origin names the messages of the subscription's own connection or client id
     * @throws RefusedException if the selector is not one
     */
    static @Nullable SubscriptionFilter of(
            Subscription.Terms terms, String origin, MessageHeads heads) throws RefusedException {
        Selector selector = selector(terms.selector());
        return selector == null && !terms.noLocal()
                ? null
                : new SubscriptionFilter(selector, terms.noLocal() ? origin : "", heads);
    }

    /** A selector from its text; null for a blank one. */
    static @Nullable Selector selector(String text) throws RefusedException {
        try {
            return Selector.parseOrNull(text);
        } catch (SelectorSyntaxException e) {
            throw new RefusedException(ErrorCode.INVALID_SELECTOR, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public boolean accepts(MessageLog log, long sequence, MessageMeta meta) {
        StoredMessage message = heads.read(log, sequence, meta);
        return (selector == null || selector.matches(message))
                && (origin.isEmpty() || !isLocal(message));
    }

    private boolean isLocal(StoredMessage message) {
        try {
            return origin.equals(message.envelope().origin());
        } catch (ProtocolException e) {
            // Checked when it was sent as far as the broker reads it; who sent it is not known.
            return false;
        }
    }
}
