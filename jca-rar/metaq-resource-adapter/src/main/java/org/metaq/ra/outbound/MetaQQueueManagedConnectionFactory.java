package org.metaq.ra.outbound;

import jakarta.jms.QueueConnectionFactory;

/**
 * Makes the managed connections of a pool that applications use as a {@link
 * QueueConnectionFactory}. A class of its own because servers find a connection definition by it.
 */
public final class MetaQQueueManagedConnectionFactory extends MetaQManagedConnectionFactory {
    private static final long serialVersionUID = 1;

    /** With the properties of the resource adapter, until it is told others. */
    public MetaQQueueManagedConnectionFactory() {}
}
