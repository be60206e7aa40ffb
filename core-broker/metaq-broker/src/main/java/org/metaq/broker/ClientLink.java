package org.metaq.broker;

import java.nio.ByteBuffer;
import java.util.List;
import org.metaq.store.log.MessageBytes;

/**
 * The broker's side of one client connection: where replies go. Called on the writer thread during
 * {@link Broker#submit} and {@link Broker#doWork}; must not block and must not call the broker
 * back.
 */
public interface ClientLink {
    /** Sends {@code result <status> <length> <opaque>} and the text. */
    void result(int opaque, int status, String text);

    /** Sends {@code value} and the body, which the link may keep. */
    void value(int opaque, ByteBuffer body);

    /** Sends {@code value} and the messages in the form of {@code org.metaq.protocol.Delivery}. */
    void deliveries(int opaque, List<OutboundDelivery> deliveries);

    /** As {@link #deliveries}, with an int64 before the messages: where to go on from. */
    void browsed(int opaque, long position, List<OutboundDelivery> messages);

    /** Sends {@code value} and raw bytes of a partition log. */
    void data(int opaque, MessageBytes bytes);

    /** Closes the connection after what was sent before. {@link Broker#disconnect} must follow. */
    void close(String reason);

    /** True if the client runs on this machine and came over its loopback address. */
    default boolean isLocal() {
        return false;
    }

    /** Address of the client, for messages. */
    String remoteAddress();
}
