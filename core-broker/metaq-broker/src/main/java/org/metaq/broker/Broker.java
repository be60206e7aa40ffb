package org.metaq.broker;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Applied;
import org.metaq.broker.state.BrokerState;
import org.metaq.broker.state.RecordType;
import org.metaq.broker.state.Records;
import org.metaq.broker.state.Subscription;
import org.metaq.broker.state.Topic;
import org.metaq.broker.state.Views;
import org.metaq.common.BranchId;
import org.metaq.common.Clock;
import org.metaq.common.PhysicalName;
import org.metaq.protocol.Command;
import org.metaq.protocol.CommandCodec;
import org.metaq.protocol.ErrorCode;
import org.metaq.store.io.StoreDirectory;
import org.metaq.store.journal.BusyException;
import org.metaq.store.journal.Journal;
import org.metaq.store.journal.JournalOptions;
import org.metaq.store.journal.JournalRecord.Need;
import org.metaq.store.journal.Receipt;
import org.metaq.store.journal.Result;
import org.metaq.store.journal.Role;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broker. Confined to the writer thread.
 *
 * <p>The caller's duties, in order: {@link #open}; then again and again {@link #connect}, {@link
 * #submit}, {@link #disconnect} for what came from the network, and one {@link #doWork} behind a
 * batch of them, no later than {@link #nextDeadlineNs}; {@link #close}. Any exception out of these
 * methods is the end of this broker: nothing may be submitted any more, the process must stop.
 */
public final class Broker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Broker.class);

    /** Bodies in a batch that more than one message shares, bytes. */
    private static final int BATCH_LENGTH_MAX = 2 * 1024 * 1024;

    private final BrokerContext context;
    private final Journal journal;
    private final Views views;
    private final Checkpoints checkpoints;
    private final Deliveries deliveries;
    private final Transactions transactions;
    private final TopicFlush flush;
    private final Sends sends;
    private final BrokerAdmin admin;
    private final LargeSends largeSends;
    private final Subscriptions subscriptions;
    private final ClassicStats stats;
    private final FilteredReads filtered = new FilteredReads();
    private final ClassicReads reads;
    private final ClassicTransactions classicTransactions;
    private final ClientIds clientIds = new ClientIds();

    /** Answers that come behind the deliveries of the same cycle; see {@link #doWork}. */
    private final List<Runnable> afterWork = new ArrayList<>();

    private long epoch;
    private int nextConnection = 1;
    private AdminHandler adminHandler =
            reply -> reply.refused("this broker has no configuration file");
    private Consumer<List<TopicRegistration>> topicListener = topics -> {};
    private @Nullable List<TopicRegistration> lastTopics;
    private int lastTopicCount;
    private boolean topicsMayDiffer = true;

    /** What answering a command threw in this turn. */
    private @Nullable Throwable completionFailure;

    private Broker(BrokerContext context, Journal journal, Views views, Checkpoints checkpoints) {
        this.context = context;
        this.journal = journal;
        this.views = views;
        this.checkpoints = checkpoints;
        this.deliveries = new Deliveries(context);
        this.transactions = new Transactions(context, deliveries);
        this.stats = new ClassicStats(context);
        this.reads = new ClassicReads(context, stats, filtered);
        this.classicTransactions = new ClassicTransactions(transactions, stats);
        this.flush = new TopicFlush(context);
        this.sends = new Sends(context, transactions, stats, flush);
        this.admin = new BrokerAdmin(context, transactions, stats, checkpoints);
        this.largeSends = new LargeSends(context, transactions, sends);
        this.subscriptions = new Subscriptions(context, deliveries);
        transactions.onTemporaryCommit(sends::commitTemporary);
    }

    /**
     * Opens the store, recovers, starts an epoch.
     *
     * @param background runs the slow part of checkpoints, one at a time
     * @throws org.metaq.store.StoreException if the store cannot be opened or is damaged
     */
    public static Broker open(
            BrokerConfig config,
            JournalOptions journalOptions,
            StoreDirectory directory,
            Clock clock,
            Executor background) {
        StoreViews views = new StoreViews(directory, config.maxSegmentSizeBytes());
        Journal journal = views.openJournal(journalOptions);
        return openOver(config, views, journal, directory, clock, background);
    }

    /**
     * As {@link #open}, over a journal and views of the caller's: a replicated journal, or a model.
     *
     * @param directory where free space is looked at
     */
    public static Broker openOver(
            BrokerConfig config,
            Views views,
            Journal journal,
            StoreDirectory directory,
            Clock clock,
            Executor background) {
        StateEvents events = new StateEvents();
        BrokerState state =
                new BrokerState(
                        views,
                        events,
                        config.outcomeRetentionMs(),
                        config.transactionMemoryBytes());
        BrokerContext context = new BrokerContext(config, clock, directory, state);
        RoleHolder role = new RoleHolder();
        journal.start(state, role);
        Checkpoints checkpoints = new Checkpoints(state, journal, background, clock, config);
        Broker broker = new Broker(context, journal, views, checkpoints);
        events.context = context;
        events.deliveries = broker.deliveries;
        broker.startEpoch(role.leading());
        broker.reconfigure(config.topics());
        return broker;
    }

    /** Hears what records change; deaf while the journal is replayed, when nobody waits. */
    private static final class StateEvents implements BrokerState.Listener {
        private @Nullable BrokerContext context;
        private @Nullable Deliveries deliveries;

        @Override
        public void available(Topic topic) {
            if (context != null) {
                context.ready.add(topic);
            }
        }

        @Override
        public void removed(Subscription subscription) {
            if (deliveries != null) {
                deliveries.removed(subscription);
            }
        }
    }

    private static final class RoleHolder implements Consumer<Role> {
        private @Nullable Role role;

        @Override
        public void accept(Role newRole) {
            role = newRole;
        }

        long leading() {
            if (role instanceof Role.Leading leading) {
                return leading.epoch();
            }
            throw new IllegalStateException("this broker does not lead: " + role);
        }
    }

    private void startEpoch(long newEpoch) {
        epoch = newEpoch;
        largeSends.startEpoch(newEpoch);
        Records.epoch(context.batch.body(), context.config.brokerId());
        context.batch.add(RecordType.EPOCH, Need.SYNC, BrokerContext::ignore);
        doWork();
        LOG.info(
                "epoch={} topics={} branches={} lastTime={}",
                epoch,
                context.state.topics().size(),
                context.state.branches().size(),
                context.state.timeMs());
    }

    /** The epoch that this broker leads, &gt;= 1. */
    public long epoch() {
        return epoch;
    }

    /** What records have changed so far: for tests and status, to be read only. */
    public BrokerState state() {
        return context.state;
    }

    /**
     * Tells where clients reach this broker, for {@code stats} and error texts.
     *
     * @param url {@code meta://host:port}
     */
    public void listeningOn(String url, int port) {
        stats.listeningOn(url, port);
    }

    /**
     * Tells the configuration file, for {@code stats}.
     *
     * @param checksum CRC-32 of its bytes, which need not be those of the text in UTF-8
     */
    public void configText(String text, long checksum) {
        stats.configText(text, checksum);
    }

    /** Tells where server-side filters come from; without it there are none. */
    public void filters(Filters filters) {
        filtered.filters(filters);
    }

    // ---- operators

    /** What operators see of this broker and do with it. */
    public BrokerAdmin admin() {
        return admin;
    }

    /** Who does what clients ask of the process around this broker; until then it is refused. */
    public void adminHandler(AdminHandler handler) {
        adminHandler = handler;
    }

    private void reload(BrokerConnection connection, Command.Reload c) {
        Answer answer = Answer.to(connection, c.opaque());
        if (!connection.link().isLocal()) {
            answer.refused(
                    ErrorCode.FORBIDDEN,
                    "reload is for clients on the broker's own machine, over its loopback address");
            return;
        }
        adminHandler.reload(
                new AdminHandler.Reply() {
                    @Override
                    public void ok(String text) {
                        answer.ok(text);
                    }

                    @Override
                    public void refused(String text) {
                        answer.refused(ErrorCode.BAD_REQUEST, text);
                    }
                });
    }

    // ---- topics

    /**
     * Takes a new configuration of topics: creates those that it names, adds partitions where it
     * asks for more, and goes by its settings from now on. Partitions are never taken away.
     *
     * @return what is not as the catalog says, a sentence each
     */
    public List<String> reconfigure(TopicCatalog catalog) {
        context.catalog = catalog;
        List<String> deviations = new ArrayList<>();
        for (String name : catalog.names()) {
            Topic topic = context.state.topic(name);
            if (topic == null || topic.partitions().size() < catalog.of(name).numPartitions()) {
                subscriptions.createTopic(name, applied -> noteRefusal(name, applied, deviations));
            }
        }
        applyNow();
        noteSurplusPartitions(catalog, deviations);
        topicsMayDiffer = true;
        return deviations;
    }

    private static void noteRefusal(String name, Applied applied, List<String> deviations) {
        if (applied instanceof Applied.Refused refused) {
            deviations.add(name + " was not created or enlarged: " + refused.text());
        }
    }

    private void noteSurplusPartitions(TopicCatalog catalog, List<String> deviations) {
        for (Topic topic : context.state.topics()) {
            int wanted = catalog.of(topic.text()).numPartitions();
            int count = topic.partitions().size();
            if (catalog.isConfigured(topic.text()) && wanted < count) {
                deviations.add(
                        "%s keeps its %d partitions: numPartitions = %d takes none away"
                                .formatted(topic, count, wanted));
            }
        }
    }

    /**
     * Hears, in {@link #doWork}, which topics there are, at first and whenever that changed; not of
     * temporary ones.
     */
    public void onTopicsChanged(Consumer<List<TopicRegistration>> listener) {
        topicListener = listener;
        lastTopics = null;
        topicsMayDiffer = true;
    }

    private void tellTopics() {
        if (!topicsMayDiffer && context.state.topics().size() == lastTopicCount) {
            return;
        }
        topicsMayDiffer = false;
        lastTopicCount = context.state.topics().size();
        List<TopicRegistration> topics = new ArrayList<>();
        for (Topic topic : context.state.topics()) {
            if (topic.name().kind().isTemporary() || !context.isServed(topic)) {
                continue;
            }
            TopicSettings settings = context.catalog.of(topic.text());
            topics.add(
                    new TopicRegistration(
                            topic.text(),
                            topic.partitions().size(),
                            settings.acceptPublish(),
                            settings.acceptSubscribe()));
        }
        if (!topics.equals(lastTopics)) {
            lastTopics = topics;
            topicListener.accept(topics);
        }
    }

    // ---- what an operator does

    /**
     * Commits or rolls back an in-doubt branch. Durable when answered.
     *
     * @param answer gets why it was refused, or an empty text, in a later {@link #doWork}
     */
    public void settleByHand(BranchId branch, boolean commits, Consumer<String> answer) {
        if (transactions.isUnderWay(branch)) {
            applyNow();
        }
        transactions.settleByHand(branch, commits, textTo(answer));
    }

    /** Forgets what an operator decided over a branch; {@code answer} as {@link #settleByHand}. */
    public void forget(BranchId branch, Consumer<String> answer) {
        if (transactions.isUnderWay(branch)) {
            applyNow();
        }
        transactions.forget(branch, textTo(answer));
    }

    /**
     * Closes partitions to sends and reads, or opens them. Durable when answered.
     *
     * @param first lowest number, inclusive
     * @param last highest number, inclusive; numbers that do not exist are passed over
     * @param answer as {@link #settleByHand}
     */
    public void closePartitions(
            String topic, int first, int last, boolean isClosed, Consumer<String> answer) {
        Records.closePartitions(context.batch.body(), topic, first, last, isClosed);
        context.batch.add(RecordType.CLOSE_PARTITIONS, Need.SYNC, textTo(answer).whenApplied(""));
    }

    private static Answer textTo(Consumer<String> answer) {
        return new Answer() {
            @Override
            public void ok(String text) {
                answer.accept("");
            }

            @Override
            public void refused(ErrorCode code, String text) {
                answer.accept(code.name() + " " + text);
            }
        };
    }

    // ---- connections

    /** A client connected. */
    public BrokerConnection connect(ClientLink link) {
        stats.connected();
        return new BrokerConnection(
                context.config.brokerId() + "-" + epoch + "-" + nextConnection++, link);
    }

    /** A connection is gone: what it held is released. */
    public void disconnect(BrokerConnection connection) {
        if (connection.isGone) {
            return;
        }
        connection.isGone = true;
        stats.disconnected();
        largeSends.disconnected(connection);
        transactions.disconnected(connection);
        subscriptions.disconnected(connection);
        clientIds.release(connection);
    }

    // ---- commands

    /**
     * Takes a command. Replies go to the connection's link, now or in a later {@link #doWork}; a
     * body is copied before this returns.
     */
    public void submit(BrokerConnection connection, Command command) {
        if (connection.isGone) {
            return;
        }
        dispatch(connection, command);
        if (context.batch.length() > BATCH_LENGTH_MAX) {
            applyNow();
        }
    }

    /**
     * As {@link #submit}, for a message that is too large to be handed over whole: pieces of its
     * body follow with {@link #sendPart}, with no other command of the connection between them. It
     * is answered once, at the latest with the last piece.
     *
     * @param head the command without its body
     * @param bodyLength &gt;= 1
     */
    public void beginSend(BrokerConnection connection, Command.Send head, int bodyLength) {
        if (!connection.isGone) {
            largeSends.begin(connection, head, bodyLength);
        }
    }

    /**
     * The next piece of the message that the connection sends; the body ends with the piece that
     * completes its length.
     *
     * @param piece 1 byte to 128 KiB, copied before this returns
     */
    public void sendPart(BrokerConnection connection, ByteBuffer piece) {
        if (!connection.isGone) {
            makeRoom(piece.remaining());
            largeSends.part(connection, piece);
        }
    }

    private void dispatch(BrokerConnection connection, Command command) {
        if (command instanceof Command.Send c && connection.isOpen) {
            makeRoom(c.body().remaining());
            sends.send(connection, c);
        } else if (command instanceof Command.Acquire c && connection.isOpen) {
            deliveries.acquire(connection, c);
        } else if (command instanceof Command.Acknowledge c && connection.isOpen) {
            deliveries.acknowledge(connection, c);
        } else if (isClassic(connection, command)) {
            return;
        } else if (command instanceof Command.Open c) {
            open(connection, c);
        } else if (command instanceof Command.Reload c) {
            reload(connection, c);
        } else if (!connection.isOpen) {
            BrokerContext.error(
                    connection,
                    command.opaque(),
                    ErrorCode.UNAUTHORIZED,
                    "the connection must send 'open' first");
        } else if (!submitTransaction(connection, command)) {
            submitSession(connection, command);
        }
    }

    private boolean isClassic(BrokerConnection connection, Command command) {
        if (command instanceof Command.Put c) {
            put(connection, c);
        } else if (command instanceof Command.Get c) {
            reads.get(connection, c);
        } else if (command instanceof Command.Offset c) {
            reads.offset(connection, c);
        } else if (command instanceof Command.Version c) {
            afterWork.add(() -> stats.version(connection, c));
        } else if (command instanceof Command.Stats c) {
            stats.stats(connection, c);
        } else if (command instanceof Command.OffsetOfTime c) {
            reads.offsetOfTime(connection, c);
        } else if (command instanceof Command.Transaction c) {
            classicTransaction(connection, c);
        } else if (command instanceof Command.Sync c) {
            connection
                    .link()
                    .result(c.opaque(), 503, "sync is not for this broker: it is no slave");
        } else if (command instanceof Command.Quit) {
            connection.link().close("quit");
        } else {
            return false;
        }
        return true;
    }

    private void classicTransaction(BrokerConnection connection, Command.Transaction c) {
        BranchId branch = c.branch();
        if (branch == null) {
            afterWork.add(() -> classicTransactions.handle(connection, c));
            return;
        }
        if (transactions.isUnderWay(branch)) {
            applyNow();
        }
        classicTransactions.handle(connection, c);
    }

    /** MetaQ creates a topic's partitions at their first put; so does this, where it is allowed. */
    private void put(BrokerConnection connection, Command.Put c) {
        if (context.topic(c.topic()) == null && context.mayServe(c.topic()) && isName(c.topic())) {
            subscriptions.createTopic(c.topic(), BrokerContext::ignore);
            applyNow();
        }
        makeRoom(c.body().remaining());
        sends.put(connection, c);
    }

    /** A batch with a large message gets no other: the journal limits how long a batch may be. */
    private void makeRoom(int bodyLength) {
        if (context.batch.length() + (long) bodyLength > BATCH_LENGTH_MAX) {
            applyNow();
        }
    }

    private static boolean isName(String topic) {
        try {
            return !PhysicalName.parse(topic).kind().isTemporary();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private boolean submitTransaction(BrokerConnection connection, Command command) {
        BranchId branch = branchOf(command);
        if (branch == null) {
            return false;
        }
        if (transactions.isUnderWay(branch)) {
            applyNow();
        }
        Answer answer = Answer.to(connection, command.opaque());
        if (command instanceof Command.Begin c) {
            transactions.begin(connection, c, answer);
        } else if (command instanceof Command.End c) {
            transactions.end(connection, c, answer);
        } else if (command instanceof Command.Prepare c) {
            transactions.prepare(connection, c, answer);
        } else if (command instanceof Command.Commit c) {
            transactions.commit(connection, c, answer);
        } else if (command instanceof Command.Rollback c) {
            transactions.rollback(connection, c, answer);
        } else if (command instanceof Command.Forget c) {
            transactions.forget(c.branch(), answer);
        }
        return true;
    }

    private static @Nullable BranchId branchOf(Command command) {
        if (command instanceof Command.Begin c) {
            return c.branch();
        } else if (command instanceof Command.End c) {
            return c.branch();
        } else if (command instanceof Command.Prepare c) {
            return c.branch();
        } else if (command instanceof Command.Commit c) {
            return c.branch();
        } else if (command instanceof Command.Rollback c) {
            return c.branch();
        } else if (command instanceof Command.Forget c) {
            return c.branch();
        }
        return null;
    }

    private void submitSession(BrokerConnection connection, Command command) {
        if (command instanceof Command.Release c) {
            deliveries.release(connection, c);
        } else if (command instanceof Command.Resolve c) {
            subscriptions.resolve(connection, c);
        } else if (command instanceof Command.CreateTemporary c) {
            subscriptions.createTemporary(connection, c);
        } else if (command instanceof Command.DeleteTemporary c) {
            subscriptions.deleteTemporary(connection, c);
        } else if (command instanceof Command.Subscribe c) {
            subscriptions.subscribe(connection, c);
        } else if (command instanceof Command.CloseConsumer c) {
            subscriptions.closeConsumer(connection, c);
        } else if (command instanceof Command.Unsubscribe c) {
            subscriptions.unsubscribe(connection, c);
        } else if (command instanceof Command.SetClientId c) {
            setClientId(connection, c);
        } else if (command instanceof Command.Recover c) {
            afterWork.add(() -> transactions.recover(null, Answer.to(connection, c.opaque())));
        } else {
            throw new IllegalStateException("no one takes " + command);
        }
    }

    private void open(BrokerConnection connection, Command.Open c) {
        if (connection.isOpen) {
            BrokerContext.error(
                    connection,
                    c.opaque(),
                    ErrorCode.BAD_REQUEST,
                    "the connection is open already");
        } else if (c.version() != CommandCodec.PROTOCOL_VERSION) {
            BrokerContext.error(
                    connection,
                    c.opaque(),
                    ErrorCode.BAD_REQUEST,
                    "protocol version "
                            + c.version()
                            + " is not spoken here; this is version "
                            + CommandCodec.PROTOCOL_VERSION);
        } else if (!clientIds.claim(connection, c.clientId())) {
            clientIdInUse(connection, c.clientId(), c.opaque());
        } else {
            connection.isOpen = true;
            BrokerContext.ok(
                    connection,
                    c.opaque(),
                    connection.id()
                            + " "
                            + context.config.brokerId()
                            + " "
                            + epoch
                            + " "
                            + context.config.maxMessageSizeBytes());
        }
    }

    private void setClientId(BrokerConnection connection, Command.SetClientId c) {
        if (!connection.clientId.isEmpty() || c.clientId().isEmpty()) {
            BrokerContext.error(
                    connection,
                    c.opaque(),
                    ErrorCode.BAD_REQUEST,
                    c.clientId().isEmpty()
                            ? "a client id must not be empty"
                            : "the connection has the client id '" + connection.clientId + "'");
        } else if (clientIds.claim(connection, c.clientId())) {
            BrokerContext.ok(connection, c.opaque(), "");
        } else {
            clientIdInUse(connection, c.clientId(), c.opaque());
        }
    }

    private static void clientIdInUse(BrokerConnection connection, String clientId, int opaque) {
        BrokerContext.error(
                connection,
                opaque,
                ErrorCode.CLIENT_ID_IN_USE,
                "another connection has the client id '" + clientId + "'");
    }

    // ---- duty cycle

    /**
     * Appends what was submitted, applies what the journal has, answers, runs timers. A {@code
     * version} or {@code recover} is answered last: behind what commands before it make available,
     * so that it can serve a client as a barrier.
     *
     * @return how much was done; 0: nothing to do before {@link #nextDeadlineNs}
     */
    public int doWork() {
        int work = checkpoints.doWork() + filtered.doWork();
        transactions.expire(context.clock.monotonicNs());
        flush.forceDue(context.clock.monotonicNs());
        do {
            work += appendAndApply();
            deliveries.deliverReady();
        } while (!context.batch.isEmpty());
        deliveries.expire(context.clock.monotonicNs());
        tellTopics();
        afterWork.forEach(Runnable::run);
        afterWork.clear();
        return work;
    }

    /** Applies what was submitted, for a command that must see its effect. */
    private void applyNow() {
        while (!context.batch.isEmpty()) {
            appendAndApply();
        }
    }

    private int appendAndApply() {
        if (!context.batch.isEmpty()) {
            deliveries.addMarks(sends.sentTo());
            sends.sentTo().clear();
            long timeMs = Math.max(context.state.timeMs(), context.clock.wallMs());
            List<Consumer<Applied>> waiting = context.batch.takeCompletions();
            Receipt receipt;
            try {
                receipt = journal.append(context.batch.build(epoch, timeMs));
            } catch (BusyException e) {
                context.batch.clear();
                RecordBatch.fail(waiting, ErrorCode.BUSY, String.valueOf(e.getMessage()));
                return 1;
            }
            context.batch.clear();
            receipt.applied()
                    .whenComplete((results, failure) -> complete(waiting, results, failure));
        }
        int work = journal.doWork(context.clock.monotonicNs());
        throwCompletionFailure();
        return work;
    }

    /**
     * A stage keeps what its dependents throw to itself; here it is the end of the broker, since
     * those behind in the batch were not answered.
     */
    private void complete(
            List<Consumer<Applied>> waiting,
            @Nullable List<Result> results,
            @Nullable Throwable failure) {
        try {
            if (results != null) {
                RecordBatch.complete(waiting, results);
            } else {
                RecordBatch.fail(waiting, ErrorCode.UNKNOWN_OUTCOME, String.valueOf(failure));
            }
        } catch (RuntimeException | Error e) {
            completionFailure = e;
        }
    }

    private void throwCompletionFailure() {
        Throwable failure = completionFailure;
        completionFailure = null;
        if (failure instanceof Error error) {
            throw error;
        } else if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** Monotonic time at which {@link #doWork} must be called at the latest. */
    public long nextDeadlineNs() {
        long next = Math.min(deliveries.nextDeadlineNs(), transactions.nextDeadlineNs());
        next = Math.min(next, flush.nextDeadlineNs());
        return Math.min(next, context.clock.monotonicNs() + checkpoints.maxIdleNs());
    }

    /** Clean stop: a last checkpoint, then closes the store. The background must be idle. */
    @Override
    public void close() {
        doWork();
        checkpoints.finish();
        journal.close();
        context.state.close();
        views.close();
    }
}
