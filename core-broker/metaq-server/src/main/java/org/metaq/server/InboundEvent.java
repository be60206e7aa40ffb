package org.metaq.server;

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

    /** Last event of a connection. */
    record Disconnected(NettyLink link) implements OfLink {}

    /**
     * Work of this process's own, such as an operator's.
     *
     * @param work what it throws is the end of the broker
     */
    record Task(Runnable work) implements InboundEvent {}
}
