/** Managed connection factories and connections, and what applications have in their place. */
@NullMarked
package org.metaq.ra.outbound;

import org.jspecify.annotations.NullMarked;
