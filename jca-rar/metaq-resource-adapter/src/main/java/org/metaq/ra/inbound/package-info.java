/** Message endpoints: activations, their deliveries, retries and circuit breaker. */
@NullMarked
package org.metaq.ra.inbound;

import org.jspecify.annotations.NullMarked;
