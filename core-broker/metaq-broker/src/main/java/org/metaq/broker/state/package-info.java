/**
 * The state that records change, and nothing else does: destinations, subscriptions, transactions,
 * producers. Confined to the writer thread; deterministic: time, ids and choices come in the
 * records. No Netty, threads, clocks or randomness; files only through the views of {@code
 * org.metaq.store}.
 *
 * <p>Beside what records change, a {@link org.metaq.broker.state.Cursor} knows what is handed out
 * just now. That part is bound to connections, dies with the epoch, and is written by the broker
 * directly.
 */
@NullMarked
package org.metaq.broker.state;

import org.jspecify.annotations.NullMarked;
