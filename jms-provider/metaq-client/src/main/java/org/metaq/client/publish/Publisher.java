package org.metaq.client.publish;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.client.ReplyHandler;
import org.metaq.client.cluster.Cluster;
import org.metaq.client.cluster.Partition;
import org.metaq.client.publish.PublisherOptions.WhenFull;
import org.metaq.common.BranchId;
import org.metaq.common.Checksums;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.MessageFormat;
import org.metaq.protocol.Reply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages to the partitions of their topics. A send that succeeded is as durable as the
 * broker's {@code unflushThreshold} says: by default on the disk.
 *
 * <p>Thread-safe, and meant to be shared. Messages of one thread to one partition are stored in the
 * order in which they were sent, as far as their sends succeed.
 */
public final class Publisher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);

    /** How long a synchronous send waits before it tries again what was not done. */
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Cluster cluster;
    private final PublisherOptions options;
    private final InFlight inFlight;
    private volatile boolean isClosed;

    /** With the default options. */
    public Publisher(Cluster cluster) {
        this(cluster, PublisherOptions.DEFAULTS);
    }

    /** The cluster stays the caller's to close, after this. */
    public Publisher(Cluster cluster, PublisherOptions options) {
        this.cluster = cluster;
        this.options = options;
        this.inFlight = new InFlight(options.inFlightCountMax(), options.inFlightBytesMax());
    }

    /**
     * Looks a topic up, so that a wrong name shows now and the first send need not. Optional.
     *
     * @return its partitions that take messages, not empty
     * @throws ClientException NO_SUCH_DESTINATION if there are none
     */
    public List<Partition> publish(String topic) throws ClientException {
        List<Partition> partitions = cluster.discovery().publishPartitions(topic);
        if (partitions.isEmpty()) {
            throw ClientException.of(
                    ErrorCode.NO_SUCH_DESTINATION,
                    "no broker takes messages of topic '" + topic + "'");
        }
        return partitions;
    }

    /** As {@link #send(Message, long)} with the time-out of the options. */
    public SendResult send(Message message) throws ClientException {
        return send(message, options.sendTimeoutMs());
    }

    /**
     * Sends a message and waits for the reply. What was not done, because no connection was there
     * or the broker was busy, is tried again until the time-out, on a partition chosen anew.
     *
     * @param timeoutMs longest wait, &gt;= 1; connecting may take longer
     * @throws ClientException if the broker refused it, BUSY if too much is under way, or
     *     {@linkplain ClientException#isOutcomeUnknown unknown outcome} if the reply did not come:
     *     sending again may then store it twice
     */
    public SendResult send(Message message, long timeoutMs) throws ClientException {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        ByteBuffer body = message.body();
        takeRoom(body.remaining(), timeoutMs);
        try {
            while (true) {
                try {
                    return attempt(message, body, deadlineNs);
                } catch (ClientException e) {
                    boolean isLate = System.nanoTime() + RETRY_NS >= deadlineNs;
                    if (!isUndone(e)
                            || isLate
                            || isClosed
                            || Thread.currentThread().isInterrupted()) {
                        throw e;
                    }
                }
                LockSupport.parkNanos(this, RETRY_NS);
            }
        } finally {
            inFlight.release(body.remaining());
        }
    }

    private static boolean isUndone(ClientException e) {
        return e.code() == ErrorCode.CONNECTION_LOST || e.code() == ErrorCode.BUSY;
    }

    private SendResult attempt(Message message, ByteBuffer body, long deadlineNs)
            throws ClientException {
        Partition partition = select(message);
        ClientConnection connection = cluster.connection(partition.brokerId());
        long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
        Reply reply =
                connection.call(
                        command(message, body, partition, null, connection.nextOpaque()),
                        Math.max(1, leftMs));
        return SendResult.of(partition.brokerId(), reply);
    }

    /**
     * Sends a message without waiting for the reply; while too much is under way it blocks or
     * fails, as the options say. It blocks too while a connection is being made or its socket is
     * full.
     *
     * @return completes on the executor of the options: with the result, or exceptionally with a
     *     {@link ClientException} as {@link #send(Message, long)}. There is no time-out but the end
     *     of the connection, and nothing is tried again
     */
    public CompletableFuture<SendResult> sendAsync(Message message) {
        ByteBuffer body = message.body();
        CompletableFuture<SendResult> sent = new CompletableFuture<>();
        try {
            takeRoom(body.remaining(), options.sendTimeoutMs());
        } catch (ClientException e) {
            sent.completeExceptionally(e);
            return sent;
        }
        boolean isUnderWay = false;
        try {
            Partition partition = select(message);
            ClientConnection connection = cluster.connection(partition.brokerId());
            connection.send(
                    command(message, body, partition, null, connection.nextOpaque()),
                    new Completion(partition.brokerId(), body.remaining(), sent));
            isUnderWay = true;
        } catch (ClientException e) {
            sent.completeExceptionally(e);
        } finally {
            if (!isUnderWay) {
                inFlight.release(body.remaining());
            }
        }
        return sent;
    }

    private void takeRoom(int length, long timeoutMs) throws ClientException {
        if (isClosed) {
            throw ClientException.of(ErrorCode.CONNECTION_LOST, "the publisher is closed");
        }
        boolean waits = options.whenFull() == WhenFull.BLOCK;
        long waitNs = waits ? TimeUnit.MILLISECONDS.toNanos(timeoutMs) : 0;
        boolean hasRoom;
        try {
            hasRoom = inFlight.acquire(length, waitNs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ClientException.of(
                    ErrorCode.BUSY, "interrupted while waiting for room; nothing was sent");
        }
        if (!hasRoom) {
            throw ClientException.of(
                    ErrorCode.BUSY, "too much under way, nothing was sent: " + inFlight);
        }
    }

    private Partition select(Message message) throws ClientException {
        return select(message, publish(message.topic()));
    }

    static Command.Put command(
            Message message,
            ByteBuffer body,
            Partition partition,
            @Nullable BranchId branch,
            int opaque) {
        return new Command.Put(
                message.topic(),
                partition.number(),
                message.attribute() == null ? 0 : MessageFormat.FLAG_ATTRIBUTE,
                Checksums.messageChecksum(body),
                branch,
                body.duplicate(),
                opaque);
    }

    /**
     * Starts a local transaction; the broker hears of it at its first send.
     *
     * @param timeoutSeconds after which the broker rolls it back, 0: its default
     */
    public PublisherTransaction begin(int timeoutSeconds) {
        return new PublisherTransaction(this, timeoutSeconds);
    }

    // ---- for transactions

    ClientConnection connection(int brokerId) throws ClientException {
        return cluster.connection(brokerId);
    }

    long sendTimeoutMs() {
        return options.sendTimeoutMs();
    }

    Partition select(Message message, List<Partition> partitions) {
        return options.selector().select(message, partitions);
    }

    private final class Completion implements ReplyHandler {
        private final int brokerId;
        private final int length;
        private final CompletableFuture<SendResult> sent;

        Completion(int brokerId, int length, CompletableFuture<SendResult> sent) {
            this.brokerId = brokerId;
            this.length = length;
            this.sent = sent;
        }

        @Override
        public void answered(Reply reply) {
            try {
                SendResult result = SendResult.of(brokerId, reply);
                end(() -> sent.complete(result));
            } catch (ClientException e) {
                failed(e);
            }
        }

        @Override
        public void failed(ClientException why) {
            end(() -> sent.completeExceptionally(why));
        }

        private void end(Runnable completion) {
            inFlight.release(length);
            try {
                options.completions().execute(completion);
            } catch (RejectedExecutionException e) {
                LOG.debug("the executor of the completions takes no more", e);
                completion.run();
            }
        }
    }

    /**
     * Takes no more messages and waits, up to the send time-out, until those under way are
     * answered.
     */
    @Override
    public void close() {
        isClosed = true;
        try {
            if (!inFlight.awaitEmpty(TimeUnit.MILLISECONDS.toNanos(options.sendTimeoutMs()))) {
                LOG.warn("closed with sends under way: {}", inFlight);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
