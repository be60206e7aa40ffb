/**
 * The broker process: its main classes, the sockets, the writer thread. Netty's event loops decode
 * commands and encode replies; one writer thread owns the {@link org.metaq.broker.Broker}; a queue
 * with a budget lies between. May import everything of the broker core, the packages below this
 * one, Netty, picocli, logback and cron-utils; those packages may not import this one.
 */
@NullMarked
package org.metaq.server;

import org.jspecify.annotations.NullMarked;
