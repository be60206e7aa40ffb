package org.metaq.server;

import java.nio.ByteBuffer;
import org.metaq.protocol.Command;

/** What the event loops tell the writer thread. Immutable. */
sealed interface InboundEvent {
    /** Where it came from. */
    NettyLink link();

    /** First event of a connection. */
    record Connected(NettyLink link) implements InboundEvent {}

    /**
     * A command.
     *
     * @param costBytes what was added to the {@link InboundBudget} for it
     */
    record Received(NettyLink link, Command command, int costBytes) implements InboundEvent {}

    /**
     * The head of a large message.
     *
     * @param costBytes as of {@link Received}
     */
    record Begun(NettyLink link, Command.Send head, int bodyLength, int costBytes)
            implements InboundEvent {}

    /**
     * The next bytes of the body that the connection's last {@link Begun} announced.
     *
     * @param costBytes as of {@link Received}
     */
    record Piece(NettyLink link, ByteBuffer bytes, int costBytes) implements InboundEvent {}

    /** Last event of a connection. */
    record Disconnected(NettyLink link) implements InboundEvent {}
}
