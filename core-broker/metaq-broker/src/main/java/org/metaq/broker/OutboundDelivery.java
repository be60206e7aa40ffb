package org.metaq.broker;

import org.metaq.store.log.MessageBytes;

/**
 * A message on its way to a client; fields as in {@code org.metaq.protocol.Delivery}.
 *
 * @param message the stored message, header included; read where and when the link likes
 */
public record OutboundDelivery(
        int partition,
        long sequence,
        int deliveryCount,
        boolean redelivered,
        MessageBytes message) {}
