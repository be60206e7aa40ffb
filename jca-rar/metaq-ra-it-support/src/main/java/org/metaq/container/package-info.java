/**
 * Application servers and a broker as processes of their own, on loopback: configured by a script,
 * started, killed with -9, started again, stopped. For tests and demos. Knows of ours the broker's
 * main class, by name, and the JMS client.
 */
@NullMarked
package org.metaq.container;

import org.jspecify.annotations.NullMarked;
