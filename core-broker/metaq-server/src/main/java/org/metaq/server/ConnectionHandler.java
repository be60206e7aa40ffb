package org.metaq.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.Command;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection's inbound side: decodes, hands commands to the writer thread, and stops reading
 * while the inbound budget is used up, body memory is, or the client does not read its replies.
 * Bytes that were read before a stop wait undecoded; they are at most one read. Confined to the
 * channel's event loop.
 */
final class ConnectionHandler extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionHandler.class);

    /** Time without a byte after which a command that has begun is given up. */
    private static final long STALL_NS = 30_000_000_000L;

    private static final long TICK_MAX_MS = 5_000;

    private final ServerContext server;
    private final ArrayDeque<ByteBuf> inputs = new ArrayDeque<>();

    private @Nullable ChannelHandlerContext context;
    private @Nullable NettyLink link;
    private @Nullable CommandDecoder decoder;
    private @Nullable ScheduledFuture<?> tick;
    private boolean isOpenSession;
    private boolean isFinished;
    private boolean awaitsBudget;
    private boolean isProcessing;
    private long lastProgressNs;
    private long lastOutboundState;

    ConnectionHandler(ServerContext server) {
        this.server = server;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        context = ctx;
        Channel channel = ctx.channel();
        NettyLink newLink =
                new NettyLink(channel, server.dispatcher(), server.log(), this::process);
        link = newLink;
        decoder =
                new CommandDecoder(
                        server.maxMessageSizeBytes(),
                        CommandDecoder.WHOLE_BODY_MAX,
                        server.bodyMemory(),
                        this::resumeLater);
        lastProgressNs = nowNs(ctx);
        long idleMs = server.clientIdleTimeoutMs();
        long tickMs = idleMs > 0 ? Math.max(1, Math.min(TICK_MAX_MS, idleMs / 4)) : TICK_MAX_MS;
        tick =
                ctx.executor()
                        .scheduleAtFixedRate(this::tick, tickMs, tickMs, TimeUnit.MILLISECONDS);
        server.events().accept(new InboundEvent.Connected(newLink));
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (isFinished) {
            in.release();
            return;
        }
        lastProgressNs = nowNs(ctx);
        inputs.add(in);
        process();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (link != null && !isFinished && ctx.channel().isWritable()) {
            link.drain();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        finish();
        NettyLink closed = link;
        if (closed != null) {
            closed.channelClosed();
            server.events().accept(new InboundEvent.Disconnected(closed));
        }
        if (tick != null) {
            tick.cancel(false);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.debug("connection-lost client={}", ctx.channel().remoteAddress(), cause);
        } else {
            server.log().warn("connection-failed", clientName(), String.valueOf(cause));
            LOG.debug("connection-failed client={}", clientName(), cause);
        }
        finish();
        var unused = ctx.close();
    }

    /** Decodes what was read as far as it may, and says whether to read more. */
    private void process() {
        if (isProcessing || isFinished || context == null) {
            return;
        }
        isProcessing = true;
        try {
            boolean paused = decodeInputs();
            if (!isFinished) {
                context.channel().config().setAutoRead(!paused && inputs.isEmpty());
            }
        } catch (ProtocolViolation e) {
            server.log().warn(e.kind().word(), clientName(), String.valueOf(e.getMessage()));
            finish();
            var unused = context.close();
        } finally {
            isProcessing = false;
        }
    }

    private boolean decodeInputs() throws ProtocolViolation {
        CommandDecoder from = Objects.requireNonNull(decoder);
        while (true) {
            if (isPaused()) {
                return true;
            }
            ByteBuf in = inputs.peek();
            if (in == null) {
                return false;
            }
            CommandDecoder.Decoded decoded = from.decode(in);
            if (decoded != null) {
                take(decoded);
            } else if (from.awaitsMemory()) {
                return true;
            }
            if (!isFinished && !in.isReadable()) {
                inputs.remove();
                in.release();
            }
        }
    }

    private void take(CommandDecoder.Decoded decoded) {
        NettyLink to = Objects.requireNonNull(link);
        if (decoded instanceof CommandDecoder.Accepted accepted) {
            if (accepted.command() instanceof Command.Open) {
                isOpenSession = true;
            }
            int cost = addToBudget(accepted.lengthBytes());
            server.events().accept(new InboundEvent.Received(to, accepted.command(), cost));
        } else if (decoded instanceof CommandDecoder.Begun begun) {
            int cost = addToBudget(begun.lengthBytes());
            server.events()
                    .accept(new InboundEvent.Begun(to, begun.head(), begun.bodyLength(), cost));
        } else if (decoded instanceof CommandDecoder.Piece piece) {
            int cost = addToBudget(piece.bytes().remaining());
            server.events().accept(new InboundEvent.Piece(to, piece.bytes(), cost));
        } else if (decoded instanceof CommandDecoder.Refused refused) {
            to.sendOwn(
                    new Outbound.Result(
                            refused.opaque(),
                            refused.error().status(),
                            refused.error().name() + ' ' + refused.text()));
        }
    }

    private int addToBudget(int lengthBytes) {
        int cost = InboundBudget.COMMAND_OVERHEAD_BYTES + lengthBytes;
        server.budget().add(cost);
        return cost;
    }

    private boolean isPaused() {
        if (isFinished || (link != null && link.isCongested())) {
            return true;
        }
        if (!server.budget().isUsedUp()) {
            return false;
        }
        if (!awaitsBudget) {
            awaitsBudget = true;
            server.budget().await(this::budgetFreed);
        }
        return true;
    }

    /** Any thread. */
    private void budgetFreed() {
        executeLater(
                () -> {
                    awaitsBudget = false;
                    process();
                });
    }

    /** Any thread. */
    private void resumeLater() {
        executeLater(this::process);
    }

    private void executeLater(Runnable task) {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            return;
        }
        try {
            ctx.executor().execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("event loop ended before its connection went on", e);
        }
    }

    /** Closes connections that are dead or stuck. */
    private void tick() {
        ChannelHandlerContext ctx = Objects.requireNonNull(context);
        NettyLink to = Objects.requireNonNull(link);
        long now = nowNs(ctx);
        if (awaitsBudget || isWaitingForMemory() || hasOutboundProgress(ctx.channel())) {
            // it is our turn, or the client's and it does something
            lastProgressNs = now;
            return;
        }
        long silentNs = now - lastProgressNs;
        long idleNs = TimeUnit.MILLISECONDS.toNanos(server.clientIdleTimeoutMs());
        if (isOpenSession && idleNs > 0 && silentNs >= idleNs) {
            giveUp("client-silent", silentNs, "no heartbeat");
        } else if (to.isClosing() && silentNs >= STALL_NS) {
            giveUp("client-does-not-read", silentNs, "last replies not taken");
        } else if (isInsideCommand() && !to.isCongested() && silentNs >= STALL_NS) {
            giveUp("command-incomplete", silentNs, "the rest of a command did not come");
        }
    }

    private void giveUp(String reason, long silentNs, String detail) {
        server.log()
                .warn(
                        reason,
                        clientName(),
                        detail + " for " + TimeUnit.NANOSECONDS.toMillis(silentNs) + " ms");
        var unused = Objects.requireNonNull(context).close();
    }

    private boolean isInsideCommand() {
        return decoder != null && decoder.isInsideCommand();
    }

    private boolean isWaitingForMemory() {
        return decoder != null && decoder.awaitsMemory();
    }

    /** Whether the socket took bytes since the last look. */
    private boolean hasOutboundProgress(Channel channel) {
        ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
        if (outbound == null || outbound.isEmpty()) {
            lastOutboundState = 0;
            return false;
        }
        long state =
                outbound.currentProgress() * 31
                        + outbound.totalPendingWriteBytes() * 7
                        + outbound.size();
        boolean moved = state != lastOutboundState;
        lastOutboundState = state;
        return moved;
    }

    private void finish() {
        if (isFinished) {
            return;
        }
        isFinished = true;
        inputs.forEach(ByteBuf::release);
        inputs.clear();
        if (decoder != null) {
            decoder.close();
        }
    }

    private String clientName() {
        return link == null ? "unknown" : link.remoteAddress();
    }

    private static long nowNs(ChannelHandlerContext ctx) {
        return ctx.executor().ticker().nanoTime();
    }
}
