package org.metaq.client.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.metaq.client.Address;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.common.PhysicalName;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Reply;

/**
 * Asks the brokers themselves: each of a fixed list of addresses is one broker, {@code open} tells
 * its id and {@code resolve} its partitions of a topic. What was told is believed for a while; a
 * broker that cannot be reached keeps the partitions that it had.
 *
 * <p>Thread-safe: one lock, held while asking; answers from memory take none.
 */
final class BootstrapDiscovery implements Discovery {
    private static final long REFRESH_NS = TimeUnit.SECONDS.toNanos(10);

    private final List<BrokerLink> links;

    /** Written under the lock: which broker was last seen behind which link. */
    private final Map<Integer, Address> addresses = new ConcurrentHashMap<>();

    private final Map<String, Topic> topics = new ConcurrentHashMap<>();

    private record Topic(List<Partition> partitions, long askedNs) {
        boolean isFresh() {
            return System.nanoTime() - askedNs < REFRESH_NS && !partitions.isEmpty();
        }
    }

    BootstrapDiscovery(List<BrokerLink> links) {
        this.links = List.copyOf(links);
    }

    @Override
    public List<Partition> publishPartitions(String topic) throws ClientException {
        Topic known = topics.get(topic);
        return known != null && known.isFresh() ? known.partitions() : ask(topic);
    }

    @Override
    public List<Partition> subscribePartitions(String topic) throws ClientException {
        return publishPartitions(topic);
    }

    private synchronized List<Partition> ask(String topic) throws ClientException {
        Topic known = topics.get(topic);
        if (known != null && known.isFresh()) {
            return known.partitions();
        }
        PhysicalName name = PhysicalName.parse(topic);
        List<ClientException> failures = new ArrayList<>();
        Map<Integer, List<Partition>> told = new HashMap<>();
        for (BrokerLink link : links) {
            try {
                ClientConnection connection = link.connection();
                addresses.putIfAbsent(connection.brokerId(), link.address());
                if (link.address().equals(addresses.get(connection.brokerId()))) {
                    told.put(connection.brokerId(), resolve(connection, name));
                }
            } catch (ClientException e) {
                failures.add(e);
            }
        }
        if (told.isEmpty() && known != null) {
            return known.partitions();
        }
        if (told.isEmpty()) {
            throw failures.get(0);
        }
        TreeSet<Partition> partitions = new TreeSet<>();
        told.values().forEach(partitions::addAll);
        if (known != null) {
            known.partitions().stream()
                    .filter(partition -> !told.containsKey(partition.brokerId()))
                    .forEach(partitions::add);
        }
        Topic asked = new Topic(List.copyOf(partitions), System.nanoTime());
        topics.put(topic, asked);
        return asked.partitions();
    }

    private static List<Partition> resolve(ClientConnection connection, PhysicalName name)
            throws ClientException {
        Reply reply =
                connection.call(
                        new Command.Resolve(name.kind(), name.name(), connection.nextOpaque()));
        String text = reply instanceof Reply.Result result ? result.text() : "";
        List<Partition> partitions = new ArrayList<>();
        try {
            String numbers = text.substring(text.indexOf(' ') + 1);
            for (String number : numbers.split(",", -1)) {
                partitions.add(new Partition(connection.brokerId(), Integer.parseInt(number)));
            }
        } catch (IllegalArgumentException e) {
            throw ClientException.of(
                    ErrorCode.INTERNAL, "the reply to 'resolve' makes no sense: " + text);
        }
        return partitions;
    }

    @Override
    public @Nullable Address brokerAddress(int brokerId) throws ClientException {
        Address known = addresses.get(brokerId);
        if (known != null) {
            return known;
        }
        synchronized (this) {
            for (BrokerLink link : links) {
                addresses.putIfAbsent(link.connection().brokerId(), link.address());
            }
        }
        return addresses.get(brokerId);
    }

    /** The links are the cluster's. */
    @Override
    public void close() {
        topics.clear();
    }
}
