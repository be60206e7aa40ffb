/**
 * The broker process: configuration, sockets, the writer thread. Netty's event loops decode
 * commands and encode replies; one writer thread owns the {@link org.metaq.broker.Broker}; a queue
 * with a budget lies between. May import everything of the broker core, Netty, picocli and logback.
 */
@NullMarked
package org.metaq.server;

import org.jspecify.annotations.NullMarked;
