package org.metaq.jms.session;

import org.metaq.client.SettlementBuilder;
import org.metaq.jms.message.MetaQMessage;
import org.metaq.protocol.Delivery;

/** A delivery and the message in it, on the way to the application. */
record Handed(MetaQConsumer consumer, Delivery delivery, MetaQMessage message) {
    void addTo(SettlementBuilder settlement) {
        settlement.add(consumer.pull().subscriptionId(), delivery);
    }
}
