/**
 * Sending messages without JMS: {@link org.metaq.client.publish.Publisher}. Runs on its callers'
 * threads and completes asynchronous sends on an executor of theirs. Imports {@code
 * org.metaq.client.cluster}, the connection and the protocol.
 */
@NullMarked
package org.metaq.client.publish;

import org.jspecify.annotations.NullMarked;
