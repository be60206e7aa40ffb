package org.metaq.protocol;

import java.util.ArrayList;
import java.util.List;
import org.metaq.common.BranchId;

/**
 * What an operator sees of one branch. On the wire:
 *
 * <pre>
 * string key, int8 state, int64 preparedMs, int64 decidedMs,
 * int64 startedMs, string user, string clientId, string connection,
 * shares sent, shares acknowledged, int64 keptBytes, int64 pinnedLogBytes
 *
 * shares: int32 count, then of each destination string physical name, int64 messages, int64 bytes
 * </pre>
 *
 * @param preparedMs when it was prepared, ms since 1970; 0: it is not, or that is not known
 * @param decidedMs when an operator decided over it, ms since 1970; 0: none did
 * @param sent what a commit stores, by destination
 * @param acknowledged what it consumed, and nobody else gets before its outcome, by destination
 * @param keptBytes space that its messages take up to the outcome, in memory, spill files and
 *     checkpoints
 * @param pinnedLogBytes bytes of the partition logs that retention cannot take because of it: all
 *     from the first message that it holds
 */
public record BranchStatus(
        BranchId id,
        State state,
        BranchOrigin origin,
        long preparedMs,
        long decidedMs,
        List<Share> sent,
        List<Share> acknowledged,
        long keptBytes,
        long pinnedLogBytes) {
    private static final int SHARE_LENGTH_MIN = Integer.BYTES + 2 * Long.BYTES;

    /** Copies the lists. */
    public BranchStatus {
        sent = List.copyOf(sent);
        acknowledged = List.copyOf(acknowledged);
    }

    /** Where a branch stands. Codes are on the wire. */
    public enum State {
        /** Someone works on it. */
        ACTIVE(1),
        /** Nobody works on it any more; it can be prepared. */
        IDLE(2),
        /** Work on it is suspended. */
        SUSPENDED(3),
        /** It can only be rolled back. */
        ROLLBACK_ONLY(4),
        /** In-doubt. */
        PREPARED(5),
        /** An operator committed it, and nobody has forgotten that yet. */
        HEURISTIC_COMMITTED(6),
        /** An operator rolled it back, and nobody has forgotten that yet. */
        HEURISTIC_ROLLED_BACK(7);

        private final int code;

        State(int code) {
            this.code = code;
        }

        static State ofCode(int code) throws ProtocolException {
            for (State state : values()) {
                if (state.code == code) {
                    return state;
                }
            }
            throw new ProtocolException("no state of a branch has the code " + code);
        }
    }

    /**
     * What a branch does to one destination.
     *
     * @param topic physical name
     * @param messages how many
     * @param bytes of these, as they are stored
     */
    public record Share(String topic, long messages, long bytes) {
        /** Both together; they are of the same destination. */
        public Share plus(Share other) {
            return new Share(topic, messages + other.messages, bytes + other.bytes);
        }
    }

    /** Since when it is in its state, ms since 1970; 0: not known. */
    public long sinceMs() {
        return decidedMs != 0 ? decidedMs : preparedMs != 0 ? preparedMs : origin.startedMs();
    }

    /** Writes it. */
    public void write(BodyWriter out) {
        out.string(id.toString()).u8(state.code).i64(preparedMs).i64(decidedMs);
        origin.write(out);
        writeShares(out, sent);
        writeShares(out, acknowledged);
        out.i64(keptBytes).i64(pinnedLogBytes);
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws ProtocolException if it is not valid
     */
    public static BranchStatus read(BodyReader in) throws ProtocolException {
        BranchId id = readId(in.string());
        State state = State.ofCode(in.u8());
        long preparedMs = in.i64();
        long decidedMs = in.i64();
        return new BranchStatus(
                id,
                state,
                BranchOrigin.read(in),
                preparedMs,
                decidedMs,
                readShares(in),
                readShares(in),
                in.i64(),
                in.i64());
    }

    private static BranchId readId(String key) throws ProtocolException {
        try {
            return BranchId.parse(key);
        } catch (IllegalArgumentException e) {
            throw new ProtocolException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Writes int32 count, then string physical name, int64 messages, int64 bytes of each. */
    public static void writeShares(BodyWriter out, List<Share> shares) {
        out.i32(shares.size());
        shares.forEach(share -> out.string(share.topic).i64(share.messages).i64(share.bytes));
    }

    /**
     * Reads what {@link #writeShares} wrote.
     *
     * @throws ProtocolException if it is cut short
     */
    public static List<Share> readShares(BodyReader in) throws ProtocolException {
        List<Share> shares = new ArrayList<>();
        for (int i = in.count(SHARE_LENGTH_MIN); i > 0; i--) {
            shares.add(new Share(in.string(), in.i64(), in.i64()));
        }
        return shares;
    }
}
