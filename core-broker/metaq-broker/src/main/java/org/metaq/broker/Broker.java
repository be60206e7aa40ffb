package org.metaq.broker;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.BrokerState;
import org.metaq.broker.state.Cursor;
import org.metaq.broker.state.Partition;
import org.metaq.broker.state.RecordType;
import org.metaq.broker.state.Records;
import org.metaq.broker.state.Subscription;
import org.metaq.broker.state.Topic;
import org.metaq.broker.state.Views;
import org.metaq.common.Clock;
import org.metaq.protocol.Command;
import org.metaq.store.io.StoreDirectory;
import org.metaq.store.journal.Journal;
import org.metaq.store.journal.JournalOptions;
import org.metaq.store.journal.JournalRecord.Need;
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

    private final BrokerContext context;
    private final Journal journal;
    private final Views views;
    private final Checkpoints checkpoints;
    private final Redeliveries redeliveries;
    private final Groups groups;
    private final Deliveries deliveries;
    private final Expiry expiry;
    private final Transactions transactions;
    private final TopicFlush flush;
    private final Sends sends;
    private final BrokerAdmin admin;
    private final LargeSends largeSends;
    private final Subscriptions subscriptions;
    private final ClassicStats stats;
    private final FilteredReads filtered = new FilteredReads();
    private final Retention retention;
    private final Delays delays;
    private final Sequencer sequencer;
    private final Topics topics;
    private final OperatorCommands operatorCommands;
    private final InDoubtAlarm inDoubtAlarm;
    private final Commands commands;

    private int nextConnection = 1;

    private Broker(
            BrokerContext context,
            Journal journal,
            Views views,
            Checkpoints checkpoints,
            Retention retention) {
        this.context = context;
        this.journal = journal;
        this.views = views;
        this.checkpoints = checkpoints;
        this.retention = retention;
        this.redeliveries = new Redeliveries(context);
        this.groups = new Groups(context, redeliveries);
        Settlements settlements = new Settlements(context, redeliveries, groups);
        this.deliveries = new Deliveries(context, groups, settlements);
        this.expiry = new Expiry(context, settlements);
        Associations associations = new Associations(context.clock);
        BranchWork branchWork = new BranchWork(context, associations);
        this.transactions = new Transactions(context, redeliveries, settlements, associations);
        this.stats = new ClassicStats(context);
        this.flush = new TopicFlush(context);
        this.sends = new Sends(context, associations, branchWork, stats, flush);
        this.delays = new Delays(context, flush, sends);
        this.largeSends = new LargeSends(context, branchWork, sends);
        this.subscriptions = new Subscriptions(context, deliveries, settlements);
        BranchReports reports = new BranchReports(context, associations, transactions);
        Decisions decisions = new Decisions(context, associations, transactions);
        this.inDoubtAlarm = new InDoubtAlarm(context);
        this.admin =
                new BrokerAdmin(
                        context,
                        transactions,
                        reports,
                        decisions,
                        subscriptions,
                        deliveries,
                        redeliveries,
                        stats,
                        checkpoints);
        this.sequencer = new Sequencer(context, journal, this::markWhatIsSent);
        this.topics = new Topics(context, subscriptions, sequencer);
        this.operatorCommands = new OperatorCommands(sequencer, reports, decisions);
        this.commands =
                new Commands(
                        context,
                        sequencer,
                        deliveries,
                        settlements,
                        associations,
                        branchWork,
                        transactions,
                        sends,
                        subscriptions,
                        stats,
                        new ClassicReads(context, stats, filtered),
                        operatorCommands);
        transactions.onTemporaryCommit(sends::commitTemporary);
        commands.onSucceeded(this::disconnect);
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
                        config.outcomeCountMax(),
                        config.transactionMemoryBytes());
        BrokerContext context = new BrokerContext(config, clock, directory, state);
        views.placeTopics(topic -> context.catalog.of(topic).dataPath());
        RoleHolder role = new RoleHolder();
        journal.start(state, role);
        Checkpoints checkpoints = new Checkpoints(state, journal, background, clock, config);
        Retention retention = new Retention(context, background);
        Broker broker = new Broker(context, journal, views, checkpoints, retention);
        events.context = context;
        events.broker = broker;
        broker.startEpoch(role.leading());
        broker.delays.start();
        broker.reconfigure(config.topics());
        return broker;
    }

    /** Hears what records change; deaf while the journal is replayed, when nobody waits. */
    private static final class StateEvents implements BrokerState.Listener {
        private @Nullable BrokerContext context;
        private @Nullable Broker broker;

        @Override
        public void available(Topic topic) {
            if (context != null) {
                context.ready.add(topic);
            }
        }

        @Override
        public void removed(Subscription subscription) {
            if (broker != null) {
                broker.deliveries.removed(subscription);
            }
        }

        @Override
        public void waits(Cursor cursor, long sequence) {
            if (broker != null) {
                broker.groups.waits(cursor, sequence);
            }
        }

        @Override
        public void delayed(Partition partition) {
            if (context != null) {
                context.delayed.add(partition);
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
        sequencer.startEpoch(newEpoch);
        largeSends.startEpoch(newEpoch);
        Records.epoch(context.batch.body(), context.config.brokerId());
        context.batch.add(RecordType.EPOCH, Need.SYNC, BrokerContext::ignore);
        doWork();
        groups.startEpoch();
        subscriptions.startEpoch();
        LOG.info(
                "epoch={} topics={} branches={} lastTime={}",
                newEpoch,
                context.state.topics().size(),
                context.state.branchCount(),
                context.state.timeMs());
    }

    /** The epoch that this broker leads, &gt;= 1. */
    public long epoch() {
        return sequencer.epoch();
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

    /**
     * Tells what {@code open} answers for the data's name.
     *
     * @param id no blanks; the same over restarts, another for other data
     */
    public void storeId(String id) {
        commands.storeId(id);
    }

    /** Who does what clients ask of the process around this broker; until then it is refused. */
    public void adminHandler(AdminHandler handler) {
        operatorCommands.adminHandler(handler);
    }

    /**
     * Has branches that are in doubt for so long warned of; until then none is.
     *
     * @param ageMs 0: none is
     */
    public void warnOfInDoubt(long ageMs) {
        inDoubtAlarm.age(ageMs);
    }

    /** Who decides which sessions are opened; until then all are. */
    public void authenticator(Authenticator authenticator) {
        commands.authenticator(authenticator);
    }

    // ---- topics

    /**
     * Takes a new configuration of topics: creates those that it names, adds partitions where it
     * asks for more, and goes by its settings from now on. Partitions are never taken away.
     *
     * @return what is not as the catalog says, a sentence each
     */
    public List<String> reconfigure(TopicCatalog catalog) {
        return topics.reconfigure(catalog);
    }

    /** Has old segments go, looking for them at these times; before this is called, none goes. */
    public void scheduleRetention(RetentionTimes times) {
        retention.schedule(times);
    }

    /**
     * Hears, in {@link #doWork}, which topics there are, at first and whenever that changed; not of
     * temporary ones.
     */
    public void onTopicsChanged(Consumer<List<TopicRegistration>> listener) {
        topics.onChanged(listener);
    }

    /** Who waits for what is sent may get it in the same turn. */
    private void markWhatIsSent() {
        deliveries.addMarks(sends.sentTo());
        sends.sentTo().clear();
    }

    // ---- connections

    /** A client connected. */
    public BrokerConnection connect(ClientLink link) {
        stats.connected();
        return new BrokerConnection(
                context.config.brokerId() + "-" + epoch() + "-" + nextConnection++, link);
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
        commands.disconnected(connection);
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
        commands.dispatch(connection, command);
        sequencer.makeRoom(0);
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
            sequencer.makeRoom(piece.remaining());
            largeSends.part(connection, piece);
        }
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
        deliveries.startTurn();
        int work =
                context.ready.size()
                        + checkpoints.doWork()
                        + retention.doWork()
                        + delays.doWork()
                        + filtered.doWork();
        transactions.expire(context.clock.monotonicNs());
        redeliveries.wake(groups);
        work += expiry.doWork();
        flush.forceDue(context.clock.monotonicNs());
        do {
            work += sequencer.appendAndApply();
            deliveries.deliverReady();
        } while (!context.batch.isEmpty());
        deliveries.expire(context.clock.monotonicNs());
        topics.tell();
        inDoubtAlarm.doWork();
        commands.answerLast();
        return work;
    }

    /** Monotonic time at which {@link #doWork} must be called at the latest. */
    public long nextDeadlineNs() {
        long next = Math.min(deliveries.nextDeadlineNs(), transactions.nextDeadlineNs());
        next = Math.min(next, Math.min(flush.nextDeadlineNs(), delays.nextDeadlineNs()));
        next = Math.min(next, redeliveries.nextDeadlineNs());
        next = Math.min(next, expiry.nextDeadlineNs());
        if (!context.ready.isEmpty()) {
            return context.clock.monotonicNs();
        }
        return Math.min(next, context.clock.monotonicNs() + checkpoints.maxIdleNs());
    }

    /** Clean stop: a last checkpoint, then closes the store. The background must be idle. */
    @Override
    public void close() {
        checkpoints.startNoMore();
        doWork();
        checkpoints.finish();
        journal.close();
        context.state.close();
        views.close();
    }
}
