package org.metaq.broker;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.common.BranchId;
import org.metaq.common.PhysicalName;
import org.metaq.protocol.Command;
import org.metaq.protocol.CommandCodec;
import org.metaq.protocol.ErrorCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes each command to the part that knows it, and opens the sessions of our own ones. Confined to
 * the writer thread.
 */
final class Commands {
    private static final Logger LOG = LoggerFactory.getLogger(Commands.class);
    private static final int LOGGED_USER_LENGTH_MAX = 64;

    private final BrokerContext context;
    private final Sequencer sequencer;
    private final Deliveries deliveries;
    private final Settlements settlements;
    private final BranchWork branchWork;
    private final Transactions transactions;
    private final Sends sends;
    private final Subscriptions subscriptions;
    private final Browses browses;
    private final ClassicStats stats;
    private final ClassicReads reads;
    private final ClassicTransactions classicTransactions;
    private final OperatorCommands operatorCommands;
    private final ClientIds clientIds = new ClientIds();
    private final ConnectionKeys keys = new ConnectionKeys();
    private Authenticator authenticator = Authenticator.none();
    private String storeId = "-";
    private Consumer<BrokerConnection> disconnect = connection -> {};

    /** Answers that come behind the deliveries of the same cycle; see {@link Broker#doWork}. */
    private final List<Runnable> afterWork = new ArrayList<>();

    Commands(
            BrokerContext context,
            Sequencer sequencer,
            Deliveries deliveries,
            Settlements settlements,
            Associations associations,
            BranchWork branchWork,
            Transactions transactions,
            Sends sends,
            Subscriptions subscriptions,
            ClassicStats stats,
            ClassicReads reads,
            OperatorCommands operatorCommands) {
        this.context = context;
        this.sequencer = sequencer;
        this.deliveries = deliveries;
        this.settlements = settlements;
        this.branchWork = branchWork;
        this.transactions = transactions;
        this.sends = sends;
        this.subscriptions = subscriptions;
        this.browses = new Browses(context, subscriptions);
        this.stats = stats;
        this.reads = reads;
        this.operatorCommands = operatorCommands;
        this.classicTransactions =
                new ClassicTransactions(context, associations, transactions, stats);
    }

    void storeId(String id) {
        storeId = id;
    }

    /** Who ends a connection whose successor came. */
    void onSucceeded(Consumer<BrokerConnection> newDisconnect) {
        disconnect = newDisconnect;
    }

    void authenticator(Authenticator newAuthenticator) {
        authenticator = newAuthenticator;
    }

    /** The connection is gone: its client id is free. */
    void disconnected(BrokerConnection connection) {
        clientIds.release(connection);
        keys.release(connection);
    }

    /** Gives the answers that come last. */
    void answerLast() {
        afterWork.forEach(Runnable::run);
        afterWork.clear();
    }

    /** Takes a command. */
    void dispatch(BrokerConnection connection, Command command) {
        if (command instanceof Command.Send c && connection.isOpen) {
            sequencer.makeRoom(c.body().remaining());
            sends.send(connection, c);
        } else if (command instanceof Command.Acquire c && connection.isOpen) {
            deliveries.acquire(connection, c);
        } else if (command instanceof Command.Acknowledge c && connection.isOpen) {
            settlements.acknowledge(connection, c);
        } else if (!connection.isOpen
                && !authenticator.allowsAnonymous()
                && needsCredentials(command)) {
            notOpen(connection, command);
        } else if (isClassic(connection, command)) {
            return;
        } else if (command instanceof Command.Open c) {
            open(connection, c);
        } else if (OperatorCommands.isOne(command)) {
            operatorCommands.handle(connection, command);
        } else if (!connection.isOpen) {
            notOpen(connection, command);
        } else if (!submitTransaction(connection, command)) {
            submitSession(connection, command);
        }
    }

