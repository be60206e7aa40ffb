package org.metaq.ra.inbound;

import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import jakarta.resource.ResourceException;
import java.util.Objects;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.naming.Reference;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQDestination;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;
import org.metaq.ra.broker.BrokerAccess;
import org.metaq.ra.broker.BrokerSource;

/**
 * Looks up what an activation names. To be used by the caller of {@code endpointActivation} only:
 * names of the bean ({@code java:app}, {@code java:comp}) are not known elsewhere. Stateless.
 */
final class TargetLookup {
    private final String who;
    private final BrokerSource adapter;

    /**
     * For one endpoint.
     *
     * @param who names the endpoint in errors
     * @param adapter its broker is used where nothing else is named
     */
    TargetLookup(String who, BrokerSource adapter) {
        this.who = who;
        this.adapter = adapter;
    }

    /**
     * What the endpoint listens to.
     *
     * @throws ResourceException if a property is wrong or a name leads nowhere; names endpoint,
     *     property and value
     */
    EndpointTarget resolve(MetaQActivationSpec spec, boolean isTransacted)
            throws ResourceException {
        spec.validate();
        MetaQDestination destination = destination(spec);
        boolean isUnnamed = spec.isDurable() && spec.getSubscriptionName() == null;
        if (isUnnamed && !destination.kind().isQueue()) {
            throw new ResourceException(
                    who + ": a durable subscription to " + destination + " needs subscriptionName");
        }
        try {
            return EndpointTarget.of(spec, broker(spec), destination, isTransacted);
        } catch (IllegalArgumentException e) {
            throw new ResourceException(who + ": " + e.getMessage(), e);
        }
    }

    private MetaQDestination destination(MetaQActivationSpec spec) throws ResourceException {
        String name = spec.getDestinationLookup();
        if (name == null) {
            String text = Objects.requireNonNull(spec.getDestination(), "validated");
            return spec.isQueueType() ? new MetaQQueue(text) : new MetaQTopic(text);
        }
        Object found = lookUp("destinationLookup", name);
        MetaQDestination destination = destinationOf(name, found, spec);
        if (spec.getDestinationType() != null
                && destination.kind().isQueue() != spec.isQueueType()) {
            throw new ResourceException(
                    who
                            + ": destinationType is "
                            + spec.getDestinationType()
                            + ", but destinationLookup='"
                            + name
                            + "' is "
                            + destination);
        }
        return destination;
    }

    /** An object of another class may be both queue and topic: the type tells which is meant. */
    private MetaQDestination destinationOf(
            String name, @Nullable Object found, MetaQActivationSpec spec)
            throws ResourceException {
        try {
            if (found instanceof MetaQDestination ours) {
                return ours;
            }
            boolean isTopic = found instanceof Topic;
            boolean prefersTopic = spec.getDestinationType() != null && !spec.isQueueType();
            if (found instanceof Queue queue && !(isTopic && prefersTopic)) {
                return new MetaQQueue(queue.getQueueName());
            }
            if (found instanceof Topic topic) {
                return new MetaQTopic(topic.getTopicName());
            }
        } catch (JMSException | IllegalArgumentException e) {
            throw new ResourceException(
                    who + ": destinationLookup='" + name + "': " + e.getMessage(), e);
        }
        throw unexpected("destinationLookup", name, "a jakarta.jms.Queue or Topic", found);
    }

    private BrokerAccess broker(MetaQActivationSpec spec) throws ResourceException {
        String name = spec.getConnectionFactoryLookup();
        if (name == null) {
            return adapter.brokerAccess();
        }
        Object found = lookUp("connectionFactoryLookup", name);
        if (found instanceof BrokerSource source) {
            return source.brokerAccess();
        }
        if (found instanceof MetaQConnectionFactory factory) {
            return new BrokerAccess(uriOf(factory), "", "");
        }
        throw unexpected(
                "connectionFactoryLookup",
                name,
                "a connection factory of this resource adapter or a MetaQConnectionFactory",
                found);
    }

    static String uriOf(MetaQConnectionFactory factory) {
        Reference reference = factory.getReference();
        return (String) reference.get(MetaQConnectionFactory.REFERENCE_URI).getContent();
    }

    // The name is the deployer's, and the names are the server's.
    @SuppressWarnings("BanJNDI")
    private @Nullable Object lookUp(String property, String name) throws ResourceException {
        try {
            return InitialContext.doLookup(name);
        } catch (NamingException e) {
            throw new ResourceException(
                    who + ": " + property + "='" + name + "' leads nowhere: " + e, e);
        }
    }

    private ResourceException unexpected(
            String property, String name, String expected, @Nullable Object found) {
        String what = found == null ? "nothing" : "a " + found.getClass().getName();
        return new ResourceException(
                who + ": " + property + "='" + name + "' is " + what + ", not " + expected);
    }
}
