/** How parts of the adapter are shown in JMX. */
@NullMarked
package org.metaq.ra.jmx;

import org.jspecify.annotations.NullMarked;
