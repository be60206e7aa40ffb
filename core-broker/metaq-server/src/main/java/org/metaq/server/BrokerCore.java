package org.metaq.server;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.Broker;
import org.metaq.broker.ClientLink;
import org.metaq.protocol.Command;

/**
 * What the writer thread drives: the {@link org.metaq.broker.Broker}, behind a seam so that tests
 * can drive the sockets without a store. Confined to the writer thread.
 */
interface BrokerCore extends AutoCloseable {
    /** One client connection in the broker. */
    interface Session {
        /** Takes a command; the body is copied before this returns. */
        void submit(Command command);

        /** Takes the head of a message whose body follows in pieces. */
        void beginSend(Command.Send head, int bodyLength);

        /** Takes the next piece of the body; it is copied before this returns. */
        void sendPart(ByteBuffer piece);

        /** The connection is gone. */
        void disconnect();
    }

    /** Tells where clients reach this; once, before the writer thread starts. */
    default void listeningOn(String url, int port) {}

    /** The broker itself; null where a test has none. */
    default @Nullable Broker broker() {
        return null;
    }

    /** A client connected. */
    Session connect(ClientLink link);

    /** Appends, applies, answers, runs timers; returns how much was done. */
    int doWork();

    /** Monotonic time, nanoseconds, at which {@link #doWork} must be called at the latest. */
    long nextDeadlineNs();

    /** Clean stop. */
    @Override
    void close();

    /** Lets go of what keeps other processes away, without another write; after a failure. */
    void abandon();
}
