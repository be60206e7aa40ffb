package org.metaq.client.consume;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientException;
import org.metaq.client.cluster.TopicPartition;
import org.metaq.client.offset.GroupOffset;
import org.metaq.client.offset.OffsetStorage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one partition for a group: a task that pulls, delivers what came, and has itself run again,
 * at once or after a wait. Only one run is under way at a time; what a run uses is handed from run
 * to run by the executor, what others read is guarded by this object.
 */
final class PartitionReader implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupConsumer.class);
    private static final int NOT_FOUND = 404;
    private static final long IDLE_DELAY_MIN_MS = 5;
    private static final long FAILURE_DELAY_MIN_MS = 50;
    private static final long FAILURE_DELAY_MAX_MS = 5_000;
    private static final long STOP_WARN_MS = 10_000;

    private final String group;
    private final TopicPartition partition;
    private final ConsumerOptions options;
    private final Puller puller;
    private final OffsetStorage storage;
    private final BatchListener listener;
    private final RejectPolicy rejectPolicy;
    private final ScheduledExecutorService executor;

    // Used by the runs only.
    private final ArrayDeque<ReceivedMessage> pending = new ArrayDeque<>();
    private long pullOffset = -1;
    private int pullBytes;
    private int deliveryCount;
    private long idleDelayMs = IDLE_DELAY_MIN_MS;
    private long failureDelayMs = FAILURE_DELAY_MIN_MS;

    // Guarded by this.
    private boolean isStopped;
    private @Nullable Thread runner;
    private @Nullable GroupOffset done;
    private @Nullable GroupOffset stored;

    PartitionReader(
            String group,
            TopicPartition partition,
            ConsumerOptions options,
            Puller puller,
            OffsetStorage storage,
            BatchListener listener,
            RejectPolicy rejectPolicy,
            ScheduledExecutorService executor) {
        this.group = group;
        this.partition = partition;
        this.options = options;
        this.puller = puller;
        this.storage = storage;
        this.listener = listener;
        this.rejectPolicy = rejectPolicy;
        this.executor = executor;
        this.pullBytes = options.pullBytes();
    }

    TopicPartition partition() {
        return partition;
    }

    // ---- life

    @Override
    public void run() {
        if (!enter()) {
            return;
        }
        long delayMs = FAILURE_DELAY_MAX_MS;
        try {
            delayMs = step();
            failureDelayMs = FAILURE_DELAY_MIN_MS;
        } catch (ClientException | IOException e) {
            delayMs = failureDelayMs;
            failureDelayMs = Math.min(FAILURE_DELAY_MAX_MS, failureDelayMs * 2);
            LOG.warn("{} of {}, again in {} ms: {}", partition, group, delayMs, e.getMessage());
        } catch (RuntimeException | Error e) {
            LOG.error("{} of {}, again in {} ms", partition, group, delayMs, e);
        } finally {
            leave();
        }
        schedule(delayMs);
    }

    private synchronized boolean enter() {
        runner = isStopped ? null : Thread.currentThread();
        return !isStopped;
    }

    private synchronized void leave() {
        runner = null;
        notifyAll();
    }

    void schedule(long delayMs) {
        try {
            if (!isStopped()) {
                Future<?> unused = executor.schedule(this, delayMs, TimeUnit.MILLISECONDS);
            }
        } catch (RejectedExecutionException e) {
            LOG.debug("{} of {}: the consumer is closed", partition, group, e);
        }
    }

    private synchronized boolean isStopped() {
        return isStopped;
    }

    /**
     * Stops and waits until the listener has returned, unless it is the listener that stops. If the
     * waiting thread is interrupted it goes on waiting, for who reads the partition next must not
     * meet this listener.
     */
    synchronized void stop() {
        isStopped = true;
        boolean isInterrupted = false;
        while (runner != null && runner != Thread.currentThread()) {
            try {
                long sinceNs = System.nanoTime();
                wait(STOP_WARN_MS);
                if (System.nanoTime() - sinceNs >= TimeUnit.MILLISECONDS.toNanos(STOP_WARN_MS)) {
                    LOG.warn("{} of {} waits for a listener to return", partition, group);
                }
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** True on the thread that calls the listener now. */
    synchronized boolean isRunByThisThread() {
        return runner == Thread.currentThread();
    }

    // ---- offsets

    /** What is to be stored; null if that is stored already or nothing is known yet. */
    synchronized @Nullable GroupOffset unstored() {
        return done == null || done.equals(stored) ? null : done;
    }

    /** Says that this was stored. */
    synchronized void stored(GroupOffset offset) {
        stored = offset;
    }

    private synchronized void done(GroupOffset offset) {
        done = offset;
    }

    private synchronized GroupOffset at(long offset) {
        return new GroupOffset(done == null ? GroupOffset.NO_MESSAGE : done.messageId(), offset);
    }

    // ---- a run

    /** Does what can be done now; returns how long to wait before the next run, milliseconds. */
    private long step() throws ClientException, IOException {
        if (pullOffset < 0) {
            pullOffset = findStart();
        }
        if (pending.isEmpty() && !pull()) {
            idleDelayMs = Math.min(options.idleDelayMaxMs(), idleDelayMs * 2);
            return idleDelayMs;
        }
        idleDelayMs = IDLE_DELAY_MIN_MS;
        return pending.isEmpty() || deliver() ? 0 : options.retryDelayMs() * deliveryCount;
    }

    private long findStart() throws ClientException, IOException {
        GroupOffset last = storage.load(group, partition);
        if (last != null) {
            synchronized (this) {
                done = last;
                stored = last;
            }
            return last.offset();
        }
        long start;
        try {
            start = options.start().offset(puller, partition);
        } catch (ClientException e) {
            if (e.replyStatus() != NOT_FOUND) {
                throw e;
            }
            // Brokers make a partition at its first message, which then has offset 0.
            start = 0;
        }
        // Stored even if nothing is read: a start at the tail must not move with the tail.
        done(new GroupOffset(GroupOffset.NO_MESSAGE, start));
        return start;
    }

    /** Returns false if there is nothing new. */
    private boolean pull() throws ClientException {
        PullResult result =
                puller.pull(partition.topic(), partition.partition(), pullOffset, pullBytes);
        switch (result.status()) {
            case NOTHING -> {
                return false;
            }
            case MOVED -> {
                if (result.nextOffset() == pullOffset) {
                    return false;
                }
                // Retention, a filter, or a message that only JMS clients can take.
                LOG.info(
                        "{} of {} is led from offset {} to {}",
                        partition,
                        group,
                        pullOffset,
                        result.nextOffset());
                pullOffset = result.nextOffset();
                done(at(pullOffset));
            }
            case FOUND -> {
                boolean isCut = result.messages().isEmpty();
                pullBytes = isCut ? (int) Math.min(1L << 30, pullBytes * 2L) : options.pullBytes();
                pending.addAll(result.messages());
                pullOffset = result.nextOffset();
            }
        }
        return true;
    }

    /** Returns false if the first pending message has to wait. */
    private boolean deliver() throws ClientException, IOException {
        Batch batch = new Batch(List.copyOf(pending), this::acknowledge, this::isStopped);
        try {
            listener.onBatch(batch);
            ReceivedMessage last = pending.peekLast();
            if (last != null && !batch.isAbandoned()) {
                acknowledge(last);
            }
            return true;
        } catch (Exception e) { // whatever a listener throws
            return failed(e);
        }
    }

    private void acknowledge(ReceivedMessage message) {
        while (!pending.isEmpty() && pending.getFirst().offset() <= message.offset()) {
            pending.removeFirst();
            deliveryCount = 0;
        }
        done(new GroupOffset(message.messageId(), message.nextOffset()));
    }

    private boolean failed(Exception cause) throws ClientException, IOException {
        if (cause instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        ReceivedMessage first = pending.peekFirst();
        if (first == null) {
            LOG.warn("{}: failed after it had taken all", group, cause);
            return true;
        }
        deliveryCount++;
        if (deliveryCount < options.deliveryCountMax()) {
            LOG.warn(
                    "{} failed on {}, delivery {}: {}",
                    group,
                    first,
                    deliveryCount,
                    cause.toString());
            return false;
        }
        rejectPolicy.reject(new Rejection(group, first, deliveryCount, cause));
        acknowledge(first);
        return true;
    }
}
