package org.metaq.server.discovery;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.TopicRegistration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a broker registered in ZooKeeper as long as it runs. Thread-safe; no method but {@link
 * #close} waits for ZooKeeper. A ZooKeeper that is not there is tried again until it is; after a
 * lost session everything is registered anew.
 *
 * <p>The nodes are ephemeral. One that is there already is of an earlier life of this broker, or of
 * another broker with its id. The same URL tells the first: it is replaced at once, since nobody
 * else can listen where this broker does. With another URL it is given the time of a session to
 * vanish; if it stays, the id is in use.
 */
public final class ZooKeeperRegistry implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperRegistry.class);

    private static final long CLOSE_MAX_SECONDS = 5;
    private static final int RETRY_PAUSE_MS = 200;
    private static final long WAITING_PATIENCE_MS = 5000;
    private static final long WAITING_LOG_INTERVAL_MS = 60_000;
    private static final long CONFLICT_POLL_MS_MAX = 1000;

    private final RegistrySettings settings;
    private final RegistryPaths paths;
    private final CuratorFramework client;
    private final ScheduledExecutorService thread;
    private final CompletableFuture<Void> registered = new CompletableFuture<>();
    private final CompletableFuture<Void> settled = new CompletableFuture<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    // Written by whoever tells them, read by the registry thread at its next turn.
    private volatile @Nullable List<TopicRegistration> wanted;
    private volatile long wantedChecksum;

    // Confined to the registry thread: what is there under the session, and the conflict if any.
    private final Map<String, TopicRegistration> topics = new HashMap<>();
    private final Set<String> refused = new HashSet<>();
    private long session;
    private long checksum;
    private long conflictSession;
    private long conflictEndNs;
    private boolean isTurnDue;

    private ZooKeeperRegistry(
            RegistrySettings settings, CuratorFramework client, long configChecksum) {
        this.settings = settings;
        this.paths = new RegistryPaths(settings.root(), settings.brokerId());
        this.client = client;
        this.wantedChecksum = configChecksum;
        this.thread =
                Executors.newSingleThreadScheduledExecutor(
                        task -> {
                            Thread made = new Thread(task, "metaq-registry");
                            made.setDaemon(true);
                            return made;
                        });
    }

    /**
     * Starts to register, as soon as {@link #topics} was called; returns at once.
     *
     * @param configChecksum CRC-32 of {@code server.ini}
     * @throws IllegalArgumentException if {@code connect} is not a list of hosts and ports
     */
    public static ZooKeeperRegistry start(RegistrySettings settings, long configChecksum) {
        CuratorFramework client =
                CuratorFrameworkFactory.builder()
                        .connectString(settings.connect())
                        .sessionTimeoutMs(settings.sessionTimeoutMs())
                        .connectionTimeoutMs(settings.connectionTimeoutMs())
                        .retryPolicy(new RetryOneTime(RETRY_PAUSE_MS))
                        .build();
        ZooKeeperRegistry registry = new ZooKeeperRegistry(settings, client, configChecksum);
        client.getConnectionStateListenable()
                .addListener((unused, state) -> registry.connectionIs(state));
        client.start();
        registry.schedule(registry::patienceEnds, WAITING_PATIENCE_MS);
        return registry;
    }

    /**
     * Completed when the broker is registered for the first time; exceptionally, with a {@link
     * BrokerIdInUseException}, if it cannot be because another broker has its id. Nothing is tried
     * after that.
     */
    public CompletableFuture<Void> registered() {
        return registered.copy();
    }

    /** Completed as {@link #registered}, and also if nothing is decided within some seconds. */
    public CompletableFuture<Void> settled() {
        return settled.copy();
    }

    /** The topics are these now. Any thread. */
    public void topics(List<TopicRegistration> now) {
        wanted = List.copyOf(now);
        schedule(0);
    }

    /** {@code server.ini} changed. Any thread. */
    public void configChecksum(long now) {
        wantedChecksum = now;
        schedule(0);
    }

    /** Removes the broker's nodes, as far as ZooKeeper is there; waits at most some seconds. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        boolean interrupted = false;
        try {
            thread.submit(this::withdraw).get(CLOSE_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
            LOG.warn("registry-not-withdrawn broker={} reason=\"{}\"", brokerId(), e.toString());
        } catch (InterruptedException e) {
            interrupted = true;
        }
        thread.shutdownNow();
        // ends the session, and with it every ephemeral node
        client.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void connectionIs(ConnectionState state) {
        LOG.debug("registry-connection state={}", state);
        if (state.isConnected()) {
            schedule(0);
        } else if (state == ConnectionState.LOST) {
            LOG.warn(
                    "registry-session-lost broker={} connect={}; registers again when it is back",
                    settings.brokerId(),
                    settings.connect());
        }
    }

    private void schedule(long delayMs) {
        schedule(this::turn, delayMs);
    }

    private void schedule(Runnable task, long delayMs) {
        try {
            var unused = thread.schedule(task, delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("registry closed", e);
        }
    }

    // ---- on the registry thread

    private void turn() {
        List<TopicRegistration> known = wanted;
        if (known == null || registered.isCompletedExceptionally() || thread.isShutdown()) {
            return;
        }
        if (!client.getZookeeperClient().isConnected()) {
            return; // the listener tells when it is
        }
        try {
            register(known);
        } catch (BrokerIdInUseException e) {
            idIsInUse(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            // the outermost loop; Curator declares no narrower one
            LOG.warn(
                    "registry-failed broker={} reason=\"{}\"; tries again",
                    brokerId(),
                    e.toString());
            turnLater(settings.retryMs());
        }
    }

    private void patienceEnds() {
        if (registered.isDone()) {
            return;
        }
        if (conflictSession == 0) {
            LOG.warn(
                    "registry-waiting broker={} connect={} connected={}; not registered yet: the"
                            + " broker serves, but MetaQ clients do not find it",
                    brokerId(),
                    settings.connect(),
                    client.getZookeeperClient().isConnected());
            settled.complete(null);
        }
        schedule(this::patienceEnds, WAITING_LOG_INTERVAL_MS);
    }

    /** One turn more, though several ask for it. */
    private void turnLater(long delayMs) {
        if (!isTurnDue) {
            isTurnDue = true;
            schedule(
                    () -> {
                        isTurnDue = false;
                        turn();
                    },
                    delayMs);
        }
    }

    private int brokerId() {
        return settings.brokerId();
    }

    private void idIsInUse(BrokerIdInUseException e) {
        settled.completeExceptionally(e);
        if (!registered.completeExceptionally(e)) {
            LOG.error("registry-conflict broker={} reason=\"{}\"", brokerId(), e.getMessage());
            turnLater(settings.retryMs());
        }
    }

    /** Brings what is there in line with what is wanted; may be repeated at any point. */
    private void register(List<TopicRegistration> known) throws Exception {
        long current = client.getZookeeperClient().getZooKeeper().getSessionId();
        if (current != session) {
            topics.clear();
            checksum = -1;
            session = 0;
            if (!claimId(current)) {
                turnLater(Math.min(settings.retryMs(), CONFLICT_POLL_MS_MAX));
                return;
            }
            session = current;
        }
        registerChecksum();
        registerTopics(known);
        settled.complete(null);
        if (registered.complete(null)) {
            LOG.info(
                    "registered broker={} url={} connect={} topics={}",
                    brokerId(),
                    settings.url(),
                    settings.connect(),
                    topics.size());
        }
    }

    /**
     * Makes the master node.
     *
     * @return false if a node that may vanish is in the way
     * @throws BrokerIdInUseException if it had its time to vanish
     */
    private boolean claimId(long current) throws Exception {
        String master = paths.master();
        Stat stat = client.checkExists().forPath(master);
        if (stat != null && stat.getEphemeralOwner() != current) {
            String url = read(master);
            if (!url.isEmpty() && !url.equals(settings.url())) {
                awaitEnd(stat.getEphemeralOwner(), url);
                return false;
            }
            delete(master);
            stat = null;
        }
        if (stat == null) {
            // fails if another broker was faster, which the next turn then sees
            create(master, settings.url());
        }
        conflictSession = 0;
        setPersistent(paths.broker(), settings.url());
        return true;
    }

    private void awaitEnd(long owner, String url) {
        if (conflictSession != owner) {
            conflictSession = owner;
            conflictEndNs =
                    System.nanoTime()
                            + TimeUnit.MILLISECONDS.toNanos(
                                    settings.sessionTimeoutMs() + settings.retryMs());
            LOG.warn(
                    "registry-conflict broker={} registered={}; waits for its session to end",
                    brokerId(),
                    url);
        } else if (System.nanoTime() - conflictEndNs > 0) {
            throw new BrokerIdInUseException(
                    "broker id "
                            + brokerId()
                            + " is in use by "
                            + url
                            + " (ZooKeeper "
                            + settings.connect()
                            + ", node "
                            + paths.master()
                            + "); give this broker another brokerId");
        }
    }

    /** Readers of the checksum watch its data: the node stays, its content changes. */
    private void registerChecksum() throws Exception {
        long now = wantedChecksum;
        if (checksum == -1) {
            replace(paths.configChecksum(), Long.toString(now), true);
        } else if (checksum != now) {
            client.setData().forPath(paths.configChecksum(), bytes(Long.toString(now)));
        }
        checksum = now;
    }

    private void registerTopics(List<TopicRegistration> known) throws Exception {
        Map<String, TopicRegistration> now = new HashMap<>();
        known.forEach(topic -> now.put(topic.topic(), topic));
        for (String topic : List.copyOf(topics.keySet())) {
            if (!now.containsKey(topic)) {
                topics.remove(topic);
                registerTopic(new TopicRegistration(topic, 0, false, false), false);
            }
        }
        for (TopicRegistration topic : now.values()) {
            if (!topic.equals(topics.get(topic.topic())) && !refused.contains(topic.topic())) {
                topics.remove(topic.topic());
                try {
                    registerTopic(topic, true);
                    topics.put(topic.topic(), topic);
                } catch (IllegalArgumentException e) {
                    refused.add(topic.topic());
                    LOG.warn(
                            "topic-not-registered topic={} reason=\"{}\"; JMS clients find it all"
                                    + " the same",
                            topic.topic(),
                            e.getMessage());
                }
            }
        }
    }

    /** Clients watch which nodes there are, not what is in them: a change is a new node. */
    private void registerTopic(TopicRegistration topic, boolean exists) throws Exception {
        String name = topic.topic();
        String json = paths.json(topic.partitionCount());
        replace(paths.topic(name), Integer.toString(topic.partitionCount()), exists);
        replace(paths.publish(name), json, topic.acceptPublish());
        replace(paths.subscribe(name), json, topic.acceptSubscribe());
    }

    private void withdraw() {
        try {
            if (session != 0 && client.getZookeeperClient().isConnected()) {
                setPersistent(paths.broker(), "");
            }
        } catch (Exception e) {
            // the outermost loop; Curator declares no narrower one
            LOG.warn("registry-not-withdrawn broker={} reason=\"{}\"", brokerId(), e.toString());
        }
        thread.shutdown();
    }

    // ---- nodes

    private void replace(String path, String content, boolean exists) throws Exception {
        delete(path);
        if (exists) {
            create(path, content);
        }
    }

    private void delete(String path) throws Exception {
        try {
            client.delete().forPath(path);
        } catch (KeeperException.NoNodeException e) {
            LOG.trace("nothing to delete at {}", path);
        }
    }

    private void create(String path, String content) throws Exception {
        create(path, content, CreateMode.EPHEMERAL);
    }

    private void setPersistent(String path, String content) throws Exception {
        try {
            create(path, content, CreateMode.PERSISTENT);
        } catch (KeeperException.NodeExistsException e) {
            client.setData().forPath(path, bytes(content));
        }
    }

    /**
     * By the first form of the request: Curator's own is not known to servers of 3.4, which MetaQ's
     * clients were made for, and which drop what they do not know.
     */
    private void create(String path, String content, CreateMode mode) throws Exception {
        ZooKeeper zookeeper = client.getZookeeperClient().getZooKeeper();
        ZKPaths.mkdirs(zookeeper, path, false);
        zookeeper.create(path, bytes(content), ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
    }

    /** Content of a node; empty if it is gone. */
    private String read(String path) throws Exception {
        try {
            byte[] content = client.getData().forPath(path);
            return content == null ? "" : new String(content, StandardCharsets.UTF_8);
        } catch (KeeperException.NoNodeException e) {
            return "";
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
