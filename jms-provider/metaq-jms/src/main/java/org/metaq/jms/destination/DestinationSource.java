package org.metaq.jms.destination;

import jakarta.jms.Destination;

/**
 * An object that an application has as its destination, and that stands for one of ours, such as
 * one that an application server has configured. The provider takes it wherever it takes a
 * destination.
 */
public interface DestinationSource extends Destination {
    /**
     * The destination that it stands for, with its options.
     *
     * @throws IllegalStateException if it has no name yet
     */
    MetaQDestination destination();
}
