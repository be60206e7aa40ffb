/**
 * Runs the sample {@code orders-ee} on an application server that is killed on the way, and counts
 * what came out: {@code metaq wildfly-demo} and the like.
 */
@NullMarked
package org.metaq.samples.ordersdemo;

import org.jspecify.annotations.NullMarked;