    /** Commands without a session that read or change what the broker stores. */
    private static boolean needsCredentials(Command command) {
        return command instanceof Command.Put
                || command instanceof Command.Get
                || command instanceof Command.Offset
                || command instanceof Command.OffsetOfTime
                || command instanceof Command.Transaction
                || OperatorCommands.isOfBranches(command);
    }

    private static void notOpen(BrokerConnection connection, Command command) {
        BrokerContext.error(
                connection,
                command.opaque(),
                ErrorCode.UNAUTHORIZED,
                "the connection must send 'open' first, and await its answer");
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
            // What came before it is answered first.
            afterWork.add(() -> connection.link().close("quit"));
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
            sequencer.applyNow();
        }
        classicTransactions.handle(connection, c);
    }

    /** MetaQ creates a topic's partitions at their first put; so does this, where it is allowed. */
    private void put(BrokerConnection connection, Command.Put c) {
        if (context.topic(c.topic()) == null && context.mayServe(c.topic()) && isName(c.topic())) {
            subscriptions.createTopic(c.topic(), BrokerContext::ignore);
            sequencer.applyNow();
        }
        sequencer.makeRoom(c.body().remaining());
        sends.put(connection, c);
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
            sequencer.applyNow();
        }
        Answer answer = Answer.to(connection, command.opaque());
        if (command instanceof Command.Begin c) {
            branchWork.begin(connection, c, answer);
        } else if (command instanceof Command.End c) {
            branchWork.end(connection, c, answer);
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
            settlements.release(connection, c);
        } else if (command instanceof Command.Browse c) {
            browses.browse(connection, c);
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
        if (connection.isOpen || connection.isOpening) {
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
        } else {
            connection.isOpening = true;
            authenticator.authenticate(c.user(), c.password(), new Opening(connection, c));
        }
    }

    /** Goes on with an {@code open} when its credentials were looked at. */
    private final class Opening implements Authenticator.Reply {
        private final BrokerConnection connection;
        private final Command.Open command;

        Opening(BrokerConnection connection, Command.Open command) {
            this.connection = connection;
            this.command = command;
        }

        @Override
        public void accepted() {
            connection.isOpening = false;
            if (!connection.isGone) {
                opened(connection, command);
            }
        }

        @Override
        public void refused(ErrorCode code, String text) {
            connection.isOpening = false;
            if (!connection.isGone) {
                LOG.warn(
                        "open-refused code={} user={} client={}",
                        code,
                        printable(command.user()),
                        connection);
                BrokerContext.error(connection, command.opaque(), code, text);
            }
        }
    }

    /** Of what a stranger sent no more than a log line takes, and no line break. */
    private static String printable(String user) {
        String start = user.substring(0, Math.min(user.length(), LOGGED_USER_LENGTH_MAX));
        return start.replaceAll("[^\\p{Graph}]", "?");
    }

    private void opened(BrokerConnection connection, Command.Open c) {
        BrokerConnection predecessor = keys.holder(c.key());
        if (predecessor != null) {
            succeed(predecessor, connection);
        }
        if (!clientIds.claim(connection, c.clientId())) {
            clientIdInUse(connection, c.clientId(), c.opaque());
        } else {
            keys.claim(connection, c.key());
            connection.isOpen = true;
            connection.user = c.user();
            BrokerContext.ok(
                    connection,
                    c.opaque(),
                    connection.id()
                            + " "
                            + context.config.brokerId()
                            + " "
                            + sequencer.epoch()
                            + " "
                            + context.config.maxMessageSizeBytes()
                            + " "
                            + storeId
                            + " "
                            + context.config.transactionTimeoutMs() / 1000);
        }
    }

    /** What the lost connection sent is done or dropped before its successor is answered. */
    private void succeed(BrokerConnection predecessor, BrokerConnection successor) {
        LOG.info("connection-succeeded old={} new={}", predecessor, successor);
        sequencer.applyNow();
        subscriptions.moveTemporaries(predecessor, successor);
        predecessor.link().close("its client opened another connection in its place");
        disconnect.accept(predecessor);
        sequencer.applyNow();
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
}
