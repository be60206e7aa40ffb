/**
 * {@code XAResource} over the broker's branches: flags, states and error codes of X/Open XA. Knows
 * a session only through {@link org.metaq.jms.xa.BranchWork}. Called by transaction managers, on
 * whatever thread they like.
 */
@NullMarked
package org.metaq.jms.xa;

import org.jspecify.annotations.NullMarked;
