/**
 * Who may connect: the users file, and the authenticator that the broker asks. Slow hashes are
 * computed on a thread {@code metaq-login}; the writer thread only looks into a cache. May import
 * {@link org.metaq.server.config}, {@link org.metaq.broker} and {@link org.metaq.protocol}, nothing
 * else of ours.
 */
@NullMarked
package org.metaq.server.security;

import org.jspecify.annotations.NullMarked;
