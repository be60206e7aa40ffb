/**
 * Administered objects through JNDI: an initial context that is made of properties, and the factory
 * that rebuilds stored objects. Runs on the caller's thread.
 */
@NullMarked
package org.metaq.jms.jndi;

import org.jspecify.annotations.NullMarked;
