package org.metaq.protocol;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.metaq.common.BranchId;
import org.metaq.common.DestinationKind;

/**
 * A request to the broker. {@link CommandCodec} gives each its form on the wire; the sections of
 * {@code docs/protocol.md} bear the same names. Bodies are positioned at their first byte and
 * limited to their last; who gets a command must not keep its body past the call, unless it says
 * so.
 */
public sealed interface Command {
    /**
     * Opaque number of an {@link Acknowledge} or {@link Release} whose success nobody waits for.
     */
    int QUIET = 0;

    /** The opaque number that the reply bears. */
    int opaque();

    // ---- MetaQ's commands

    /**
     * MetaQ {@code put}: append one message.
     *
     * @param partition number, or -1 for any
     * @param flag stored as it is; bit 0: the body starts with an attribute
     * @param checksum {@code Checksums.messageChecksum(body)}, or -1 to leave it to the broker
     * @param branch transaction that was begun, or null
     */
    record Put(
            String topic,
            int partition,
            int flag,
            int checksum,
            @Nullable BranchId branch,
            ByteBuffer body,
            int opaque)
            implements Command {
        /** Outside of a transaction. */
        public Put(
                String topic, int partition, int flag, int checksum, ByteBuffer body, int opaque) {
            this(topic, partition, flag, checksum, null, body, opaque);
        }
    }

    /**
     * MetaQ {@code transaction}: works on a local transaction or an XA branch. All but END are
     * answered.
     *
     * @param branch null for RECOVER
     * @param sessionId the client's word for itself; without effect
     * @param timeoutSeconds of BEGIN; 0: the broker's default
     * @param qualifier names whose branches RECOVER lists; empty: all
     */
    record Transaction(
            @Nullable BranchId branch,
            String sessionId,
            TransactionType type,
            int timeoutSeconds,
            String qualifier,
            int opaque)
            implements Command {}

    /** What a {@link Transaction} does; the names are those on the wire. */
    enum TransactionType {
        BEGIN,
        END,
        PREPARE,
        COMMIT_ONE_PHASE,
        COMMIT_TWO_PHASE,
        ROLLBACK,
        RECOVER,
        FORGET
    }

    /** MetaQ {@code get}: bytes of a partition from an offset on. */
    record Get(String topic, String group, int partition, long offset, int maxSize, int opaque)
            implements Command {}

    /** MetaQ {@code offset}: start of the segment that holds an offset. */
    record Offset(String topic, String group, int partition, long offset, int opaque)
            implements Command {}

    /** MetaQ {@code version}, which serves as heartbeat. */
    record Version(int opaque) implements Command {}

    /** MetaQ {@code stats}; an empty item asks for the summary. */
    record Stats(String item, int opaque) implements Command {}

    /** MetaQ {@code sync}: what a synchronous master sends to its slave, which no broker is. */
    record Sync(
            String topic,
            int partition,
            int flag,
            long messageId,
            int checksum,
            ByteBuffer body,
            int opaque)
            implements Command {}

    /** MetaQ {@code quit}: close the connection, no reply. */
    record Quit(int opaque) implements Command {}

    /**
     * Offset of the first message of a partition that was stored at a time or later; the end if
     * there is none. Replies {@code <offset>}.
     *
     * @param timestampMs ms since 1970
     */
    record OffsetOfTime(String topic, int partition, long timestampMs, int opaque)
            implements Command {}

    // ---- Session

    /**
     * First command of a connection that uses what follows. Replies {@code <connectionId>
     * <brokerId> <epoch> <maxMessageSize>}.
     *
     * @param version protocol version, {@link CommandCodec#PROTOCOL_VERSION}
     * @param user may be empty: the default identity
     * @param clientId JMS client id; empty for none
     * @param key secret of the client's that names this connection to its successor: an {@code
     *     open} with the key of another connection ends that one first and takes its client id and
     *     temporary destinations over; empty for none
     */
    record Open(int version, String user, String password, String clientId, String key, int opaque)
            implements Command {
        /** Without a key. */
        public Open(int version, String user, String password, String clientId, int opaque) {
            this(version, user, password, clientId, "", opaque);
        }
    }

    /** Sets the client id of a connection that has none. */
    record SetClientId(String clientId, int opaque) implements Command {}

    // ---- Destinations

