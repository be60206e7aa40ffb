package org.metaq.discovery;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.jspecify.annotations.Nullable;
import org.metaq.client.Address;
import org.metaq.client.cluster.Discovery;
import org.metaq.client.cluster.Partition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows all of {@code /brokers}, and answers from what it saw last. While ZooKeeper cannot be
 * reached that stays as it is.
 *
 * <p>Thread-safe: Curator's event thread changes the maps, whose values are immutable.
 */
final class ZooKeeperDiscovery implements Discovery {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperDiscovery.class);
    private static final Pattern NUM_PARTS = Pattern.compile("\"numParts\"\\s*:\\s*(\\d+)");
    private static final Pattern CHILD = Pattern.compile("(\\d+)-(m|s\\d+)");
    private static final String MASTER = "master";
    private static final String SLAVE = "slave";

    private final CuratorCache cache;
    private final String root;
    private final CountDownLatch initialized = new CountDownLatch(1);
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** Broker to role to address; changed by the event thread only. */
    private final Map<Integer, Map<String, Address>> addresses = new ConcurrentHashMap<>();

    private final Registrations publish = new Registrations();
    private final Registrations subscribe = new Registrations();

    /** Topics of one tree: child name to number of partitions; changed by the event thread only. */
    private static final class Registrations {
        private final Map<String, Map<String, Integer>> children = new TreeMap<>();
        private final Map<String, List<Partition>> partitions = new ConcurrentHashMap<>();

        void put(String topic, String child, int count) {
            children.computeIfAbsent(topic, t -> new TreeMap<>()).put(child, count);
            publish(topic);
        }

        void remove(String topic, String child) {
            Map<String, Integer> left = children.get(topic);
            if (left != null) {
                left.remove(child);
                publish(topic);
            }
        }

        private void publish(String topic) {
            TreeSet<Partition> all = new TreeSet<>();
            children.getOrDefault(topic, Map.of())
                    .forEach(
                            (child, count) -> {
                                int broker = brokerOf(child);
                                for (int number = 0; number < count; number++) {
                                    all.add(new Partition(broker, number));
                                }
                            });
            partitions.put(topic, List.copyOf(all));
        }

        private static int brokerOf(String child) {
            return Integer.parseInt(child.substring(0, child.indexOf('-')));
        }

        List<Partition> of(String topic) {
            return partitions.getOrDefault(topic, List.of());
        }
    }

    ZooKeeperDiscovery(CuratorFramework curator, Layout layout) {
        this.root = layout.brokers();
        this.cache = CuratorCache.build(curator, root);
        cache.listenable()
                .addListener(
                        CuratorCacheListener.builder()
                                .forCreatesAndChanges((old, node) -> changed(node, false))
                                .forDeletes(node -> changed(node, true))
                                .forInitialized(initialized::countDown)
                                .build());
    }

    void start(long timeoutMs) throws IOException, InterruptedException {
        cache.start();
        if (!initialized.await(timeoutMs, TimeUnit.MILLISECONDS)) {
            throw new IOException(root + " not read in " + timeoutMs + " ms");
        }
    }

    /** Has a listener run, on the event thread, after each change; it must not block. */
    void onChange(Runnable listener) {
        listeners.add(listener);
    }

    void removeListener(Runnable listener) {
        listeners.remove(listener);
    }

    private void changed(ChildData node, boolean isGone) {
        if (node.getPath().length() <= root.length()) {
            return;
        }
        String[] parts = node.getPath().substring(root.length() + 1).split("/", -1);
        if (parts.length != 3) {
            return;
        }
        byte[] data = node.getData();
        String text = isGone || data == null ? "" : new String(data, UTF_8);
        try {
            switch (parts[0]) {
                case "ids" -> brokerChanged(Integer.parseInt(parts[1]), parts[2], text);
                case "topics-pub" -> topicChanged(publish, parts[1], parts[2], text, true);
                case "topics-sub" -> topicChanged(subscribe, parts[1], parts[2], text, false);
                default -> {
                    return;
                }
            }
        } catch (IllegalArgumentException e) {
            LOG.warn("{} is not as it should be: '{}': {}", node.getPath(), text, e.getMessage());
            return;
        }
        listeners.forEach(Runnable::run);
    }

    private void brokerChanged(int brokerId, String role, String text) {
        if (!role.equals(MASTER) && !role.matches(SLAVE + "\\d+")) {
            return;
        }
        Map<String, Address> roles = new TreeMap<>(addresses.getOrDefault(brokerId, Map.of()));
        if (text.isEmpty()) {
            roles.remove(role);
        } else {
            roles.put(role, address(text));
        }
        addresses.put(brokerId, roles);
    }

    private static Address address(String text) {
        URI uri = URI.create(text.trim());
        String host = uri.getHost();
        if (host == null) {
            throw new IllegalArgumentException("no meta://host:port");
        }
        String plain = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        return new Address(plain, uri.getPort() < 0 ? Address.DEFAULT_PORT : uri.getPort());
    }

    private static void topicChanged(
            Registrations tree, String topic, String child, String text, boolean mastersOnly) {
        Matcher name = CHILD.matcher(child);
        if (!name.matches()) {
            throw new IllegalArgumentException("no broker-m or broker-s0");
        }
        if (mastersOnly && !name.group(2).equals("m")) {
            return;
        }
        Matcher count = NUM_PARTS.matcher(text);
        if (text.isEmpty()) {
            tree.remove(topic, child);
        } else if (count.find()) {
            tree.put(topic, child, Integer.parseInt(count.group(1)));
        } else {
            throw new IllegalArgumentException("no numParts");
        }
    }

    @Override
    public List<Partition> publishPartitions(String topic) {
        return publish.of(topic);
    }

    @Override
    public List<Partition> subscribePartitions(String topic) {
        return subscribe.of(topic);
    }

    /** The master's; a slave's if there is no master. */
    @Override
    public @Nullable Address brokerAddress(int brokerId) {
        Map<String, Address> roles = addresses.getOrDefault(brokerId, Map.of());
        Address master = roles.get(MASTER);
        return master != null || roles.isEmpty() ? master : roles.values().iterator().next();
    }

    /** The registry ends it: coordinators use it too. */
    @Override
    public void close() {
        LOG.debug("a cluster is closed");
    }

    void end() {
        cache.close();
    }
}
