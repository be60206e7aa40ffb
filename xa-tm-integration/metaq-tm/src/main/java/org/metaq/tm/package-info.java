/**
 * A pooled connection factory whose sessions join the transaction of the calling thread. It owns
 * the pool and the handles that applications work with; it has no thread of its own, and knows a
 * transaction manager only as {@link org.metaq.tm.Transactions} and a provider only by its XA
 * connection factory.
 */
@NullMarked
package org.metaq.tm;

import org.jspecify.annotations.NullMarked;
