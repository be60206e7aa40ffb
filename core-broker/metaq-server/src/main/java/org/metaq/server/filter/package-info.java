/**
 * Server-side filters that users write: loaded from a folder of classes and jars, also those that
 * were written for MetaQ's own broker. The writer thread loads them, threads {@code metaq-filter}
 * run them. May import {@link org.metaq.broker} and its {@code filter}, nothing else of ours.
 */
@NullMarked
package org.metaq.server.filter;

import org.jspecify.annotations.NullMarked;
