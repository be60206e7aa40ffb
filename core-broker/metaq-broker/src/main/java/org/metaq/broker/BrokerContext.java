package org.metaq.broker;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Applied;
import org.metaq.broker.state.BrokerState;
import org.metaq.broker.state.Partition;
import org.metaq.broker.state.Subscription;
import org.metaq.broker.state.Topic;
import org.metaq.common.Clock;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Reply;
import org.metaq.store.io.StoreDirectory;

/** What the parts of a broker share. Confined to the writer thread. */
final class BrokerContext {
    private static final long SPACE_CHECK_INTERVAL_NS = 500_000_000L;

    final BrokerConfig config;
    final Clock clock;
    final StoreDirectory directory;
    final BrokerState state;
    final RecordBatch batch = new RecordBatch();

    /** Settings of all topics; replaced by a new configuration. */
    TopicCatalog catalog;

    /** Temporary destinations by physical name: no record knows them. */
    final Map<String, Topic> temporaryTopics = new HashMap<>();

    /** Subscriptions that no record knows, by their negative ids. */
    final Map<Long, Subscription> volatileSubscriptions = new HashMap<>();

    /** Topics with messages that consumers may wait for. */
    final Set<Topic> ready = new LinkedHashSet<>();

    /** Partitions whose delayed messages changed. */
    final Set<Partition> delayed = new LinkedHashSet<>();

    /** Delayed messages of temporary destinations. */
    final TemporaryDelays temporaryDelays = new TemporaryDelays();

    /** Reads what selectors look at. */
    final MessageHeads heads = new MessageHeads();

    private long nextVolatileId = -1;
    private long spaceCheckedNs = Long.MIN_VALUE;
    private boolean hasSpace = true;

    BrokerContext(BrokerConfig config, Clock clock, StoreDirectory directory, BrokerState state) {
        this.config = config;
        this.catalog = config.topics();
        this.clock = clock;
        this.directory = directory;
        this.state = state;
    }

    /** False for a topic that exists though no section names it and none is created on use. */
    boolean isServed(Topic topic) {
        return topic.name().kind().isTemporary() || mayServe(topic.text());
    }

    /** Whether a topic of this physical name may be created when it is used, and used. */
    boolean mayServe(String physicalName) {
        return config.autoCreate() || catalog.isConfigured(physicalName);
    }

    static String notServed(String physicalName) {
        return physicalName
                + " is not served: no section of server.ini names it, and autoCreateDestinations"
                + " is false";
    }

    long nextVolatileId() {
        return nextVolatileId--;
    }

    /** A destination by physical name, temporary or not; null if there is none. */
    @Nullable Topic topic(String physicalName) {
        Topic topic = state.topic(physicalName);
        return topic != null ? topic : temporaryTopics.get(physicalName);
    }

    /** A subscription by id, durable or not; null if there is none. */
    @Nullable Subscription subscription(long id) {
        return id > 0 ? state.subscription(id) : volatileSubscriptions.get(id);
    }

    /** True if the disk has room for more messages; looks at it twice a second. */
    boolean hasSpace() {
        long nowNs = clock.monotonicNs();
        if (spaceCheckedNs == Long.MIN_VALUE || nowNs - spaceCheckedNs > SPACE_CHECK_INTERVAL_NS) {
            spaceCheckedNs = nowNs;
            hasSpace = directory.usableBytes() >= config.minFreeBytes();
        }
        return hasSpace;
    }

    /** Time of a batch that is appended now, ms since 1970: never falls. */
    long nowMs() {
        return Math.max(state.timeMs(), clock.wallMs());
    }

    String diskFullText() {
        return "less than "
                + config.minFreeBytes()
                + " bytes (minFreeSpace) are free in "
                + directory.description()
                + ": free some space, nothing was stored";
    }

    static void ok(BrokerConnection connection, int opaque, String text) {
        connection.link().result(opaque, Reply.OK, text);
    }

    static void error(BrokerConnection connection, int opaque, ErrorCode code, String text) {
        connection.link().result(opaque, code.status(), code.name() + " " + text);
    }

    /** A completion that answers {@code okText}, or the error. */
    static Consumer<Applied> answer(BrokerConnection connection, int opaque, String okText) {
        return applied -> {
            if (applied instanceof Applied.Refused refused) {
                error(connection, opaque, refused.code(), refused.text());
            } else {
                ok(connection, opaque, okText);
            }
        };
    }

    /** True if the journal did not take the record: nothing has changed, or will. */
    static boolean isBusy(Applied applied) {
        return applied instanceof Applied.Refused refused && refused.code() == ErrorCode.BUSY;
    }

    /** A completion that nobody waits for. */
    static void ignore(Applied applied) {}
}
