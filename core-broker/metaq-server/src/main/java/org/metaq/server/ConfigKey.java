package org.metaq.server;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Every key of the {@code [system]} section of {@code server.ini}: its type, default, range and why
 * one would change it. {@code docs/configuration.md} is generated from this table.
 */
public enum ConfigKey {
    BROKER_ID(
            "brokerId",
            Type.INTEGER,
            "0",
            0,
            1023,
            "Number of this broker in its cluster; part of partition names and message ids."),
    NUM_PARTITIONS(
            "numPartitions",
            Type.INTEGER,
            "1",
            1,
            1000,
            "Partitions of a destination created on first use; more let more classic consumers"
                    + " share it, order holds within each."),
    SERVER_PORT(
            "serverPort",
            Type.INTEGER,
            "8123",
            0,
            65535,
            "TCP port; 0 picks a free one, which the ready line names."),
    HOST_NAME(
            "hostName",
            Type.TEXT,
            "",
            0,
            0,
            "Name under which clients reach this broker; empty: the machine's own."),
    BIND_ADDRESS(
            "bindAddress",
            Type.TEXT,
            "0.0.0.0",
            0,
            0,
            "Address to listen on; 127.0.0.1 keeps the broker to its own machine."),
    DATA_PATH(
            "dataPath",
            Type.PATH,
            "~/meta",
            0,
            0,
            "Directory of everything the broker stores; one broker at a time may use it."),
    FLUSH_TX_LOG_AT_COMMIT(
            "flushTxLogAtCommit",
            Type.INTEGER,
            "1",
            0,
            2,
            "When prepares, commits and rollbacks reach the disk. 1: before they are answered; 2:"
                    + " once a second; 0: when the system writes them. 0 and 2 lose answered"
                    + " transactions in a crash of the machine."),
    UNFLUSH_THRESHOLD(
            "unflushThreshold",
            Type.INTEGER,
            "0",
            0,
            Integer.MAX_VALUE,
            "Sends outside transactions after which the journal is forced. 0: each is on disk"
                    + " before it is answered (all that wait share one force); above 0: answered"
                    + " before, so that a crash of the machine loses up to this many."),
    UNFLUSH_INTERVAL(
            "unflushInterval",
            Type.MILLISECONDS,
            "10000",
            1,
            Integer.MAX_VALUE,
            "Longest time between two forces when unflushThreshold is above 0."),
    JOURNAL_SEGMENT_SIZE(
            "journalSegmentSize",
            Type.BYTES,
            "64M",
            1 << 20,
            1 << 30,
            "Size of a preallocated journal file."),
    CHECKPOINT_BYTES(
            "checkpointBytes",
            Type.BYTES,
            "64M",
            1 << 20,
            1L << 40,
            "Journal bytes after which a checkpoint is taken; more means fewer checkpoints and a"
                    + " longer start after a crash."),
    MAX_SEGMENT_SIZE(
            "maxSegmentSize",
            Type.BYTES,
            "1024*1024*1024",
            4096,
            1L << 40,
            "Length at which a partition log starts a new file."),
    MAX_TRANSFER_SIZE(
            "maxTransferSize",
            Type.BYTES,
            "1024*1024",
            1024,
            Integer.MAX_VALUE,
            "Most bytes that one classic get returns."),
    MAX_MESSAGE_SIZE(
            "maxMessageSize",
            Type.BYTES,
            "100M",
            1,
            128 << 20,
            "Largest body of one message; a larger one is refused. Independent of the heap: what is"
                    + " larger than 1 MiB goes to the disk as it arrives. MetaQ's clients put at"
                    + " most 2 MiB, and messages of temporary destinations are held in memory, so"
                    + " that one of them may take a twelfth of the heap at most."),
    MAX_TRANSACTION_SIZE(
            "maxTransactionSize",
            Type.BYTES,
            "1G",
            1,
            1L << 50,
            "Most bytes of messages in one transaction; beyond it the transaction can only be"
                    + " rolled back."),
    TRANSACTION_MEMORY(
            "transactionMemory",
            Type.BYTES,
            "16M",
            0,
            1L << 40,
            "Memory for messages of open transactions; what is above goes to spill files."),
    MAX_TX_TIMEOUT(
            "maxTxTimeoutInSeconds",
            Type.SECONDS,
            "60",
            1,
            30 * 24 * 3600,
            "Time-out of an XA branch that sets none."),
    OUTCOME_RETENTION(
            "outcomeRetention",
            Type.MILLISECONDS,
            "600000",
            0,
            1L << 40,
            "How long outcomes of finished branches and last sends of idle producers are kept, so"
                    + " that a repeated command gets its first answer."),
    AUTO_CREATE_DESTINATIONS(
            "autoCreateDestinations",
            Type.FLAG,
            "true",
            0,
            0,
            "Whether a destination is created when it is first used."),
    MIN_FREE_SPACE(
            "minFreeSpace",
            Type.BYTES,
            "256M",
            0,
            1L << 50,
            "Free disk space below which sends are refused."),
    MAX_INFLIGHT_BYTES(
            "maxInflightBytes",
            Type.BYTES,
            "0",
            0,
            1L << 40,
            "Memory for commands that arrived and are not yet applied; when it is used up the"
                    + " broker stops reading from its clients. 0: a quarter of the heap, at most"
                    + " 64M."),
    CLIENT_IDLE_TIMEOUT(
            "clientIdleTimeout",
            Type.MILLISECONDS,
            "60000",
            0,
            Integer.MAX_VALUE,
            "Silence after which a JMS connection counts as dead and what it holds goes back;"
                    + " clients ping every 10 seconds. 0: never. Classic connections are never"
                    + " closed for silence."),
    EVENT_LOOPS(
            "eventLoops",
            Type.INTEGER,
            "-1",
            -1,
            256,
            "Threads that serve the sockets. 0: the writer thread does, which saves hand-offs; -1: 0"
                    + " on up to 4 processors, else 2."),
    WRITER_SPIN(
            "writerSpinMicros",
            Type.MICROSECONDS,
            "0",
            0,
            1_000_000,
            "Time the writer thread spins before it sleeps; some tens cut latency and cost CPU.");

