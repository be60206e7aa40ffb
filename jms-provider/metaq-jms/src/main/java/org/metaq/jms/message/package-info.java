/**
 * JMS messages, their conversion rules and their form on the wire. Messages are confined to the
 * thread that uses them (Jakarta Messaging 3.1 §2.14); imports destinations and the protocol, never
 * sessions.
 */
@NullMarked
package org.metaq.jms.message;

import org.jspecify.annotations.NullMarked;
