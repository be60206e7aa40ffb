/**
 * {@code metaq tck}: runs the official Jakarta Messaging TCK that the user has against our broker
 * and client, as they are shipped.
 *
 * <p>The process of {@link org.metaq.tck.TckMain} finds the tests and starts <i>shards</i>: each
 * has a broker process with a store of its own and a JVM in which the tests run ({@link
 * org.metaq.tck.WorkerMain}), and takes one test class after the other from a common list. Nothing
 * of the TCK is needed to compile this, and no class here knows it: its own porting class looks the
 * administered objects up by JNDI, which our initial context factory serves ({@link
 * org.metaq.tck.AdministeredObjects}).
 */
@NullMarked
package org.metaq.tck;

import org.jspecify.annotations.NullMarked;
