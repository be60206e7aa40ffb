/**
 * Orders go through a queue into a database, and a confirmation of each to a topic, in one
 * distributed transaction, while broker and worker are killed. {@link
 * org.metaq.samples.quickstart.Quickstart} directs it from its own process; {@link
 * org.metaq.samples.quickstart.QuickstartWorker} is the application: start reading there, with
 * {@code OrderMover}.
 */
@NullMarked
package org.metaq.samples.quickstart;

import org.jspecify.annotations.NullMarked;
