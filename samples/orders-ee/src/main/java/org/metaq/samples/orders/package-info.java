/**
 * Orders through a queue into a database, on an application server: a REST resource takes them, a
 * message-driven bean processes them, each in one transaction of the server.
 */
@NullMarked
package org.metaq.samples.orders;

import org.jspecify.annotations.NullMarked;