    /**
     * Looks a destination up, creating it where that is allowed. Replies {@code <physicalName>
     * <partition>,<partition>…}.
     *
     * @param kind QUEUE or TOPIC
     */
    record Resolve(DestinationKind kind, String name, int opaque) implements Command {}

    /**
     * Creates a temporary destination of this connection. Replies as {@link Resolve}.
     *
     * @param name physical name that it had before, on a connection that was lost; empty for a new
     *     one
     */
    record CreateTemporary(DestinationKind kind, String name, int opaque) implements Command {
        /** With a new name. */
        public CreateTemporary(DestinationKind kind, int opaque) {
            this(kind, "", opaque);
        }
    }

    /** Deletes a temporary destination of this connection, with its messages. */
    record DeleteTemporary(String topic, int opaque) implements Command {}

    // ---- Subscriptions

    /**
     * Opens a consumer. Replies {@code <subscriptionId>}.
     *
     * @param consumerId chosen by the client, unique on the connection
     * @param topic physical name
     * @param subscription name of the subscription; empty for a queue's and for a non-durable
     *     unshared one
     * @param durable whether the subscription outlives its consumers
     * @param shared whether several consumers may share it
     * @param noLocal whether it leaves out what its own connection or client id sends
     * @param selector message selector; empty for none
     * @param options where to start, and what becomes of messages that come back
     */
    record Subscribe(
            int consumerId,
            String topic,
            String subscription,
            boolean durable,
            boolean shared,
            boolean noLocal,
            String selector,
            SubscribeOptions options,
            int opaque)
            implements Command {
        /** Without options. */
        public Subscribe(
                int consumerId,
                String topic,
                String subscription,
                boolean durable,
                boolean shared,
                boolean noLocal,
                String selector,
                int opaque) {
            this(
                    consumerId,
                    topic,
                    subscription,
                    durable,
                    shared,
                    noLocal,
                    selector,
                    SubscribeOptions.NONE,
                    opaque);
        }
    }

    /**
     * Closes a consumer: its pending {@link Acquire} is answered (empty), and what it holds
     * undelivered goes back. What was delivered stays acquired by the connection until settled.
     *
     * @param undelivered messages that the application never saw
     */
    record CloseConsumer(int consumerId, Settlement undelivered, int opaque) implements Command {}

    /** Deletes a durable subscription; shared ones of clients without id are named as they are. */
    record Unsubscribe(String subscription, int opaque) implements Command {}

    /**
     * Takes messages of a consumer's subscription. Replies {@code value} with {@link Delivery}s: at
     * once if there are any, else when one comes, or empty after {@code waitMs}. One per consumer
     * at a time.
     *
     * @param maxMessages 1..{@link Limits#ACQUIRE_COUNT_MAX}
     * @param maxBytes soft limit of the reply: the first message comes whatever its size
     * @param waitMs 0..{@link Limits#ACQUIRE_WAIT_MAX_MS}; 0: do not wait
     */
    record Acquire(int consumerId, int maxMessages, int maxBytes, int waitMs, int opaque)
            implements Command {}

    /**
     * Acknowledges messages that this connection holds. With {@link #QUIET} as opaque number it is
     * answered only if it is refused.
     */
    record Acknowledge(Settlement settlement, int opaque) implements Command {}

    /**
     * Gives back messages that this connection holds; {@link #QUIET} as for {@link Acknowledge}.
     *
     * @param delivered true: the application saw them, the delivery count grows; false: as if never
     *     taken
     * @param reason why the application gave them back, for dead letters; empty: not known
     */
    record Release(Settlement settlement, boolean delivered, String reason, int opaque)
            implements Command {
        /** For no known reason. */
        public Release(Settlement settlement, boolean delivered, int opaque) {
            this(settlement, delivered, "", opaque);
        }
    }

    /**
     * Reads messages of a queue without taking them: those that are neither acknowledged nor held
     * by a prepared branch nor expired, by priority and then in order. Replies {@code value} with
     * int64 position to go on from (-1: there was no more) and {@link Delivery}s. The broker keeps
     * nothing of it: what comes and goes between two of them is seen or not.
     *
     * @param topic physical name of a queue
     * @param position 0 to begin, else what the last one of this partition replied
     * @param maxMessages 1..{@link Limits#ACQUIRE_COUNT_MAX}
     * @param maxBytes soft limit of the reply: the first message comes whatever its size
     * @param selector message selector; empty for none
     */
    record Browse(
            String topic,
            int partition,
            long position,
            int maxMessages,
            int maxBytes,
            String selector,
            int opaque)
            implements Command {}

