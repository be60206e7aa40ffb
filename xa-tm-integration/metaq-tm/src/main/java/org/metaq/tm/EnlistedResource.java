package org.metaq.tm;

import javax.transaction.xa.XAResource;

/**
 * What {@link CurrentTransaction#enlist} is given, so that a manager which wants to know the
 * resource manager by more than {@link XAResource} can look behind it.
 */
public interface EnlistedResource extends XAResource {
    /** The provider's own resource, of whatever class; only to be asked who it is. */
    XAResource provider();
}
