/**
 * {@code metaq scale}: large numbers of queues, connections, sessions, messages, subscribers and
 * idle consumers against one of our brokers, each in bounded memory. The broker is a process; each
 * scenario runs in a JVM of its own, whose memory is that of its clients.
 */
@NullMarked
package org.metaq.scale;

import org.jspecify.annotations.NullMarked;
