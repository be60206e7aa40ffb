/** Brokers that are killed with -9 under JMS applications. */
@NullMarked
package org.metaq.crash;

import org.jspecify.annotations.NullMarked;
