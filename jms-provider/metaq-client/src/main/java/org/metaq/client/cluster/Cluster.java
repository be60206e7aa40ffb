package org.metaq.client.cluster;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.metaq.client.Address;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.client.ClientOptions;
import org.metaq.protocol.ErrorCode;

/**
 * The brokers that a program talks to: one connection to each, shared by all its publishers and
 * consumers, made at the first need and again when lost. Close it after them.
 *
 * <p>Thread-safe.
 */
public final class Cluster implements AutoCloseable {
    private static final String SCHEME = "metaq://";

    private final Discovery discovery;
    private final Function<Address, ClientOptions> options;
    private final Map<Address, BrokerLink> links = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    private Cluster(Function<Address, ClientOptions> options, List<Address> brokers) {
        this.options = options;
        List<BrokerLink> fixed = new ArrayList<>();
        brokers.forEach(broker -> fixed.add(link(broker)));
        this.discovery = new BootstrapDiscovery(fixed);
    }

    private Cluster(Function<Address, ClientOptions> options, Discovery discovery) {
        this.options = options;
        this.discovery = discovery;
    }

    /**
     * Brokers by their addresses, without ZooKeeper: {@code metaq://host:port,host2:port2}.
     * Connects to none yet.
     *
     * @throws IllegalArgumentException if the text is something else
     */
    public static Cluster of(String url) {
        return of(parse(url), ClientOptions::of);
    }

    /** Brokers by their addresses, with options for each connection; each address is a broker. */
    public static Cluster of(List<Address> brokers, Function<Address, ClientOptions> options) {
        if (brokers.isEmpty()) {
            throw new IllegalArgumentException("no broker address");
        }
        return new Cluster(options, brokers);
    }

    /** Brokers that a discovery finds; it is closed with the cluster. */
    public static Cluster of(Discovery discovery) {
        return of(discovery, ClientOptions::of);
    }

    /** As {@link #of(Discovery)}, with options for each connection. */
    public static Cluster of(Discovery discovery, Function<Address, ClientOptions> options) {
        return new Cluster(options, discovery);
    }

    private static List<Address> parse(String url) {
        if (!url.startsWith(SCHEME)) {
            throw new IllegalArgumentException(
                    "'" + url + "' does not have the form metaq://host:port,host2:port2");
        }
        List<Address> brokers = new ArrayList<>();
        for (String each : url.substring(SCHEME.length()).split(",", -1)) {
            URI uri = URI.create(SCHEME + each);
            String host = uri.getHost();
            if (host == null || uri.getPath() == null || !uri.getPath().isEmpty()) {
                throw new IllegalArgumentException("'" + each + "' in " + url + " is no address");
            }
            String plain = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
            brokers.add(
                    new Address(plain, uri.getPort() < 0 ? Address.DEFAULT_PORT : uri.getPort()));
        }
        return brokers;
    }

    /** Who knows the partitions. */
    public Discovery discovery() {
        return discovery;
    }

    /**
     * The open connection to a broker. Blocks while it is being made.
     *
     * @throws ClientException CONNECTION_LOST if the broker is not known or cannot be reached;
     *     after a failed attempt also for a while without trying, 5 s at most
     */
    public ClientConnection connection(int brokerId) throws ClientException {
        Address address = discovery.brokerAddress(brokerId);
        if (address == null) {
            throw ClientException.of(
                    ErrorCode.CONNECTION_LOST, "broker " + brokerId + " is not known (any more)");
        }
        return link(address).connection();
    }

    private BrokerLink link(Address address) {
        BrokerLink link =
                links.computeIfAbsent(
                        address, broker -> new BrokerLink(broker, options.apply(broker)));
        if (isClosed) {
            link.close();
        }
        return link;
    }

    /** Closes the discovery and all connections; what is under way fails. */
    @Override
    public void close() {
        isClosed = true;
        discovery.close();
        links.values().forEach(BrokerLink::close);
    }
}
