package org.metaq.ra.outbound;

import jakarta.resource.Referenceable;
import java.io.Serializable;
import javax.naming.Reference;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.destination.DestinationOptions;
import org.metaq.jms.destination.DestinationSource;
import org.metaq.jms.destination.MetaQDestination;

/**
 * A destination as a bean, which stands for one of the provider's wherever that takes a
 * destination. Equal if kind and name, with its options, are. Not to be changed once it is used.
 */
public abstract sealed class RaDestination implements DestinationSource, Referenceable, Serializable
        permits RaQueue, RaTopic {
    private static final long serialVersionUID = 1;

    private String name = "";
    private @Nullable Reference reference;

    RaDestination() {}

    /** The destination of a name with options. */
    abstract MetaQDestination parse(String text);

    /** See {@link #setName}. */
    public String getName() {
        return name;
    }

    /**
     * The name at the broker.
     *
     * @param name not empty, perhaps with options: see {@link DestinationOptions}
     * @throws IllegalArgumentException if it is no name, or an option is bad
     */
    public void setName(String name) {
        var unused = parse(name);
        this.name = name;
    }

    /** The same as {@link #getName}. */
    public String getAddress() {
        return getName();
    }

    /** The same as {@link #setName}, by a name that other providers have for it. */
    public void setAddress(String address) {
        setName(address);
    }

    /** The same as {@link #getName}. */
    public String getPhysicalName() {
        return getName();
    }

    /** The same as {@link #setName}, by a name that other providers have for it. */
    public void setPhysicalName(String physicalName) {
        setName(physicalName);
    }

    @Override
    public MetaQDestination destination() {
        if (name.isEmpty()) {
            throw new IllegalStateException(
                    "the administered object has no name: set its property 'name'");
        }
        return parse(name);
    }

    @Override
    public void setReference(@Nullable Reference newReference) {
        reference = newReference;
    }

    /** What the server has set; null: nothing yet. */
    @Override
    public @Nullable Reference getReference() {
        return reference;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RaDestination that
                && getClass() == that.getClass()
                && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return 31 * getClass().hashCode() + name.hashCode();
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + name + "]";
    }
}
