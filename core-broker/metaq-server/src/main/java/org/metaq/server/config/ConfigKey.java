package org.metaq.server.config;

import org.metaq.protocol.RedeliveryPolicy;

/**
 * Every key of the {@code [system]} section of {@code server.ini}, MetaQ's before ours. {@code
 * docs/configuration.md} is generated from this table.
 */
public enum ConfigKey {
    BROKER_ID(
            KeySpec.number(
                    "brokerId",
                    KeyType.INTEGER,
                    "0",
                    0,
                    1023,
                    "Number of this broker in its cluster; part of partition names and"
                            + " message ids. MetaQ requires it; here a broker that runs alone needs"
                            + " none.")),
    SERVER_PORT(
            KeySpec.number(
                    "serverPort",
                    KeyType.INTEGER,
                    "8123",
                    0,
                    65535,
                    "TCP port; 0 picks a free one, which the ready line names.")),
    HOST_NAME(
            KeySpec.text(
                    "hostName",
                    KeyType.TEXT,
                    "",
                    "Name under which clients reach this broker, registered in ZooKeeper;"
                            + " empty: bindAddress, or if that is 0.0.0.0 the first IPv4 address that"
                            + " is no loopback.")),
    BIND_ADDRESS(
            KeySpec.text(
                    "bindAddress",
                    KeyType.TEXT,
                    "0.0.0.0",
                    "Address to listen on; 127.0.0.1 keeps the broker to its own machine.")),
    NUM_PARTITIONS(
            KeySpec.number(
                    "numPartitions",
                    KeyType.INTEGER,
                    "1",
                    1,
                    1000,
                    "Partitions of a topic; more let more classic consumers share it,"
                            + " order holds within each. MetaQ requires it.")),
    AUTO_CREATE_DESTINATIONS(
            KeySpec.flag(
                    "autoCreateDestinations",
                    true,
                    "Whether a destination is created when it is first used. false: only"
                            + " topics that a section names or matches are served and registered;"
                            + " what others hold stays. Not MetaQ's.")),
    ACCEPT_PUBLISH(
            KeySpec.flag(
                    "acceptPublish",
                    true,
                    "Whether clients may send: registered in ZooKeeper, and a put is"
                            + " refused with 403 if not, which MetaQ did not do.")),
    ACCEPT_SUBSCRIBE(
            KeySpec.flag(
                    "acceptSubscribe",
                    true,
                    "Whether clients may read: registered in ZooKeeper, and a get is"
                            + " refused with 403 if not, which MetaQ did not do.")),
    STAT(
            KeySpec.flag(
                    "stat",
                    false,
                    "Whether statistics of recent activity are kept (`stats realtime`).")),
    DATA_PATH(
            KeySpec.text(
                    "dataPath",
                    KeyType.PATH,
                    "~/meta",
                    "Directory of everything the broker stores; one broker at a time may"
                            + " use it.")),
    DATA_LOG_PATH(
            KeySpec.text(
                    "dataLogPath",
                    KeyType.PATH,
                    "",
                    "Directory of the journal, best on a disk of its own; empty: in"
                            + " dataPath. It must not change while there is data.")),
    MAX_DELIVERIES(
            KeySpec.text(
                    RedeliveryPolicy.MAX_DELIVERIES,
                    KeyType.REDELIVERY,
                    "0",
                    "After so many deliveries a message that comes back is a dead letter; 0: no"
                            + " limit. This and the next five are for JMS, hold where the client does"
                            + " not say otherwise, and are not MetaQ's.")),
    REDELIVERY_DELAY(
            KeySpec.text(
                    RedeliveryPolicy.DELAY,
                    KeyType.REDELIVERY,
                    "0",
                    "Milliseconds that a message which came back waits; others overtake it.")),
    REDELIVERY_BACK_OFF(
            KeySpec.text(
                    RedeliveryPolicy.BACK_OFF,
                    KeyType.REDELIVERY,
                    "1.0",
                    "What the delay is multiplied with for each further delivery, 1 to 1000.")),
    MAX_REDELIVERY_DELAY(
            KeySpec.text(
                    RedeliveryPolicy.MAX_DELAY,
                    KeyType.REDELIVERY,
                    "60000",
                    "Milliseconds that no delay made by the back-off exceeds.")),
    STRICT_ORDER(
            KeySpec.text(
                    RedeliveryPolicy.STRICT_ORDER,
                    KeyType.REDELIVERY,
                    "false",
                    "Whether the rest of its message group (JMSXGroupID) waits for a message that"
                            + " waits.")),
    DEAD_LETTER(
            KeySpec.text(
                    RedeliveryPolicy.DEAD_LETTER,
                    KeyType.REDELIVERY,
                    RedeliveryPolicy.DEFAULT_DEAD_LETTER,
                    "Name of the queue for dead letters, made when the first comes; empty: they are"
                            + " dropped.")),
    EXPIRY_QUEUE(
            KeySpec.text(
                    "expiryQueue",
                    KeyType.TEXT,
                    "",
                    "Name of the queue for expired messages; empty: they are dropped. Not"
                            + " MetaQ's.")),
    UNFLUSH_THRESHOLD(
            KeySpec.number(
                    "unflushThreshold",
                    KeyType.INTEGER,
                    "0",
                    Integer.MIN_VALUE,
                    Integer.MAX_VALUE,
                    "Sends outside transactions after which the journal is forced. 0 or"
                            + " less: each is on disk before it is answered (all that wait share one"
                            + " force); above 0: answered before, so that a crash of the machine"
                            + " loses up to this many. 0 as in the file that MetaQ ships; its code"
                            + " requires the key.")),
    UNFLUSH_INTERVAL(
            KeySpec.number(
                    "unflushInterval",
                    KeyType.MILLISECONDS,
                    "10000",
                    1,
                    Integer.MAX_VALUE,
                    "Longest time between two forces when unflushThreshold is above 0.")),
    FLUSH_TX_LOG_AT_COMMIT(
            KeySpec.number(
                    "flushTxLogAtCommit",
                    KeyType.INTEGER,
                    "1",
                    0,
                    2,
                    "When prepares, commits and rollbacks reach the disk. 1: before they"
                            + " are answered; 2: once a second; 0: when the system writes them. 0 and"
                            + " 2 lose answered transactions in a crash of the machine.")),
    MAX_SEGMENT_SIZE(
            KeySpec.number(
                    "maxSegmentSize",
                    KeyType.BYTES,
                    "1024*1024*1024",
                    1024,
                    1L << 40,
                    "Length at which a partition log starts a new file.")),
    MAX_TRANSFER_SIZE(
            KeySpec.number(
                    "maxTransferSize",
                    KeyType.BYTES,
                    "1024*1024",
                    1024,
                    Integer.MAX_VALUE,
                    "Most bytes that one classic get returns, if the first message is not"
                            + " longer; it limits what a classic put takes.")),
    UPDATE_CONSUMER_OFFSETS(
            KeySpec.flag(
                    "updateConsumerOffsets",
                    true,
                    "Whether a classic reader whose offset lies beyond the end is moved"
                            + " back to it (301); if not it waits there (404). true as in the file"
                            + " that MetaQ ships; its code has false, with which a reader whose"
                            + " broker lost data hangs.")),
    DELETE_POLICY(
            KeySpec.text(
                    "deletePolicy",
                    KeyType.DELETE_POLICY,
                    "delete,168",
                    "What happens to closed segments whose last message is older:"
                            + " `delete,<time>`, `archive,<time>` (renamed to .arc) or"
                            + " `archive,<time>,true` (zipped); the time is a number of hours, or has"
                            + " s, m or h behind it. Empty: they stay.")),
    DELETE_WHEN(
            KeySpec.text(
                    "deleteWhen",
                    KeyType.CRON,
                    "0 0 6,18 * * ?",
                    "When old segments are looked for: second, minute, hour, day, month,"
                            + " weekday and perhaps year, in Quartz' form.")),
    MAX_PARTITION_SIZE(
            KeySpec.number(
                    "maxPartitionSize",
                    KeyType.BYTES,
                    "0",
                    0,
                    1L << 50,
                    "Closed segments go, oldest first, while a partition is longer; 0: no"
                            + " limit. Not MetaQ's.")),
    DELETE_UNCONSUMED(
            KeySpec.flag(
                    "deleteUnconsumed",
                    false,
                    "Whether segments go although a durable JMS subscription or a queue"
                            + " still needs messages in them. Not MetaQ's.")),
    MAX_TX_TIMEOUT(
            KeySpec.number(
                    "maxTxTimeoutInSeconds",
                    KeyType.SECONDS,
                    "60",
                    1,
                    30 * 24 * 3600,
                    "Time-out of an XA branch that sets none, and the longest of a classic"
                            + " client's transaction.")),
    CHECKPOINT_INTERVAL(
            KeySpec.number(
                    "checkpointInterval",
                    KeyType.MILLISECONDS,
                    "3600000",
                    1,
                    1L << 40,
                    "Longest time without a checkpoint when there is anything new.")),
    APP_CLASS_PATH(
            KeySpec.text(
                    "appClassPath",
                    KeyType.PATH,
                    "",
                    "Directory of the classes and jars of filters; empty: `provided`"
                            + " beside the directory of this file.")),
    JOURNAL_SEGMENT_SIZE(
            KeySpec.number(
                    "journalSegmentSize",
                    KeyType.BYTES,
                    "64M",
                    1 << 20,
                    1 << 30,
                    "Size of a preallocated journal file. Not MetaQ's, as all that follow.")),
    CHECKPOINT_BYTES(
            KeySpec.number(
                    "checkpointBytes",
                    KeyType.BYTES,
                    "64M",
                    1 << 20,
                    1L << 40,
                    "Journal bytes after which a checkpoint is taken; more means fewer"
                            + " checkpoints and a longer start after a crash.")),
    MAX_MESSAGE_SIZE(
            KeySpec.number(
                    "maxMessageSize",
                    KeyType.BYTES,
                    "100M",
                    1,
                    128 << 20,
                    "Largest body of one message; a larger one is refused. Independent of"
                            + " the heap: what is larger than 1 MiB goes to the disk as it arrives."
                            + " MetaQ's clients put at most 2 MiB; messages of temporary"
                            + " destinations are held in memory, so that one of them may take a"
                            + " twelfth of the heap at most.")),
    MAX_TRANSACTION_SIZE(
            KeySpec.number(
                    "maxTransactionSize",
                    KeyType.BYTES,
                    "1G",
                    1,
                    1L << 50,
                    "Most bytes of messages in one transaction; beyond it the transaction"
                            + " can only be rolled back.")),
    TRANSACTION_MEMORY(
            KeySpec.number(
                    "transactionMemory",
                    KeyType.BYTES,
                    "16M",
                    0,
                    1L << 40,
                    "Memory for messages of open transactions; what is above goes to spill"
                            + " files.")),
    OUTCOME_RETENTION(
            KeySpec.number(
                    "outcomeRetention",
                    KeyType.MILLISECONDS,
                    "600000",
                    0,
                    1L << 40,
                    "How long outcomes of finished branches and last sends of idle"
                            + " producers are kept, so that a repeated command gets its first answer.")),
    OUTCOME_COUNT(
            KeySpec.number(
                    "outcomeCount",
                    KeyType.INTEGER,
                    "50000",
                    1000,
                    10_000_000,
                    "Most outcomes of finished branches that are kept, the last ones, at some 300"
                            + " bytes of memory each. More that end within outcomeRetention make"
                            + " that time shorter.")),
    MIN_FREE_SPACE(
            KeySpec.number(
                    "minFreeSpace",
                    KeyType.BYTES,
                    "256M",
                    0,
                    1L << 50,
                    "Free disk space below which sends are refused.")),
    IN_DOUBT_ALARM_AGE(
            KeySpec.number(
                    "inDoubtAlarmAge",
                    KeyType.MILLISECONDS,
                    "600000",
                    0,
                    1L << 40,
                    "Age from which an in-doubt branch is warned of in the log, once, and again"
                            + " when it has its outcome ([in-doubt.md](in-doubt.md)). 0: never.")),
    MAX_INFLIGHT_BYTES(
            KeySpec.number(
                    "maxInflightBytes",
                    KeyType.BYTES,
                    "0",
                    0,
                    1L << 40,
                    "Memory for commands that arrived and are not yet applied; when it is"
                            + " used up the broker stops reading from its clients. 0: a quarter of"
                            + " the heap, at most 64M.")),
    CLIENT_IDLE_TIMEOUT(
            KeySpec.number(
                    "clientIdleTimeout",
                    KeyType.MILLISECONDS,
                    "60000",
                    0,
                    Integer.MAX_VALUE,
                    "Silence after which a JMS connection counts as dead and what it holds"
                            + " goes back; clients ping every 10 seconds. 0: never. Classic"
                            + " connections are never closed for silence.")),
    USERS(
            KeySpec.text(
                    "users",
                    KeyType.PATH,
                    "",
                    "File of the users that may connect, as `metaq user` writes it; a"
                            + " relative path is seen from the directory of this file. `metaq reload`"
                            + " reads it again. Empty: every user and password is accepted.")),
    ALLOW_ANONYMOUS(
            KeySpec.flag(
                    "allowAnonymous",
                    true,
                    "Whether connections without a user are served, MetaQ's own clients"
                            + " among them, which have none. false needs users.")),
    EVENT_LOOPS(
            KeySpec.number(
                    "eventLoops",
                    KeyType.INTEGER,
                    "-1",
                    -1,
                    256,
                    "Threads that serve the sockets. 0: the writer thread does, which"
                            + " saves hand-offs; -1: 0 on up to 4 processors, else 2.")),
    WRITER_SPIN(
            KeySpec.number(
                    "writerSpinMicros",
                    KeyType.MICROSECONDS,
                    "0",
                    0,
                    1_000_000,
                    "Time the writer thread spins before it sleeps; some tens cut latency"
                            + " and cost CPU."));

    // a record of strings and numbers; only an annotation that we do not have would say so
    @SuppressWarnings("ImmutableEnumChecker")
    private final KeySpec spec;

    ConfigKey(KeySpec spec) {
        this.spec = spec;
    }

    /** What may stand there. */
    KeySpec spec() {
        return spec;
    }
}
