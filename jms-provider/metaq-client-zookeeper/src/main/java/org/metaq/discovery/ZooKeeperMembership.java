package org.metaq.discovery;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.metaq.client.cluster.Partition;
import org.metaq.client.cluster.TopicPartition;
import org.metaq.client.consume.GroupCoordinator.AssignmentListener;
import org.metaq.client.consume.GroupCoordinator.Membership;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member of a group. Whatever changes, its thread does the same: register if this session has
 * not, work out its share, give up what is not in it, claim what is new. What another member still
 * holds is tried again, for ever, with growing waits: that member gives it up when it has seen the
 * same change. Partitions that stay are not touched.
 *
 * <p>When the session is lost the others take over, so all partitions are given up first; then it
 * joins anew.
 */
final class ZooKeeperMembership implements Membership, Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperMembership.class);
    private static final long RETRY_MIN_MS = 100;
    private static final long RETRY_MAX_MS = 5_000;

    /** A look without a cause, should an event ever be missed. */
    private static final long LOOK_MS = 30_000;

    private final GroupNodes nodes;
    private final ZooKeeperDiscovery discovery;
    private final Set<String> topics;
    private final AssignmentListener listener;
    private final Semaphore wakeUps = new Semaphore(0);
    private final Runnable wake = wakeUps::release;
    private final ConnectionStateListener connectionListener = this::connectionChanged;
    private final Thread thread;

    private volatile boolean isClosing;
    private volatile boolean isSessionLost;

    /** Used by the member's thread only. */
    private final Set<TopicPartition> mine = new TreeSet<>();

    ZooKeeperMembership(
            GroupNodes nodes,
            ZooKeeperDiscovery discovery,
            Set<String> topics,
            AssignmentListener listener) {
        this.nodes = nodes;
        this.discovery = discovery;
        this.topics = Set.copyOf(topics);
        this.listener = listener;
        this.thread = new Thread(this, "metaq-assignment-" + nodes.group());
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void connectionChanged(CuratorFramework curator, ConnectionState state) {
        if (state == ConnectionState.LOST) {
            isSessionLost = true;
        }
        wake.run();
    }

    @Override
    public void run() {
        discovery.onChange(wake);
        nodes.addConnectionListener(connectionListener);
        try (CuratorCache members = nodes.watchMembers(wake)) {
            LOG.debug("{} follows {}", nodes.memberId(), members);
            loop();
        } catch (InterruptedException e) {
            LOG.debug("{} interrupted, leaves", nodes.memberId(), e);
        } finally {
            discovery.removeListener(wake);
            nodes.removeConnectionListener(connectionListener);
            leave();
        }
    }

    private void loop() throws InterruptedException {
        long retryMs = RETRY_MIN_MS;
        while (!isClosing) {
            boolean isSettled = false;
            try {
                isSettled = share();
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) { // Curator's, or a listener's: the thread goes on
                LOG.warn("{}, again in {} ms: {}", nodes.memberId(), retryMs, e.toString());
            }
            if (wakeUps.tryAcquire(isSettled ? LOOK_MS : retryMs, TimeUnit.MILLISECONDS)) {
                wakeUps.drainPermits();
            }
            retryMs = isSettled ? RETRY_MIN_MS : Math.min(RETRY_MAX_MS, retryMs * 2);
        }
    }

    /** Returns false if another member still holds something of this one's share. */
    private boolean share() throws Exception {
        if (isSessionLost) {
            isSessionLost = false;
            giveUp(mine);
        }
        nodes.checkConnected();
        nodes.register(topics);
        Set<TopicPartition> share = new TreeSet<>();
        Map<String, List<String>> members = nodes.members();
        for (String topic : topics) {
            List<Partition> partitions = discovery.subscribePartitions(topic);
            Shares.of(nodes.memberId(), members.getOrDefault(topic, List.of()), partitions)
                    .forEach(partition -> share.add(new TopicPartition(topic, partition)));
        }
        List<TopicPartition> gone = new ArrayList<>();
        for (TopicPartition partition : mine) {
            if (!share.contains(partition) || !nodes.owns(partition)) {
                gone.add(partition);
            }
        }
        giveUp(gone);
        for (TopicPartition partition : gone) {
            nodes.release(partition);
        }
        return claim(share);
    }

    private boolean claim(Set<TopicPartition> share) throws Exception {
        List<TopicPartition> claimed = new ArrayList<>();
        boolean hasAll = true;
        try {
            for (TopicPartition partition : share) {
                if (!mine.contains(partition)) {
                    boolean isClaimed = nodes.claim(partition);
                    hasAll &= isClaimed;
                    if (isClaimed) {
                        claimed.add(partition);
                    }
                }
            }
        } finally {
            if (!claimed.isEmpty()) {
                mine.addAll(claimed);
                listener.assigned(claimed);
            }
        }
        return hasAll;
    }

    private void giveUp(Iterable<TopicPartition> partitions) {
        List<TopicPartition> given = new ArrayList<>();
        partitions.forEach(given::add);
        if (!given.isEmpty()) {
            listener.revoked(given);
            given.forEach(mine::remove);
        }
    }

    private void leave() {
        List<TopicPartition> given = List.copyOf(mine);
        giveUp(given);
        try {
            for (TopicPartition partition : given) {
                nodes.release(partition);
            }
            nodes.unregister();
        } catch (Exception e) { // Curator's; the end of the session does the same
            LOG.info("{} left without a word: {}", nodes.memberId(), e.toString());
        }
    }

    @Override
    public void close() {
        isClosing = true;
        wake.run();
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
