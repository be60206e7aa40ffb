package org.metaq.server;

import java.nio.ByteBuffer;
import org.metaq.protocol.Command;

/** What other threads tell the writer thread. Immutable. */
sealed interface InboundEvent {
    /** Something of a connection, from its event loop. */
    sealed interface OfLink extends InboundEvent {
        /** Where it came from. */
        NettyLink link();
    }

    /** First event of a connection. */
    record Connected(NettyLink link) implements OfLink {}

    /**
     * A command.
     *
     * @param costBytes what was added to the {@link InboundBudget} for it
     */
    record Received(NettyLink link, Command command, int costBytes) implements OfLink {}

    /**
     * The head of a large message.
     *
     * @param costBytes as of {@link Received}
     */
    record Begun(NettyLink link, Command.Send head, int bodyLength, int costBytes)
            implements OfLink {}

    /**
     * The next bytes of the body that the connection's last {@link Begun} announced.
     *
     * @param costBytes as of {@link Received}
     */
    record Piece(NettyLink link, ByteBuffer bytes, int costBytes) implements OfLink {}

    /** Last event of a connection. */
    record Disconnected(NettyLink link) implements OfLink {}

    /**
     * Work of this process's own, such as an operator's.
     *
     * @param work what it throws is the end of the broker
     */
    record Task(Runnable work) implements InboundEvent {}
}
