package org.metaq.broker.state;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.common.BranchId;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.BodyReader;
import org.metaq.protocol.BodyWriter;
import org.metaq.protocol.BranchOrigin;
import org.metaq.protocol.CommandCodec;
import org.metaq.protocol.MessageFormat;
import org.metaq.protocol.ProtocolException;
import org.metaq.protocol.Settlement;

/**
 * Bodies of the records, big-endian; strings are int32 length and UTF-8.
 *
 * <pre>
 * EPOCH         int32 brokerId
 * CREATE_TOPIC  string physicalName, int32 partitionCount
 * SEND          int64 producerId, int64 producerSequence, int64 expirationMs, int32 partition,
 *               int8 priority, int8 flags, string topic, string branch (empty: none),
 *               int64 deliveryTimeMs (only with the flag 64), message
 * ACKNOWLEDGE   settlement, redelivery (dead letters: what expired)
 * RELEASE       settlement, redelivery
 * DELIVERED     int64 subscriptionId, int32 partition, int64 end (2^63-1: the end of the log)
 * SUBSCRIBE     string clientId, string name, string topic, int8 flags (1 shared, 2 noLocal), string selector
 * UNSUBSCRIBE   string clientId, string name
 * PREPARE       string branch, settlement, origin (absent: not known): int64 startedMs, string user,
 *               string clientId, string connection
 * MARK          int64 subscriptionId, int32 partition, int32 count of ranges, int64 first and last of each
 *               (last 2^63-1: the end of the log)
 * RESET         string clientId, string name, string topic, int32 count, int64 start by partition
 *               (2^63-1: the end of the log)
 * COMMIT        string branch, int8 onePhase, settlement (empty after PREPARE)
 * ROLLBACK      string branch, int8 outcome, settlement (delivered in it; empty after PREPARE), redelivery
 * ID_LIMIT      int64 limit (exclusive)
 * CLOSE_PARTITIONS  string topic, int32 first, int32 last, int8 closed
 * SETTLE_BY_HAND    string branch, int8 commits, redelivery
 * FORGET        string branch
 * TRIM          string topic, int32 partition, int64 firstSequence (lowest that stays), int8 action
 *               (1 deleted, 2 archived, 3 zipped: for people who read the journal), int8 flags
 *               (1 also what subscriptions need)
 * PART          int64 uploadId, bytes
 * SEND_PARTS    as SEND with the flag 128, and int64 uploadId before, and
 *               the message's header alone for the message
 * DROP_PARTS    int64 uploadId
 * DUE           string topic, int32 partition, int32 count, count times int64 sequence in the delay log
 * DELAY_COMPACT as DUE
 * redelivery    absent, or int32 count of delays, int64 subscriptionId, int32 partition, int64 sequence,
 *               int64 dueMs, int8 strict of each; int32 count of dead letters, int64 subscriptionId (0: none),
 *               string topic, int32 partition, int64 sequence, string target (empty: dropped),
 *               int32 targetPartition, bytes attribute (empty: the same) of each
 * </pre>
 */
public final class Records {
    /** Stands for the end of the log when the record is applied. */
    public static final long END_OF_LOG = Long.MAX_VALUE;

    private static final int TRIM_DROPS_UNCONSUMED = 1;

    /** Flag of a SEND_PARTS; tells its body from that of a SEND among pending messages. */
    private static final int FLAG_PARTS = 128;

    /** Flag of a SEND or SEND_PARTS that has a delivery time. */
    private static final int FLAG_DELAYED = 64;

    private static final int SUBSCRIBE_SHARED = 1;
    private static final int SUBSCRIBE_NO_LOCAL = 2;

    private Records() {}

    /** Body of an EPOCH. */
    public static void epoch(BodyWriter out, int brokerId) {
        out.i32(brokerId);
    }

    /** Body of a CREATE_TOPIC. */
    public static void createTopic(BodyWriter out, String topic, int partitionCount) {
        out.string(topic).i32(partitionCount);
    }

