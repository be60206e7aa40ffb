/**
 * The broker without network, threads and clock: one object, driven by one thread, over a store and
 * an injected clock. The server drives it in production, the simulation in tests.
 */
@NullMarked
package org.metaq.broker;

import org.jspecify.annotations.NullMarked;
