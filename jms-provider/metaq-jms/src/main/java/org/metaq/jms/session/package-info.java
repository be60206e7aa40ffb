/**
 * JMS rules over the client: connections, sessions, producers, consumers, and the simplified API
 * over them. A session is confined to the application's thread or to its own listener thread, as
 * the specification says; what other threads may call (close, stop, the arrival of messages and
 * replies) is guarded as each class says. May import the client, messages and {@code xa}; nothing
 * here knows bytes of the wire.
 */
@NullMarked
package org.metaq.jms.session;

import org.jspecify.annotations.NullMarked;
