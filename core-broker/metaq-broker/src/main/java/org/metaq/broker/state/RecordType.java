package org.metaq.broker.state;

/** What a record does. Codes are on disk: never reused. {@link Records} gives each its layout. */
public enum RecordType {
    /** A new leader: drops what was bound to connections. */
    EPOCH(1),
    /**
     * Creates a topic, and the subscription of a queue; gives more partitions to one that is there.
     */
    CREATE_TOPIC(2),
    /** Appends a message, or holds it for a branch. */
    SEND(3),
    /** Acknowledges messages. */
    ACKNOWLEDGE(4),
    /** Counts deliveries of messages that came back. */
    RELEASE(5),
    /** Moves a delivered mark. */
    DELIVERED(6),
    /** Creates a durable subscription. */
    SUBSCRIBE(7),
    /** Deletes a durable subscription. */
    UNSUBSCRIBE(8),
    /** Prepares a branch. */
    PREPARE(9),
    /** Commits a branch. */
    COMMIT(10),
    /** Rolls a branch back. */
    ROLLBACK(11),
    /** Limits the message ids that may be given until the next of its kind. */
    ID_LIMIT(12),
    /** Closes partitions to sends and reads, or opens them. */
    CLOSE_PARTITIONS(13),
    /** An operator commits or rolls back a prepared branch. */
    SETTLE_BY_HAND(14),
    /** Forgets what an operator decided. */
    FORGET(15),
    /** Drops whole segments from the head of a partition log. */
    TRIM(16),
    /** A piece of a large message's body. */
    PART(17),
    /** A SEND whose body came in PARTs. */
    SEND_PARTS(18),
    /** Forgets the PARTs of a message that will not be sent. */
    DROP_PARTS(19),
    /** Moves delayed messages whose time has come to their partition. */
    DUE(20),
    /** Appends delayed messages to their delay log again, so that its head can go. */
    DELAY_COMPACT(21),
    /** Lets messages be handed out that are not in one run with those before. */
    MARK(22),
    /** Moves a subscription to another place in its topic. */
    RESET(23);

    private static final int CODE_MAX = 63;
    private static final RecordType[] BY_CODE = new RecordType[CODE_MAX + 1];

    static {
        for (RecordType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final short code;

    RecordType(int code) {
        this.code = (short) code;
    }

    /** Stable number, 1..63. */
    public short code() {
        return code;
    }

    /** The type with this code, which {@link #code} gave. */
    static RecordType ofCode(short code) {
        RecordType type = code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
        if (type == null) {
            throw new IllegalStateException(
                    "record type " + code + " is unknown: a newer release wrote this journal");
        }
        return type;
    }
}
