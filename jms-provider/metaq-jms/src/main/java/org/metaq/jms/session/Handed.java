package org.metaq.jms.session;

import org.metaq.client.ClientConnection;
import org.metaq.client.PullConsumer;
import org.metaq.client.SettlementBuilder;
import org.metaq.jms.message.MetaQMessage;
import org.metaq.protocol.Delivery;

/** A delivery and the message in it, on the way to the application. */
record Handed(MetaQConsumer consumer, PullConsumer pull, Delivery delivery, MetaQMessage message) {
    void addTo(SettlementBuilder settlement) {
        settlement.add(pull.subscriptionId(), delivery);
    }

    /** Whether it came over this connection; else the broker has taken it back. */
    boolean isOf(ClientConnection client) {
        return pull.connection() == client;
    }
}
