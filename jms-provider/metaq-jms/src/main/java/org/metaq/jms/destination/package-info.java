/**
 * Queues and topics as JMS objects: names, not connections. Immutable and serializable; imports
 * neither messages nor sessions.
 */
@NullMarked
package org.metaq.jms.destination;

import org.jspecify.annotations.NullMarked;