    /**
     * What a SEND says of its message.
     *
     * @param branch transaction, or null
     * @param deliveryTimeMs when it may be delivered at the earliest, ms since 1970; 0: at once
     * @param uploadId where the body is; 0: in the message
     * @param message the stored form, header included, or the header alone; a view of the record
     */
    public record Send(
            long producerId,
            long producerSequence,
            long expirationMs,
            int partition,
            int priority,
            int flags,
            String topic,
            @Nullable BranchId branch,
            long deliveryTimeMs,
            long uploadId,
            ByteBuffer message) {
        /**
         * Writes the head of a SEND_PARTS, which the caller ends with the message's header.
         *
         * @param uploadId not 0
         */
        public static void writePartsHead(
                BodyWriter out,
                long producerId,
                long producerSequence,
                long expirationMs,
                int partition,
                int priority,
                int flags,
                String topic,
                @Nullable BranchId branch,
                long deliveryTimeMs,
                long uploadId) {
            writeHead(
                    out,
                    producerId,
                    producerSequence,
                    expirationMs,
                    partition,
                    priority,
                    flags | FLAG_PARTS,
                    topic,
                    branch,
                    deliveryTimeMs);
            out.i64(uploadId);
        }

        /** Writes all but the message, which the caller appends as header and body. */
        public static void writeHead(
                BodyWriter out,
                long producerId,
                long producerSequence,
                long expirationMs,
                int partition,
                int priority,
                int flags,
                String topic,
                @Nullable BranchId branch,
                long deliveryTimeMs) {
            out.i64(producerId).i64(producerSequence).i64(expirationMs).i32(partition);
            out.u8(priority)
                    .u8(deliveryTimeMs == 0 ? flags : flags | FLAG_DELAYED)
                    .string(topic)
                    .string(branch == null ? "" : branch.toString());
            if (deliveryTimeMs != 0) {
                out.i64(deliveryTimeMs);
            }
        }

        static Send read(ByteBuffer body) throws ProtocolException {
            BodyReader in = new BodyReader(body);
            long producerId = in.i64();
            long producerSequence = in.i64();
            long expirationMs = in.i64();
            int partition = in.i32();
            int priority = in.u8();
            int flags = in.u8();
            String topic = in.string();
            String branch = in.string();
            return new Send(
                    producerId,
                    producerSequence,
                    expirationMs,
                    partition,
                    priority,
                    flags & ~(FLAG_PARTS | FLAG_DELAYED),
                    topic,
                    branch.isEmpty() ? null : BranchId.parse(branch),
                    (flags & FLAG_DELAYED) != 0 ? in.i64() : 0,
                    (flags & FLAG_PARTS) != 0 ? in.i64() : 0,
                    in.rest());
        }

        /** Length of the stored message, header included. */
        long messageLength() {
            return MessageFormat.HEADER_LENGTH + (long) bodyLength();
        }

        int bodyLength() {
            return message.getInt(message.position() + MessageFormat.BODY_LENGTH_OFFSET);
        }

        long messageId() {
            return message.getLong(message.position() + MessageFormat.MESSAGE_ID_OFFSET);
        }
    }

    /** Body of an ACKNOWLEDGE or RELEASE. */
    public static void settlement(BodyWriter out, Settlement settlement, Redelivery redelivery) {
        CommandCodec.writeSettlement(out, settlement);
        redelivery.write(out);
    }

    /** Body of a MARK. */
    public static void mark(
            BodyWriter out, long subscriptionId, int partition, List<SequenceRange> ranges) {
        out.i64(subscriptionId).i32(partition).i32(ranges.size());
        ranges.forEach(range -> out.i64(range.first()).i64(range.last()));
    }

    static List<SequenceRange> readRanges(BodyReader in) throws ProtocolException {
        List<SequenceRange> ranges = new ArrayList<>();
        for (int i = in.count(2 * Long.BYTES); i > 0; i--) {
            ranges.add(new SequenceRange(in.i64(), in.i64()));
        }
        return ranges;
    }

    /**
     * Body of a RESET.
     *
     * @param name of the subscription; empty: that of the queue
     * @param starts the first sequence that is to be delivered, by partition
     */
    public static void reset(
            BodyWriter out, String clientId, String name, String topic, long[] starts) {
        out.string(clientId).string(name).string(topic).i32(starts.length);
        for (long start : starts) {
            out.i64(start);
        }
    }

    /** Body of a SUBSCRIBE. */
    public static void subscribe(BodyWriter out, Subscription.Terms terms) {
        out.string(terms.clientId()).string(terms.name()).string(terms.topic());
        out.u8(
                (terms.shared() ? SUBSCRIBE_SHARED : 0)
                        | (terms.noLocal() ? SUBSCRIBE_NO_LOCAL : 0));
        out.string(terms.selector());
    }

