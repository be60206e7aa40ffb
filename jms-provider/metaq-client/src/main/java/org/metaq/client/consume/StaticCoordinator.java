package org.metaq.client.consume;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.metaq.client.ClientException;
import org.metaq.client.cluster.Discovery;
import org.metaq.client.cluster.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives every member all partitions that the discovery knows: for groups with a single member, and
 * for broadcast. Looks for new and gone ones every now and then, on a thread per membership.
 */
public final class StaticCoordinator implements GroupCoordinator {
    private static final Logger LOG = LoggerFactory.getLogger(StaticCoordinator.class);
    private static final long DEFAULT_PERIOD_MS = 1_000;

    private final Discovery discovery;
    private final long periodMs;

    /** Looks every second. */
    public StaticCoordinator(Discovery discovery) {
        this(discovery, DEFAULT_PERIOD_MS);
    }

    /** Looks every so many milliseconds, &gt;= 1. */
    public StaticCoordinator(Discovery discovery, long periodMs) {
        this.discovery = discovery;
        this.periodMs = periodMs;
    }

    @Override
    public Membership join(String group, Set<String> topics, AssignmentListener listener) {
        Member member = new Member(group, topics, listener);
        member.thread.start();
        return member;
    }

    private final class Member implements Membership, Runnable {
        private final Set<String> topics;
        private final AssignmentListener listener;
        private final Set<TopicPartition> mine = new TreeSet<>();
        private final CountDownLatch closing = new CountDownLatch(1);
        private final Thread thread;

        Member(String group, Set<String> topics, AssignmentListener listener) {
            this.topics = Set.copyOf(topics);
            this.listener = listener;
            this.thread = new Thread(this, "metaq-assignment-" + group);
            this.thread.setDaemon(true);
        }

        @Override
        public void run() {
            try {
                do {
                    topics.forEach(this::look);
                } while (!closing.await(periodMs, TimeUnit.MILLISECONDS));
            } catch (InterruptedException e) {
                LOG.debug("interrupted, leaves the group", e);
            } finally {
                listener.revoked(List.copyOf(mine));
            }
        }

        private void look(String topic) {
            Set<TopicPartition> there = new TreeSet<>();
            try {
                discovery
                        .subscribePartitions(topic)
                        .forEach(partition -> there.add(new TopicPartition(topic, partition)));
            } catch (ClientException e) {
                LOG.warn("partitions of {} not known now: {}", topic, e.getMessage());
                return;
            }
            List<TopicPartition> gone = new ArrayList<>(mine);
            gone.removeIf(each -> !each.topic().equals(topic) || there.contains(each));
            there.removeAll(mine);
            if (!gone.isEmpty()) {
                listener.revoked(gone);
                gone.forEach(mine::remove);
            }
            if (!there.isEmpty()) {
                listener.assigned(there);
                mine.addAll(there);
            }
        }

        @Override
        public void close() {
            closing.countDown();
            boolean isInterrupted = false;
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                    thread.interrupt();
                }
            }
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
