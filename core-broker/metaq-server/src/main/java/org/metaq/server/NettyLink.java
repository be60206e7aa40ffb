package org.metaq.server;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.ClientLink;
import org.metaq.broker.OutboundDelivery;
import org.metaq.store.StoreException;
import org.metaq.store.log.MessageBytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection, seen from both sides: the writer thread collects replies here, the event loop
 * encodes and sends them. Each method says whose it is.
 */
final class NettyLink implements ClientLink {
    private static final Logger LOG = LoggerFactory.getLogger(NettyLink.class);

    /** Unencoded replies above which nothing more is read from the connection. */
    private static final long HELD_PAUSE_BYTES = 1 << 20;

    /**
     * Unencoded replies above which the connection is closed; more than the largest message that is
     * held in memory, one of a temporary destination (64 MiB). Others stay in their files.
     */
    private static final long HELD_LIMIT_BYTES = 80L << 20;

    private static final ByteBuffer NO_HEAD = ByteBuffer.allocate(0);

    private final Channel channel;
    private final String remoteAddress;
    private final ReplyDispatcher dispatcher;
    private final RateLimitedLog log;
    private final Runnable drained;

    // writer thread
    private List<Outbound> pending = new ArrayList<>();
    private BrokerCore.@Nullable Session session;
    private boolean isCut;

    // event loop
    private final ReplyWriter writer;
    private boolean isClosed;

    // replies that the writer thread made and the event loop has not encoded
    private final AtomicLong heldBytes = new AtomicLong();

    /**
     * A link.
     *
     * @param drained run on the event loop after replies were encoded
     */
    NettyLink(Channel channel, ReplyDispatcher dispatcher, RateLimitedLog log, Runnable drained) {
        this.channel = channel;
        this.remoteAddress = String.valueOf(channel.remoteAddress());
        this.dispatcher = dispatcher;
        this.log = log;
        this.drained = drained;
        this.writer = new ReplyWriter(channel);
    }

    // ---- writer thread

    @Override
    public void result(int opaque, int status, String text) {
        add(new Outbound.Result(opaque, status, text));
    }

    @Override
    public void value(int opaque, ByteBuffer body) {
        add(new Outbound.Value(opaque, body));
    }

    @Override
    public void deliveries(int opaque, List<OutboundDelivery> deliveries) {
        add(new Outbound.Deliveries(opaque, NO_HEAD, OutboundRun.of(deliveries)));
    }

    @Override
    public void browsed(int opaque, long position, List<OutboundDelivery> messages) {
        ByteBuffer head = ByteBuffer.allocate(Long.BYTES).putLong(0, position);
        add(new Outbound.Deliveries(opaque, head, OutboundRun.of(messages)));
    }

    @Override
    public void data(int opaque, MessageBytes bytes) {
        add(new Outbound.Data(opaque, bytes));
    }

    @Override
    public void close(String reason) {
        LOG.debug("connection-closed client={} reason=\"{}\"", remoteAddress, reason);
        add(new Outbound.Close());
    }

    private void add(Outbound reply) {
        if (isCut) {
            return;
        }
        if (heldBytes.addAndGet(reply.heldBytes()) > HELD_LIMIT_BYTES) {
            isCut = true;
            pending.clear();
            log.warn(
                    "client-does-not-read",
                    remoteAddress,
                    "more than " + HELD_LIMIT_BYTES + " bytes of replies wait; connection closed");
            var unused = channel.close();
            return;
        }
        if (pending.isEmpty()) {
            dispatcher.markDirty(this);
        }
        pending.add(reply);
    }

    /** What the broker knows this connection as; null before and after. */
    BrokerCore.@Nullable Session session() {
        return session;
    }

    void session(BrokerCore.@Nullable Session newSession) {
        session = newSession;
    }

    /** Hands over the replies of this cycle. */
    List<Outbound> takePending() {
        List<Outbound> taken = pending;
        pending = new ArrayList<>();
        return taken;
    }

    // ---- event loop

    /** Sends replies, behind what waits. */
    void send(List<Outbound> replies) {
        if (isClosed) {
            return;
        }
        replies.forEach(writer::add);
        drain();
    }

    /** Sends a reply that did not come from the broker. */
    void sendOwn(Outbound reply) {
        heldBytes.addAndGet(reply.heldBytes());
        send(List.of(reply));
    }

    /** Goes on with what waits. */
    void drain() {
        try {
            heldBytes.addAndGet(-writer.drain());
        } catch (StoreException e) {
            LOG.error("log-unreadable client={}; its connection is closed", remoteAddress, e);
            writer.clear();
            var unused = channel.close();
            return;
        }
        drained.run();
    }

    /** Whether the client should read before more is read from it. */
    boolean isCongested() {
        return !channel.isWritable()
                || writer.isBehind()
                || heldBytes.get() > HELD_PAUSE_BYTES
                || writer.isClosing();
    }

    /** Whether the connection ends once its socket took what was written. */
    boolean isClosing() {
        return writer.isClosing();
    }

    /** The channel is gone. */
    void channelClosed() {
        isClosed = true;
        writer.clear();
    }

    // ---- any thread

    @Override
    public boolean isLocal() {
        return channel.remoteAddress() instanceof InetSocketAddress client
                && !client.isUnresolved()
                && client.getAddress().isLoopbackAddress();
    }

    EventLoop eventLoop() {
        return channel.eventLoop();
    }

    @Override
    public String remoteAddress() {
        return remoteAddress;
    }
}
