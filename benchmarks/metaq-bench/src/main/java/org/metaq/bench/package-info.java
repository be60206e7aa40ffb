/**
 * {@code metaq bench}: the same workloads against this broker and a peer, in turn, on one machine.
 *
 * <p>The process of {@link org.metaq.bench.BenchMain} starts the others and adds up; a broker runs
 * in a JVM of its own, and so does the client ({@link org.metaq.bench.ClientMain}), which knows a
 * provider only by its class path, the name of its connection factory class and a URI. May use the
 * Jakarta Messaging API and nothing of ours.
 */
@NullMarked
package org.metaq.bench;

import org.jspecify.annotations.NullMarked;
