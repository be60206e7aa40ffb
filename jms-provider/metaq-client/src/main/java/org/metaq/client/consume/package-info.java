/**
 * Reading messages without JMS: {@link org.metaq.client.consume.Puller} reads a partition from an
 * offset; {@link org.metaq.client.consume.GroupConsumer} shares the partitions of topics within a
 * group, keeps its offsets, and retries what a listener cannot take. A consumer owns a few threads,
 * on which it pulls and calls listeners. Imports {@code org.metaq.client.offset}, {@code publish},
 * {@code cluster} and the protocol.
 */
@NullMarked
package org.metaq.client.consume;

import org.jspecify.annotations.NullMarked;
