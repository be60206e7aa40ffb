package org.metaq.jms.jndi;

import java.util.Hashtable;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NamingException;
import javax.naming.RefAddr;
import javax.naming.Reference;
import javax.naming.StringRefAddr;
import javax.naming.spi.ObjectFactory;
import org.jspecify.annotations.Nullable;
import org.metaq.common.DestinationKind;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQDestination;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;

/**
 * Rebuilds connection factories and destinations that a name service stored as references; a
 * server's own directory uses it by its class name. Stateless.
 */
public final class MetaQObjectFactory implements ObjectFactory {
    /** Address that holds the URI of a connection factory. */
    public static final String REFERENCE_URI = "uri";

    /** Called by JNDI. */
    public MetaQObjectFactory() {}

    /**
     * What a connection factory stores, the password included, as a directory must have it.
     *
     * @param uri as given to {@link MetaQConnectionFactory#MetaQConnectionFactory(String)}
     */
    public static Reference referenceOf(String uri) {
        return new Reference(
                MetaQConnectionFactory.class.getName(),
                new StringRefAddr(REFERENCE_URI, uri),
                MetaQObjectFactory.class.getName(),
                null);
    }

    /**
     * The object of a reference; null if it is not a reference to one of our types, so that JNDI
     * asks the next factory.
     *
     * @throws ConfigurationException if the reference is ours and lacks an address or has a bad one
     */
    @Override
    public @Nullable Object getObjectInstance(
            @Nullable Object object,
            @Nullable Name name,
            @Nullable Context context,
            @Nullable Hashtable<?, ?> environment)
            throws NamingException {
        if (!(object instanceof Reference reference)
                || !MetaQObjectFactory.class.getName().equals(reference.getFactoryClassName())) {
            return null;
        }
        try {
            if (reference.getClassName().equals(MetaQConnectionFactory.class.getName())) {
                return new MetaQConnectionFactory(address(reference, REFERENCE_URI));
            }
            return destination(reference);
        } catch (IllegalArgumentException e) {
            ConfigurationException bad =
                    new ConfigurationException(
                            "reference to " + reference.getClassName() + ": " + e.getMessage());
            bad.initCause(e);
            throw bad;
        }
    }

    private static MetaQDestination destination(Reference reference) throws ConfigurationException {
        DestinationKind kind =
                DestinationKind.valueOf(address(reference, MetaQDestination.REFERENCE_KIND));
        if (reference.get(MetaQDestination.REFERENCE_TEXT) == null) {
            return MetaQDestination.of(kind, address(reference, MetaQDestination.REFERENCE_NAME));
        }
        String text = address(reference, MetaQDestination.REFERENCE_TEXT);
        return kind.isQueue() ? new MetaQQueue(text) : new MetaQTopic(text);
    }

    private static String address(Reference reference, String type) throws ConfigurationException {
        RefAddr address = reference.get(type);
        if (address == null || !(address.getContent() instanceof String text)) {
            throw new ConfigurationException(
                    "reference to "
                            + reference.getClassName()
                            + " lacks the address '"
                            + type
                            + "'");
        }
        return text;
    }
}
