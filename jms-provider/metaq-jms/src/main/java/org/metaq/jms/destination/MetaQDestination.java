package org.metaq.jms.destination;

import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.io.Serializable;
import java.util.Map;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;
import org.jspecify.annotations.Nullable;
import org.metaq.common.DestinationKind;
import org.metaq.common.PhysicalName;
import org.metaq.protocol.Envelope;

/**
 * A queue or topic: a kind, a name, and perhaps options for its consumers. Equal if kind and name
 * are, whichever connection made it. Immutable.
 */
public abstract sealed class MetaQDestination implements Destination, Referenceable, Serializable
        permits MetaQQueue, MetaQTopic, MetaQTemporaryQueue, MetaQTemporaryTopic {
    /** Address of a {@link Reference} that holds the kind, a {@link DestinationKind} name. */
    public static final String REFERENCE_KIND = "kind";

    /** Address of a {@link Reference} that holds the JMS name. */
    public static final String REFERENCE_NAME = "name";

    /**
     * Address of a {@link Reference} that holds name and options, as the constructors take them.
     */
    public static final String REFERENCE_TEXT = "text";

    private static final String OBJECT_FACTORY = "org.metaq.jms.jndi.MetaQObjectFactory";
    private static final long serialVersionUID = 1;

    private final DestinationKind kind;
    private final String name;
    private final DestinationOptions options;

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if the name is empty or too long, see {@link PhysicalName}
     */
    MetaQDestination(DestinationKind kind, String name, DestinationOptions options) {
        PhysicalName checked = new PhysicalName(kind, name);
        this.kind = checked.kind();
        this.name = checked.name();
        this.options = options;
    }

    /**
     * The destination of a kind with a name; a temporary one without owner, so that nobody can
     * delete it through this object.
     *
     * @throws IllegalArgumentException if the name is empty or too long
     */
    public static MetaQDestination of(DestinationKind kind, String name) {
        return switch (kind) {
            case QUEUE -> new MetaQQueue(name, DestinationOptions.NONE);
            case TOPIC -> new MetaQTopic(name, DestinationOptions.NONE);
            case TEMPORARY_QUEUE -> new MetaQTemporaryQueue(name, null);
            case TEMPORARY_TOPIC -> new MetaQTemporaryTopic(name, null);
        };
    }

    /** The destination that a physical name names; see {@link #of(DestinationKind, String)}. */
    public static MetaQDestination of(PhysicalName physical) {
        return of(physical.kind(), physical.name());
    }

    /**
     * The destination that an envelope names; see {@link #of(DestinationKind, String)}.
     *
     * @throws IllegalArgumentException if the name is empty or too long
     */
    public static MetaQDestination of(Envelope.Address address) {
        return of(address.kind(), address.name());
    }

    /**
     * The argument if it is ours, or what it stands for (see {@link DestinationSource}), else our
     * queue or topic of the same name: a foreign message may name another provider's destination
     * (Jakarta Messaging 3.1 §3.12).
     *
     * @throws InvalidDestinationException if it is null, neither queue nor topic, or has a name
     *     that we cannot take
     */
    public static MetaQDestination from(@Nullable Destination destination) throws JMSException {
        if (destination instanceof MetaQDestination ours) {
            return ours;
        }
        if (destination instanceof DestinationSource source) {
            return source.destination();
        }
        try {
            if (destination instanceof Queue queue) {
                return of(DestinationKind.QUEUE, queue.getQueueName());
            }
            if (destination instanceof Topic topic) {
                return of(DestinationKind.TOPIC, topic.getTopicName());
            }
        } catch (IllegalArgumentException e) {
            InvalidDestinationException invalid = new InvalidDestinationException(e.getMessage());
            invalid.initCause(e);
            throw invalid;
        }
        throw new InvalidDestinationException(
                destination == null
                        ? "no destination given"
                        : "neither a queue nor a topic: " + destination.getClass().getName());
    }

    /** Queue or topic, temporary or not. */
    public DestinationKind kind() {
        return kind;
    }

    /** The JMS name, never empty. */
    public String name() {
        return name;
    }

    /** What its consumers want of it. */
    public DestinationOptions options() {
        return options;
    }

    /**
     * The same queue or topic, whose consumers have some options where it does not say otherwise
     * itself. A temporary one has no options and stays as it is.
     *
     * @param others by name, see {@link DestinationOption} and {@link
     *     org.metaq.jms.option.RedeliveryOption}
     * @throws IllegalArgumentException if one is unknown, not for such a destination, or cannot
     *     have its value
     */
    public MetaQDestination withDefaults(Map<String, String> others) {
        return switch (kind) {
            case QUEUE -> new MetaQQueue(name, options.withDefaults(kind, others));
            case TOPIC -> new MetaQTopic(name, options.withDefaults(kind, others));
            case TEMPORARY_QUEUE, TEMPORARY_TOPIC -> this;
        };
    }

    /** The name as {@code createQueue} and {@code createTopic} take it; without options. */
    final String escapedName() {
        return DestinationOptions.escape(name);
    }

    /** How the broker knows it. */
    public PhysicalName physicalName() {
        return new PhysicalName(kind, name);
    }

    /** How an envelope names it. */
    public Envelope.Address address() {
        return new Envelope.Address(kind, name);
    }

    /** What a name service stores; {@code MetaQObjectFactory} makes the destination from it. */
    @Override
    public Reference getReference() {
        Reference reference = new Reference(getClass().getName(), OBJECT_FACTORY, null);
        reference.add(new StringRefAddr(REFERENCE_KIND, kind.name()));
        reference.add(new StringRefAddr(REFERENCE_NAME, name));
        if (!options.isEmpty()) {
            reference.add(
                    new StringRefAddr(REFERENCE_TEXT, escapedName() + "?" + options.encoded()));
        }
        return reference;
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof MetaQDestination that
                && kind == that.kind
                && name.equals(that.name);
    }

    @Override
    public final int hashCode() {
        return 31 * kind.hashCode() + name.hashCode();
    }

    /** Scheme and name, such as {@code queue://orders}. */
    @Override
    public String toString() {
        return switch (kind) {
                    case QUEUE -> "queue://";
                    case TOPIC -> "topic://";
                    case TEMPORARY_QUEUE -> "temp-queue://";
                    case TEMPORARY_TOPIC -> "temp-topic://";
                }
                + name;
    }
}