    private final String key;
    private final Type type;
    private final String defaultValue;
    private final long min;
    private final long max;
    private final String why;

    ConfigKey(String key, Type type, String defaultValue, long min, long max, String why) {
        this.key = key;
        this.type = type;
        this.defaultValue = defaultValue;
        this.min = min;
        this.max = max;
        this.why = why;
    }

    /** What a value is. */
    public enum Type {
        /** A count or number. */
        INTEGER("number"),
        /** A length in bytes. */
        BYTES("bytes"),
        /** A duration in milliseconds. */
        MILLISECONDS("ms"),
        /** A duration in microseconds. */
        MICROSECONDS("µs"),
        /** A duration in seconds. */
        SECONDS("s"),
        /** {@code true} or {@code false}. */
        FLAG("true or false"),
        /** Free text. */
        TEXT("text"),
        /** A path; a leading {@code ~} is the home directory. */
        PATH("path");

        private final String unit;

        Type(String unit) {
            this.unit = unit;
        }

        /** Unit as the documentation names it. */
        public String unit() {
            return unit;
        }

        boolean isNumber() {
            return this != FLAG && this != TEXT && this != PATH;
        }
    }

    /** Name in {@code server.ini}. */
    public String key() {
        return key;
    }

    /** Type and unit. */
    public Type type() {
        return type;
    }

    /** Default as it would be written in the file. */
    public String defaultValue() {
        return defaultValue;
    }

    /** Smallest value of a number. */
    public long min() {
        return min;
    }

    /** Largest value of a number. */
    public long max() {
        return max;
    }

    /** What it does and why one would change it. */
    public String why() {
        return why;
    }

    /** The key of this name, or null. */
    static @Nullable ConfigKey ofKey(String key) {
        for (ConfigKey candidate : values()) {
            if (candidate.key.equals(key)) {
                return candidate;
            }
        }
        return null;
    }

    /**
     * Reads a number.
     *
     * @throws ConfigException if it is none or out of range
     */
    long number(String text) {
        long value;
        try {
            value = IntegerExpression.evaluate(text);
        } catch (ArithmeticException | NumberFormatException e) {
            throw new ConfigException(
                    key + " = '" + text + "' is not a number: " + e.getMessage(), e);
        }
        if (value < min || value > max) {
            throw new ConfigException(
                    key
                            + " = "
                            + text
                            + " is out of range; it must be "
                            + min
                            + ".."
                            + max
                            + " ("
                            + type.unit()
                            + ")");
        }
        return value;
    }

    /**
     * Reads a flag.
     *
     * @throws ConfigException if it is none
     */
    boolean flag(String text) {
        return switch (text.trim().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new ConfigException(key + " = '" + text + "' must be true or false");
        };
    }

    /** Checks a value without keeping it. */
    void check(String text) {
        if (type.isNumber()) {
            number(text);
        } else if (type == Type.FLAG) {
            flag(text);
        } else if (this != HOST_NAME && text.isBlank()) {
            throw new ConfigException(key + " must not be empty");
        }
    }
}
