package org.metaq.client.consume;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.metaq.client.cluster.Cluster;
import org.metaq.client.cluster.TopicPartition;
import org.metaq.client.offset.FileOffsetStorage;
import org.metaq.client.offset.GroupOffset;
import org.metaq.client.offset.OffsetStorage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member of a group: reads the partitions that the group's {@link GroupCoordinator} gives it,
 * calls listeners, and keeps how far it came in the group's {@link OffsetStorage}. Every message is
 * delivered at least once: after a crash, those since the last stored offset come again.
 *
 * <p>A group's name is a word without any of {@code ~!#$%^&*()+=`'",;/?[]<>.:} and backslash.
 *
 * <p>Thread-safe: the table of readers is guarded by its lock, offsets are stored under another,
 * taken first. Threads: {@code metaq-consumer-<group>-n} pull and call listeners; the coordinator
 * has its own.
 */
public final class GroupConsumer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupConsumer.class);
    private static final String GROUP_PATTERN = "[^~!#$%^&*()+=`'\",;/?\\[\\]<>.:\\\\\\s]+";
    private static final long END_SECONDS = 10;

    private final String group;
    private final ConsumerOptions options;
    private final OffsetStorage offsets;
    private final boolean ownsOffsets;
    private final RejectPolicy rejectPolicy;
    private final Map<String, BatchListener> listeners;
    private final Puller puller;
    private final ScheduledThreadPoolExecutor executor;

    /** Guarded by itself. */
    private final Map<TopicPartition, PartitionReader> readers = new TreeMap<>();

    /** Held while offsets are stored, so that an older one never follows a newer one. */
    private final Object storeLock = new Object();

    private GroupCoordinator.@Nullable Membership membership;

    private GroupConsumer(Builder builder, OffsetStorage offsets) {
        this.group = builder.group;
        this.options = builder.options;
        this.offsets = offsets;
        this.ownsOffsets = builder.ownsOffsets;
        this.rejectPolicy = builder.rejectPolicy;
        this.listeners = Map.copyOf(builder.listeners);
        this.puller = new Puller(builder.cluster, group);
        AtomicInteger threads = new AtomicInteger();
        this.executor =
                new ScheduledThreadPoolExecutor(
                        options.threadCount(),
                        task -> {
                            Thread thread =
                                    new Thread(
                                            task,
                                            "metaq-consumer-"
                                                    + group
                                                    + '-'
                                                    + threads.incrementAndGet());
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /**
     * Starts to describe a member. The cluster stays the caller's to close, after the consumer.
     *
     * @throws IllegalArgumentException if the group's name is not allowed
     */
    public static Builder of(Cluster cluster, String group) {
        if (!group.matches(GROUP_PATTERN)) {
            throw new IllegalArgumentException(
                    "group '" + group + "': empty, or a character that is not allowed");
        }
        return new Builder(cluster, group);
    }

    /** What a member is to be. Confined to its user. */
    public static final class Builder {
        private final Cluster cluster;
        private final String group;
        private final Map<String, BatchListener> listeners = new LinkedHashMap<>();
        private final Map<String, MessageListener> singles = new HashMap<>();
        private ConsumerOptions options = ConsumerOptions.DEFAULTS;
        private GroupCoordinator coordinator;
        private @Nullable OffsetStorage offsets;
        private boolean ownsOffsets;
        private RejectPolicy rejectPolicy = LocalRecovery.inHome();

        private Builder(Cluster cluster, String group) {
            this.cluster = cluster;
            this.group = group;
            this.coordinator = new StaticCoordinator(cluster.discovery());
        }

        /**
         * Subscribes to a topic.
         *
         * @throws IllegalArgumentException if it is subscribed to already
         */
        public Builder subscribe(String topic, MessageListener listener) {
            singles.put(topic, listener);
            return add(topic, batch -> batch.deliverEach(listener));
        }

        /** As {@link #subscribe}, for whole batches. */
        public Builder subscribeBatches(String topic, BatchListener listener) {
            singles.put(topic, message -> listener.onBatch(batchOf(message)));
            return add(topic, listener);
        }

        private static Batch batchOf(ReceivedMessage message) {
            return new Batch(List.of(message), acknowledged -> {}, () -> false);
        }

        private Builder add(String topic, BatchListener listener) {
            if (listeners.putIfAbsent(topic, listener) != null) {
                throw new IllegalArgumentException("already subscribed: " + topic);
            }
            return this;
        }

        /** Sets the options. */
        public Builder options(ConsumerOptions value) {
            options = value;
            return this;
        }

        /**
         * Sets where offsets are kept; the storage stays the caller's to close, after the consumer.
         */
        public Builder offsets(OffsetStorage value) {
            offsets = value;
            return this;
        }

        /** Sets who shares the partitions out; without it this member has all of them. */
        public Builder coordinator(GroupCoordinator value) {
            coordinator = value;
            return this;
        }

        /**
         * Sets what becomes of messages that fail too often; without it {@link
         * LocalRecovery#inHome}.
         */
        public Builder rejectPolicy(RejectPolicy value) {
            rejectPolicy = value;
            return this;
        }

        /**
         * Every host gets every message: no sharing, and offsets in a local file.
         *
         * @throws IOException if the file cannot be used
         */
        public Builder broadcast(Path offsetFile) throws IOException {
            coordinator = new StaticCoordinator(cluster.discovery());
            offsets = new FileOffsetStorage(offsetFile);
            ownsOffsets = true;
            return this;
        }

        /**
         * Joins the group and starts to read.
         *
         * @throws IllegalStateException if there is no subscription, or nowhere to keep offsets
         */
        public GroupConsumer start() {
            OffsetStorage storage = offsets;
            if (listeners.isEmpty() || storage == null) {
                throw new IllegalStateException(
                        "a consumer needs a subscription and a place for its offsets");
            }
            GroupConsumer consumer = new GroupConsumer(this, storage);
            consumer.start(coordinator, Map.copyOf(singles));
            return consumer;
        }
    }

    private void start(GroupCoordinator coordinator, Map<String, MessageListener> singles) {
        rejectPolicy.start(group, message -> redeliver(singles, message));
        Future<?> unused =
                executor.scheduleWithFixedDelay(
                        this::storeAll,
                        options.commitPeriodMs(),
                        options.commitPeriodMs(),
                        TimeUnit.MILLISECONDS);
        membership = coordinator.join(group, listeners.keySet(), new Assignment());
    }

    private static void redeliver(Map<String, MessageListener> singles, ReceivedMessage message)
            throws Exception {
        MessageListener listener = singles.get(message.topic());
        if (listener == null) {
            throw new IllegalStateException("no subscription to " + message.topic() + " now");
        }
        listener.onMessage(message);
    }

    /** Partitions that this member reads now, sorted. */
    public List<TopicPartition> partitions() {
        synchronized (readers) {
            return List.copyOf(readers.keySet());
        }
    }

    private List<PartitionReader> currentReaders() {
        synchronized (readers) {
            return List.copyOf(readers.values());
        }
    }

    private final class Assignment implements GroupCoordinator.AssignmentListener {
        @Override
        public void assigned(Collection<TopicPartition> partitions) {
            LOG.info("{} gets {}", group, partitions);
            for (TopicPartition partition : partitions) {
                BatchListener listener = listeners.get(partition.topic());
                if (listener == null) {
                    throw new IllegalArgumentException("not subscribed to " + partition.topic());
                }
                PartitionReader reader =
                        new PartitionReader(
                                group,
                                partition,
                                options,
                                puller,
                                offsets,
                                listener,
                                rejectPolicy,
                                executor);
                synchronized (readers) {
                    readers.put(partition, reader);
                }
                reader.schedule(0);
            }
        }

        @Override
        public void revoked(Collection<TopicPartition> partitions) {
            List<PartitionReader> stopped = new ArrayList<>();
            for (PartitionReader reader : currentReaders()) {
                if (partitions.contains(reader.partition())) {
                    stopped.add(reader);
                }
            }
            stopped.forEach(PartitionReader::stop);
            store(stopped);
            synchronized (readers) {
                stopped.forEach(reader -> readers.remove(reader.partition(), reader));
            }
            LOG.info("{} gave up {}", group, partitions);
        }
    }

    private void storeAll() {
        try {
            store(currentReaders());
        } catch (RuntimeException e) {
            LOG.error("offsets of {} not stored, once more later", group, e);
        }
    }

    private void store(List<PartitionReader> changed) {
        synchronized (storeLock) {
            Map<TopicPartition, GroupOffset> unstored = new TreeMap<>();
            for (PartitionReader reader : changed) {
                GroupOffset offset = reader.unstored();
                if (offset != null) {
                    unstored.put(reader.partition(), offset);
                }
            }
            if (unstored.isEmpty()) {
                return;
            }
            try {
                offsets.store(group, unstored);
            } catch (IOException e) {
                LOG.warn("offsets of {} not stored, once more later: {}", group, e.toString());
                return;
            }
            for (PartitionReader reader : changed) {
                GroupOffset offset = unstored.get(reader.partition());
                if (offset != null) {
                    reader.stored(offset);
                }
            }
        }
    }

    /**
     * Waits for the listeners to return, stores the offsets and leaves the group.
     *
     * @throws IllegalStateException if a listener calls it, which would wait for itself
     */
    @Override
    public void close() {
        if (currentReaders().stream().anyMatch(PartitionReader::isRunByThisThread)) {
            throw new IllegalStateException("a listener cannot close its own consumer");
        }
        GroupCoordinator.Membership joined = membership;
        if (joined != null) {
            joined.close();
        }
        executor.shutdownNow();
        rejectPolicy.close();
        try {
            if (!executor.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("{}: a thread has not ended", group);
            }
            if (ownsOffsets) {
                offsets.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.warn("closing the offsets of {}: {}", group, e.toString());
        }
    }
}
