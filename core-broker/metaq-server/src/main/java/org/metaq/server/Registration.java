package org.metaq.server;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.Broker;
import org.metaq.server.config.ConfigException;
import org.metaq.server.config.ConfigFile;
import org.metaq.server.config.ServerConfig;
import org.metaq.server.discovery.RegistrySettings;
import org.metaq.server.discovery.ZooKeeperRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A broker's registration in ZooKeeper, if it was told to register. Thread-safe. */
final class Registration implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Registration.class);

    private final @Nullable ZooKeeperRegistry registry;

    private Registration(@Nullable ZooKeeperRegistry registry) {
        this.registry = registry;
    }

    /**
     * Starts to register; the topics come with the writer's first turn.
     *
     * @param url what clients connect to
     * @param broker its writer thread must not have been started yet; null: there is none
     * @param onConflict hears why the broker cannot be registered, on some thread
     * @throws ConfigException if {@code zk.zkConnect} or {@code zk.zkRoot} is not valid
     */
    static Registration start(
            ServerConfig config,
            String url,
            @Nullable Broker broker,
            Consumer<Throwable> onConflict) {
        if (broker == null || !config.zookeeper().enabled()) {
            return new Registration(null);
        }
        ZooKeeperRegistry registry;
        try {
            registry = ZooKeeperRegistry.start(settings(config, url), config.checksum());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "[zookeeper] cannot be used: "
                            + e.getMessage()
                            + "; zk.zkConnect is host:port,host:port",
                    e);
        }
        broker.onTopicsChanged(registry::topics);
        var unused =
                registry.registered()
                        .exceptionally(
                                cause -> {
                                    LOG.error(
                                            "broker-not-registered reason=\"{}\"",
                                            cause.getMessage());
                                    onConflict.accept(cause);
                                    return null;
                                });
        return new Registration(registry);
    }

    private static RegistrySettings settings(ServerConfig config, String url) {
        ServerConfig.ZooKeeper zookeeper = config.zookeeper();
        return new RegistrySettings(
                zookeeper.connect(),
                zookeeper.root(),
                Math.toIntExact(zookeeper.sessionTimeoutMs()),
                Math.toIntExact(zookeeper.connectionTimeoutMs()),
                zookeeper.syncTimeMs(),
                config.broker().brokerId(),
                url);
    }

    /** Completed when the first try is decided; see {@link BrokerServer#discoverable}. */
    CompletableFuture<Void> settled() {
        return registry == null ? CompletableFuture.completedFuture(null) : registry.settled();
    }

    /** Another file holds now. */
    void reloaded(ConfigFile file) {
        if (registry != null) {
            registry.configChecksum(file.checksum());
        }
    }

    /** Removes the broker from ZooKeeper; waits at most some seconds. */
    @Override
    public void close() {
        if (registry != null) {
            registry.close();
        }
    }
}