    // ---- Sends and transactions

    /**
     * Appends one message. Replies {@code <messageId> <partition> <offset>}, offset -1 in a
     * transaction.
     *
     * @param topic physical name
     * @param partition number, or -1 for any
     * @param flag see {@link MessageFormat}
     * @param checksum {@code Checksums.messageChecksum(body)}
     * @param producerId chosen by the client at random; 0: none, no repeated send is recognized
     * @param producerSequence grows by one per send of this producer id; the broker stores each
     *     once
     * @param branch transaction, or null
     */
    record Send(
            String topic,
            int partition,
            int flag,
            int checksum,
            long producerId,
            long producerSequence,
            Durability durability,
            @Nullable BranchId branch,
            ByteBuffer body,
            int opaque)
            implements Command {}

    /**
     * Starts or continues work on a branch from this connection. Local branches need none: they
     * start with their first send.
     *
     * @param session who of the connection works, a number of its choice
     * @param timeoutSeconds after which an unprepared branch is rolled back; 0: the broker's
     *     default
     */
    record Begin(BranchId branch, int session, BeginMode mode, int timeoutSeconds, int opaque)
            implements Command {}

    /** {@code xa_start}: TMNOFLAGS, TMJOIN, TMRESUME. */
    enum BeginMode {
        NEW,
        JOIN,
        RESUME
    }

    /**
     * Ends work on an XA branch.
     *
     * @param session whose, as its {@link Begin} said
     * @param acknowledged what was consumed in the branch since its {@link Begin}
     */
    record End(BranchId branch, int session, EndMode mode, Settlement acknowledged, int opaque)
            implements Command {}

    /** {@code xa_end}: TMSUCCESS, TMFAIL, TMSUSPEND. */
    enum EndMode {
        SUCCESS,
        FAIL,
        SUSPEND
    }

    /** {@code xa_prepare}. Replies {@code 0} (XA_OK) or {@code 3} (XA_RDONLY). */
    record Prepare(BranchId branch, int opaque) implements Command {}

    /**
     * Commits.
     *
     * @param onePhase true for local transactions and {@code xa_commit(TMONEPHASE)}
     * @param acknowledged what a local transaction consumed; empty for XA
     */
    record Commit(BranchId branch, boolean onePhase, Settlement acknowledged, int opaque)
            implements Command {}

    /**
     * Rolls back.
     *
     * @param consumed what a local transaction consumed: goes back; empty for XA
     * @param delivered how what was consumed goes back, as {@link Release} says; that of a prepared
     *     branch in any case as delivered
     * @param reason why the application rolled back, for dead letters; empty: not known
     */
    record Rollback(
            BranchId branch, Settlement consumed, boolean delivered, String reason, int opaque)
            implements Command {
        /** As delivered, for no known reason. */
        public Rollback(BranchId branch, Settlement consumed, int opaque) {
            this(branch, consumed, true, "", opaque);
        }
    }

    /** {@code xa_recover}. Replies the keys of the prepared branches, one a line. */
    record Recover(int opaque) implements Command {}

    /** {@code xa_forget}. */
    record Forget(BranchId branch, int opaque) implements Command {}

    // ---- Operation

    /**
     * Has the broker read its configuration again; only from its own machine. Replies what changed,
     * a line each.
     */
    record Reload(int opaque) implements Command {}

    /**
     * Lists branches; only from the broker's own machine, as the next two. Replies their keys, one
     * a line.
     *
     * @param inDoubtOnly only those that are prepared; else also those that somebody works on, and
     *     those over which an operator decided
     */
    record ListBranches(boolean inDoubtOnly, int opaque) implements Command {}

    /** Shows a branch. Replies {@code value} with a {@link BranchStatus}. */
    record ShowBranch(BranchId branch, int opaque) implements Command {}

    /** Has an operator decide over a branch, or forget what one decided. */
    record DecideBranch(BranchId branch, Decision decision, int opaque) implements Command {}

    /** What an operator does with a branch. */
    enum Decision {
        /** Commits an in-doubt branch. */
        COMMIT,
        /** Rolls an in-doubt branch back. */
        ROLLBACK,
        /** Forgets what was decided: the transaction manager is not told any more. */
        FORGET
    }
}
