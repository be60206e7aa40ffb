package org.metaq.server.operations;

import javax.management.ConstructorParameters;
import org.metaq.broker.BrokerAdmin.SubscriptionStatus;

/** A subscription, as JMX shows it. Immutable. */
public final class SubscriptionView {
    private final SubscriptionStatus status;

    SubscriptionView(SubscriptionStatus status) {
        this.status = status;
    }

    /** From the open data that JMX carries. */
    @ConstructorParameters({
        "topic",
        "clientId",
        "name",
        "durable",
        "shared",
        "selector",
        "backlog",
        "consumerCount"
    })
    public SubscriptionView(
            String topic,
            String clientId,
            String name,
            boolean durable,
            boolean shared,
            String selector,
            long backlog,
            int consumerCount) {
        this(
                new SubscriptionStatus(
                        topic, clientId, name, durable, shared, selector, backlog, consumerCount));
    }

    /** Physical name of what it reads. */
    public String getTopic() {
        return status.topic();
    }

    /** Client id; empty: none. */
    public String getClientId() {
        return status.clientId();
    }

    /** Name; empty for a queue's, and for an unshared non-durable one. */
    public String getName() {
        return status.name();
    }

    /** Whether it outlives its consumers. */
    public boolean isDurable() {
        return status.isDurable();
    }

    /** Whether several consumers may share it. */
    public boolean isShared() {
        return status.isShared();
    }

    /** Message selector; empty: none. */
    public String getSelector() {
        return status.selector();
    }

    /** Messages that are neither acknowledged nor held by a prepared branch. */
    public long getBacklog() {
        return status.backlog();
    }

    /** Consumers that are open. */
    public int getConsumerCount() {
        return status.consumerCount();
    }
}
