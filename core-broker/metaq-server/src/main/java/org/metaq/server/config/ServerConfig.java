package org.metaq.server.config;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.BrokerConfig;
import org.metaq.broker.TopicCatalog;
import org.metaq.broker.TopicSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything a broker process is told, checked. Immutable.
 *
 * @param broker what the broker core needs
 * @param network sockets and memory for what is under way
 * @param storage where and how durably it stores
 * @param zookeeper where it registers for classic clients
 * @param security who may connect
 * @param inDoubtAlarmAgeMs age from which an in-doubt branch is warned of; 0: none is
 * @param appClassPath directory of the classes and jars of filters; it need not exist
 * @param file the {@code server.ini} that it was read from; null if there was none
 */
public record ServerConfig(
        BrokerConfig broker,
        Network network,
        Storage storage,
        ZooKeeper zookeeper,
        Security security,
        long inDoubtAlarmAgeMs,
        Path appClassPath,
        @Nullable ConfigFile file) {
    /**
     * Discovery.
     *
     * @param enabled whether the broker registers; if not, it runs alone
     * @param connect ZooKeeper's {@code host:port,…}
     * @param root path below which everything is, such as {@code /meta}
     * @param sessionTimeoutMs time without a heartbeat after which ZooKeeper drops the broker
     * @param connectionTimeoutMs longest time to connect
     * @param syncTimeMs time between two attempts to register
     */
    public record ZooKeeper(
            boolean enabled,
            String connect,
            String root,
            long sessionTimeoutMs,
            long connectionTimeoutMs,
            long syncTimeMs) {
        /** A broker that runs alone. */
        public static final ZooKeeper NONE =
                new ZooKeeper(false, "", "/meta", 30_000, 30_000, 5_000);

        /** The same, at another ZooKeeper. */
        ZooKeeper at(String newConnect) {
            return new ZooKeeper(
                    true, newConnect, root, sessionTimeoutMs, connectionTimeoutMs, syncTimeMs);
        }
    }

    /**
     * Sockets.
     *
     * @param hostName name that clients are told; empty: the machine's
     * @param bindAddress address to listen on
     * @param port 0..65535; 0: any free one
     * @param maxInflightBytes budget of commands that are not yet applied
     * @param clientIdleTimeoutMs silence after which a JMS connection is dead; 0: never
     * @param eventLoops threads that serve the sockets; 0: the writer's own
     * @param writerSpinMicros spin of the writer before it parks
     */
    public record Network(
            String hostName,
            String bindAddress,
            int port,
            long maxInflightBytes,
            long clientIdleTimeoutMs,
            int eventLoops,
            long writerSpinMicros) {
        /**
         * Name or address that clients are told: the first of hostName, bindAddress, the machine's.
         */
        public String advertisedHost() {
            if (!hostName.isEmpty()) {
                return hostName;
            }
            boolean isWildcard = bindAddress.equals("0.0.0.0") || bindAddress.equals("::");
            return isWildcard ? firstAddress() : bindAddress;
        }

        /** As MetaQ: the first IPv4 address that is not the machine's own loopback. */
        private static String firstAddress() {
            try {
                return NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .filter(a -> a instanceof Inet4Address && !a.isLoopbackAddress())
                        .map(InetAddress::getHostAddress)
                        .findFirst()
                        .orElse("127.0.0.1");
            } catch (SocketException e) {
                LOG.warn("config-note hostName is not set and the interfaces cannot be listed", e);
                return "127.0.0.1";
            }
        }
    }

    /**
     * Storage.
     *
     * @param dataPath data directory
     * @param dataLogPath directory in which the journal of a new data directory is made
     * @param flushTxLogAtCommit MetaQ's 0, 1 or 2
     * @param unflushThreshold MetaQ's; 0: force before each reply
     * @param unflushIntervalMs longest time between forces
     * @param journalSegmentSizeBytes length of a journal file
     */
    public record Storage(
            Path dataPath,
            Path dataLogPath,
            int flushTxLogAtCommit,
            int unflushThreshold,
            long unflushIntervalMs,
            long journalSegmentSizeBytes) {}

    /**
     * Who may connect.
     *
     * @param users file of the users; null: every user is accepted
     * @param allowAnonymous whether connections without a user are served
     */
    public record Security(@Nullable Path users, boolean allowAnonymous) {}

    private static final Logger LOG = LoggerFactory.getLogger(ServerConfig.class);

    /** Up to so many processors the writer serves the sockets itself. */
    private static final int PROCESSORS_FEW = 4;

    private static final long INFLIGHT_DEFAULT_MAX = 64L << 20;

    /** CRC-32 of the file that it was read from; 0 if there was none. */
    public long checksum() {
        return file == null ? 0 : file.checksum();
    }

    /** This configuration, but registering at another ZooKeeper, {@code host:port}. */
    public ServerConfig registeringAt(String connect) {
        return new ServerConfig(
                broker,
                network,
                storage,
                zookeeper.at(connect),
                security,
                inDoubtAlarmAgeMs,
                appClassPath,
                file);
    }

    /** A builder in which every key has its default. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects values; confined to its thread. */
    public static final class Builder {
        private final Map<ConfigKey, String> values = new EnumMap<>(ConfigKey.class);
        private @Nullable ConfigFile file;

        private Builder() {}

        /** Takes over everything that a file says; what is set after this goes before it. */
        public Builder file(ConfigFile newFile) {
            file = newFile;
            values.putAll(newFile.system());
            return this;
        }

        /**
         * Sets a key as {@code server.ini} would.
         *
         * @throws ConfigException if the value is not valid
         */
        public Builder set(ConfigKey key, String value) {
            key.spec().check(value);
            values.put(key, value.trim());
            return this;
        }

        /** Sets {@link ConfigKey#DATA_PATH}. */
        public Builder dataPath(Path path) {
            return set(ConfigKey.DATA_PATH, path.toString());
        }

        /** Sets {@link ConfigKey#SERVER_PORT}; 0: any free one. */
        public Builder port(int port) {
            return set(ConfigKey.SERVER_PORT, Integer.toString(port));
        }

        /** Sets {@link ConfigKey#BIND_ADDRESS}. */
        public Builder bindAddress(String address) {
            return set(ConfigKey.BIND_ADDRESS, address);
        }

        /**
         * The configuration.
         *
         * @throws ConfigException if values contradict each other
         */
        public ServerConfig build() {
            long maxMessageSize = number(ConfigKey.MAX_MESSAGE_SIZE);
            if (number(ConfigKey.MAX_TRANSACTION_SIZE) < maxMessageSize) {
                throw new ConfigException(
                        "maxTransactionSize = "
                                + number(ConfigKey.MAX_TRANSACTION_SIZE)
                                + " is below maxMessageSize = "
                                + maxMessageSize
                                + "; a transaction must hold at least one message");
            }
            return new ServerConfig(
                    broker(),
                    network(),
                    storage(),
                    zookeeper(),
                    security(),
                    number(ConfigKey.IN_DOUBT_ALARM_AGE),
                    appClassPath(),
                    file);
        }

        private BrokerConfig broker() {
            return new BrokerConfig(
                    Math.toIntExact(number(ConfigKey.BROKER_ID)),
                    topics(),
                    flag(ConfigKey.AUTO_CREATE_DESTINATIONS),
                    Math.toIntExact(number(ConfigKey.MAX_MESSAGE_SIZE)),
                    number(ConfigKey.MAX_TRANSACTION_SIZE),
                    number(ConfigKey.TRANSACTION_MEMORY),
                    number(ConfigKey.MAX_TX_TIMEOUT) * 1000,
                    number(ConfigKey.OUTCOME_RETENTION),
                    Math.toIntExact(number(ConfigKey.OUTCOME_COUNT)),
                    number(ConfigKey.CHECKPOINT_BYTES),
                    number(ConfigKey.CHECKPOINT_INTERVAL),
                    number(ConfigKey.MAX_SEGMENT_SIZE),
                    Math.toIntExact(number(ConfigKey.MAX_TRANSFER_SIZE)),
                    flag(ConfigKey.UPDATE_CONSUMER_OFFSETS),
                    number(ConfigKey.MIN_FREE_SPACE));
        }

        private TopicCatalog topics() {
            Map<TopicKey, String> inherited = new EnumMap<>(TopicKey.class);
            for (TopicKey key : TopicKey.values()) {
                inherited.put(key, text(key.system()));
            }
            inherited.remove(TopicKey.DATA_PATH);
            TopicSettings defaults =
                    new TopicSection(inherited, Map.of()).over(TopicSettings.defaults(1));
            return file == null ? new TopicCatalog(defaults, Map.of()) : file.catalog(defaults);
        }

        /** A broker registers when a section asks for it, and alone it needs none. */
        private ZooKeeper zookeeper() {
            ConfigFile from = file;
            if (from == null || !from.hasZooKeeper()) {
                return ZooKeeper.NONE;
            }
            if (!ZooKeeperKey.ENABLE.spec().flag(text(from, ZooKeeperKey.ENABLE))) {
                return ZooKeeper.NONE;
            }
            String connect = text(from, ZooKeeperKey.CONNECT);
            if (connect.isBlank()) {
                throw new ConfigException(
                        from.path()
                                + ": [zookeeper] needs zk.zkConnect = host:port; a broker that runs"
                                + " alone has zk.zkEnable = false, or no such section");
            }
            return new ZooKeeper(
                    true,
                    connect,
                    text(from, ZooKeeperKey.ROOT),
                    number(from, ZooKeeperKey.SESSION_TIMEOUT),
                    number(from, ZooKeeperKey.CONNECTION_TIMEOUT),
                    number(from, ZooKeeperKey.SYNC_TIME));
        }

        private static String text(ConfigFile from, ZooKeeperKey key) {
            return from.zookeeper().getOrDefault(key, key.spec().defaultValue());
        }

        private static long number(ConfigFile from, ZooKeeperKey key) {
            return key.spec().number(text(from, key));
        }

        /** As MetaQ: {@code provided} beside the directory of the file. */
        private Path appClassPath() {
            String text = text(ConfigKey.APP_CLASS_PATH);
            if (!text.isEmpty()) {
                return HomePath.of(text);
            }
            Path directory = file == null ? null : file.path().toAbsolutePath().getParent();
            return directory == null
                    ? Path.of("provided")
                    : directory.resolve("..").resolve("provided").normalize();
        }

        private Security security() {
            String text = text(ConfigKey.USERS);
            boolean allowAnonymous = flag(ConfigKey.ALLOW_ANONYMOUS);
            if (text.isEmpty() && !allowAnonymous) {
                throw new ConfigException(
                        "allowAnonymous = false needs users = FILE: without a users file any user"
                                + " is accepted");
            }
            return new Security(text.isEmpty() ? null : besideFile(text), allowAnonymous);
        }

        private Path besideFile(String text) {
            Path path = HomePath.of(text);
            Path directory = file == null ? null : file.path().toAbsolutePath().getParent();
            return directory == null ? path : directory.resolve(path).normalize();
        }

        private Network network() {
            long inflight = number(ConfigKey.MAX_INFLIGHT_BYTES);
            if (inflight == 0) {
                inflight = Math.min(INFLIGHT_DEFAULT_MAX, Runtime.getRuntime().maxMemory() / 4);
            }
            return new Network(
                    text(ConfigKey.HOST_NAME),
                    text(ConfigKey.BIND_ADDRESS),
                    Math.toIntExact(number(ConfigKey.SERVER_PORT)),
                    inflight,
                    number(ConfigKey.CLIENT_IDLE_TIMEOUT),
                    eventLoops(),
                    number(ConfigKey.WRITER_SPIN));
        }

        /** Two cores have more to do than to wake each other. */
        private int eventLoops() {
            int configured = Math.toIntExact(number(ConfigKey.EVENT_LOOPS));
            boolean isSmall = Runtime.getRuntime().availableProcessors() <= PROCESSORS_FEW;
            return configured >= 0 ? configured : isSmall ? 0 : 2;
        }

        private Storage storage() {
            Path dataPath = HomePath.of(text(ConfigKey.DATA_PATH));
            String dataLogPath = text(ConfigKey.DATA_LOG_PATH);
            return new Storage(
                    dataPath,
                    dataLogPath.isEmpty() ? dataPath : HomePath.of(dataLogPath),
                    Math.toIntExact(number(ConfigKey.FLUSH_TX_LOG_AT_COMMIT)),
                    Math.toIntExact(Math.max(0, number(ConfigKey.UNFLUSH_THRESHOLD))),
                    number(ConfigKey.UNFLUSH_INTERVAL),
                    number(ConfigKey.JOURNAL_SEGMENT_SIZE));
        }

        private String text(ConfigKey key) {
            return values.getOrDefault(key, key.spec().defaultValue());
        }

        private long number(ConfigKey key) {
            return key.spec().number(text(key));
        }

        private boolean flag(ConfigKey key) {
            return key.spec().flag(text(key));
        }
    }
}
