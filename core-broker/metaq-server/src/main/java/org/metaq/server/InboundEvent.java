package org.metaq.server;

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

    /** Last event of a connection. */
    record Disconnected(NettyLink link) implements InboundEvent {}
}
