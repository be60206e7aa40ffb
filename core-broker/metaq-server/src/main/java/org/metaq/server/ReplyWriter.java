package org.metaq.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.metaq.store.log.MessageBytes;

/**
 * Encodes the replies of one connection while its socket takes them; the rest waits unencoded, so
 * that a client that does not read costs a write buffer and no more. Confined to the event loop.
 */
final class ReplyWriter {
    /** Bytes after which the socket is looked at again. */
    static final int PIECE_LENGTH = 64 * 1024;

    private static final int BATCH_INITIAL = 512;

    private final Channel channel;
    private final ArrayDeque<Outbound> waiting = new ArrayDeque<>();
    private @Nullable ByteBuf batch;
    private boolean isClosing;

    ReplyWriter(Channel channel) {
        this.channel = channel;
    }

    void add(Outbound reply) {
        waiting.add(reply);
    }

    /** Whether replies wait for the socket. */
    boolean isBehind() {
        return !waiting.isEmpty();
    }

    /** Whether the connection ends once its socket took what was written. */
    boolean isClosing() {
        return isClosing;
    }

    /**
     * Encodes as much as the socket takes, and flushes once.
     *
     * @return {@link Outbound#heldBytes} of what no longer waits
     * @throws org.metaq.store.StoreException if a log cannot be read; what the client then has is
     *     cut short, close the connection
     */
    long drain() {
        long freed = 0;
        while (!waiting.isEmpty() && channel.isWritable()) {
            Outbound head = waiting.element();
            if (head.writeTo(this)) {
                waiting.remove();
                freed += head.heldBytes();
            } else {
                writeBatch();
            }
            if (batch != null && batch.readableBytes() >= PIECE_LENGTH) {
                writeBatch();
            }
        }
        writeBatch();
        channel.flush();
        return freed;
    }

    /** Forgets what waits. */
    void clear() {
        waiting.clear();
        if (batch != null) {
            batch.release();
            batch = null;
        }
    }

    /** Adds bytes; large ones are not copied and must not change afterwards. */
    void put(ByteBuffer bytes) {
        if (bytes.remaining() >= PIECE_LENGTH) {
            writeBatch();
            write(Unpooled.wrappedBuffer(bytes));
        } else {
            batch(bytes.remaining()).writeBytes(bytes.duplicate());
        }
    }

    /** Adds bytes of a log; by sendfile if there are many and they are in a file. */
    void put(MessageBytes bytes, int regionLengthMin) {
        int length = bytes.length();
        FileChannel file = length >= regionLengthMin ? bytes.channel() : null;
        if (file != null) {
            writeBatch();
            write(new LogRegion(bytes, file));
        } else if (length >= PIECE_LENGTH) {
            writeBatch();
            // as the batch, so that clear() releases it if the log cannot be read
            batch = channel.alloc().ioBuffer(length);
            fill(batch, bytes, length);
            writeBatch();
        } else {
            fill(batch(length), bytes, length);
        }
    }

    void close() {
        isClosing = true;
        writeBatch();
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    private static void fill(ByteBuf to, MessageBytes bytes, int length) {
        bytes.copyTo(to.nioBuffer(to.writerIndex(), length));
        bytes.release();
        to.writerIndex(to.writerIndex() + length);
    }

    private ByteBuf batch(int length) {
        ByteBuf current = batch;
        if (current == null) {
            current = channel.alloc().ioBuffer(Math.max(BATCH_INITIAL, length));
            batch = current;
        }
        return current.ensureWritable(length);
    }

    private void writeBatch() {
        if (batch != null) {
            ByteBuf full = batch;
            batch = null;
            write(full);
        }
    }

    private void write(Object bytes) {
        // a failed write ends in exceptionCaught, which is what the void promise is for
        var unused = channel.write(bytes, channel.voidPromise());
    }
}
