package org.metaq.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.CommandCodec.Frame;

/**
 * Writes frames to a non-blocking channel in the order in which they were put. The first thread
 * that puts one owns the channel and also writes what others put meanwhile, many small frames in
 * one system call. When the socket is full the owner leaves; ownership then stays with nobody until
 * the reader thread sees the socket writable and calls {@link #resume}. So no thread ever blocks
 * here.
 *
 * <p>Thread-safe: {@link #claims} grants ownership, everything below it belongs to the owner.
 */
final class FrameWriter {
    /** Grows to the maximum while writes fill it, so that a connection at rest costs little. */
    private static final int STAGING_LENGTH = 8 * 1024;

    /** Also the size of the largest write, so that a large body needs no large direct memory. */
    private static final int STAGING_LENGTH_MAX = 128 * 1024;

    private final GatheringByteChannel channel;
    private final Runnable onFull;
    private final IntConsumer onTaken;
    private final Queue<Frame> queue = new ConcurrentLinkedQueue<>();

    /** Puts since the owner last looked; whoever moves it from 0 owns the channel. */
    private final AtomicInteger claims = new AtomicInteger();

    /** Written by the owner that leaves a full socket, read by the reader thread that resumes. */
    private volatile boolean isSuspended;

    /** Written by the owner, read by the reader thread for heartbeats. */
    private volatile long lastWriteNs = System.nanoTime();

    // Owner only.
    private ByteBuffer staging = ByteBuffer.allocateDirect(STAGING_LENGTH);
    private @Nullable ByteBuffer line;
    private @Nullable ByteBuffer body;

    /**
     * A writer.
     *
     * @param onFull called when the socket is full: arrange for {@link #resume}
     * @param onTaken told the length of each frame that has left the queue
     */
    FrameWriter(GatheringByteChannel channel, Runnable onFull, IntConsumer onTaken) {
        this.channel = channel;
        this.onFull = onFull;
        this.onTaken = onTaken;
    }

    /**
     * Writes the frame, or leaves it to the thread that is writing.
     *
     * @throws IOException if this thread was the writer and the channel failed; the channel then
     *     stays owned, so nothing is written after the gap
     */
    void put(Frame frame) throws IOException {
        queue.add(frame);
        if (claims.getAndIncrement() == 0) {
            writeOwned();
        }
    }

    /**
     * Leaves the frame to the next {@link #put} or {@link #flush}, so that one write takes both.
     */
    void defer(Frame frame) {
        queue.add(frame);
    }

    /** Writes what was deferred; throws as {@link #put}. */
    void flush() throws IOException {
        if (!queue.isEmpty() && claims.getAndIncrement() == 0) {
            writeOwned();
        }
    }

    /** True if frames wait, put off or under way. */
    boolean hasDeferred() {
        return !queue.isEmpty();
    }

    /** True if frames wait for a full socket. */
    boolean isSuspended() {
        return isSuspended;
    }

    /** {@link System#nanoTime} of the last write that moved bytes. */
    long lastWriteNs() {
        return lastWriteNs;
    }

    /** Goes on after the socket was full. */
    void resume() throws IOException {
        if (isSuspended) {
            isSuspended = false;
            writeOwned();
        }
    }

    private void writeOwned() throws IOException {
        int seen;
        do {
            seen = claims.get();
            if (!writeQueued()) {
                isSuspended = true;
                onFull.run();
                return;
            }
        } while (claims.addAndGet(-seen) != 0);
    }

    /** Returns false if the socket is full. */
    private boolean writeQueued() throws IOException {
        while (true) {
            fill();
            while (!staging.hasRemaining() && staging.capacity() < STAGING_LENGTH_MAX) {
                staging = ByteBuffer.allocateDirect(2 * staging.capacity()).put(staging.flip());
                fill();
            }
            if (staging.position() == 0) {
                return true;
            }
            staging.flip();
            int written = channel.write(staging);
            staging.compact();
            if (written == 0) {
                return false;
            }
            lastWriteNs = System.nanoTime();
        }
    }

    private void fill() {
        while (staging.hasRemaining()) {
            if (line == null) {
                Frame next = queue.poll();
                if (next == null) {
                    return;
                }
                line = ByteBuffer.wrap(next.line());
                body = next.body().duplicate();
                onTaken.accept(next.length());
            }
            copy(line);
            if (body != null && !line.hasRemaining()) {
                copy(body);
                if (!body.hasRemaining()) {
                    line = null;
                    body = null;
                }
            }
        }
    }

    private void copy(ByteBuffer from) {
        int count = Math.min(from.remaining(), staging.remaining());
        staging.put(staging.position(), from, from.position(), count);
        staging.position(staging.position() + count);
        from.position(from.position() + count);
    }
}