    static Subscription.Terms readTerms(BodyReader in) throws ProtocolException {
        String clientId = in.string();
        String name = in.string();
        String topic = in.string();
        int flags = in.u8();
        return new Subscription.Terms(
                clientId,
                name,
                topic,
                true,
                (flags & SUBSCRIBE_SHARED) != 0,
                (flags & SUBSCRIBE_NO_LOCAL) != 0,
                in.string());
    }

    /** Body of an UNSUBSCRIBE. */
    public static void unsubscribe(BodyWriter out, String clientId, String name) {
        out.string(clientId).string(name);
    }

    /** Body of a PREPARE. */
    public static void prepare(
            BodyWriter out, BranchId branch, Settlement acknowledged, BranchOrigin origin) {
        out.string(branch.toString());
        CommandCodec.writeSettlement(out, acknowledged);
        origin.write(out);
    }

    static BranchOrigin readOrigin(BodyReader in) throws ProtocolException {
        return in.remaining() == 0 ? BranchOrigin.UNKNOWN : BranchOrigin.read(in);
    }

    /** Body of a COMMIT. */
    public static void commit(
            BodyWriter out, BranchId branch, boolean onePhase, Settlement acknowledged) {
        out.string(branch.toString()).bool(onePhase);
        CommandCodec.writeSettlement(out, acknowledged);
    }

    /** Body of a ROLLBACK. */
    public static void rollback(
            BodyWriter out,
            BranchId branch,
            Outcomes.Outcome outcome,
            Settlement delivered,
            Redelivery redelivery) {
        out.string(branch.toString()).u8(outcome.code());
        CommandCodec.writeSettlement(out, delivered);
        redelivery.write(out);
    }

    /** Body of an ID_LIMIT. */
    public static void idLimit(BodyWriter out, long limit) {
        out.i64(limit);
    }

    /** Body of a CLOSE_PARTITIONS; {@code first} and {@code last} are inclusive. */
    public static void closePartitions(
            BodyWriter out, String topic, int first, int last, boolean isClosed) {
        out.string(topic).i32(first).i32(last).bool(isClosed);
    }

    /** Body of a SETTLE_BY_HAND. */
    public static void settleByHand(
            BodyWriter out, BranchId branch, boolean commits, Redelivery redelivery) {
        out.string(branch.toString()).bool(commits);
        redelivery.write(out);
    }

    /** Starts the body of a PART, which the caller ends with the bytes. */
    public static void part(BodyWriter out, long uploadId) {
        out.i64(uploadId);
    }

    /** Body of a DROP_PARTS. */
    public static void dropParts(BodyWriter out, long uploadId) {
        out.i64(uploadId);
    }

    /**
     * What a TRIM says.
     *
     * @param firstSequence lowest sequence that stays
     * @param action what was, or will be, done with the files: 1 deleted, 2 archived, 3 zipped
     * @param dropsUnconsumed whether subscriptions lose what they have not acknowledged
     */
    public record Trim(
            String topic, int partition, long firstSequence, int action, boolean dropsUnconsumed) {
        /** Writes the body. */
        public void write(BodyWriter out) {
            out.string(topic).i32(partition).i64(firstSequence).u8(action);
            out.u8(dropsUnconsumed ? TRIM_DROPS_UNCONSUMED : 0);
        }

        static Trim read(BodyReader in) throws ProtocolException {
            return new Trim(
                    in.string(),
                    in.i32(),
                    in.i64(),
                    in.u8(),
                    (in.u8() & TRIM_DROPS_UNCONSUMED) != 0);
        }
    }

    /**
     * What a DUE or DELAY_COMPACT says.
     *
     * @param sequences in the partition's delay log, in the order in which they go
     */
    public record Delayed(String topic, int partition, long[] sequences) {
        /** Writes the body. */
        public void write(BodyWriter out) {
            out.string(topic).i32(partition).i32(sequences.length);
            for (long sequence : sequences) {
                out.i64(sequence);
            }
        }

        static Delayed read(BodyReader in) throws ProtocolException {
            String topic = in.string();
            int partition = in.i32();
            long[] sequences = new long[in.count(Long.BYTES)];
            for (int i = 0; i < sequences.length; i++) {
                sequences[i] = in.i64();
            }
            return new Delayed(topic, partition, sequences);
        }
    }

    /** Body of a FORGET. */
    public static void forget(BodyWriter out, BranchId branch) {
        out.string(branch.toString());
    }
}
