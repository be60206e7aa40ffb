package org.metaq.store.journal;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.metaq.store.StoreException;
import org.metaq.store.journal.JournalRecord.Need;

/**
 * Bytes of a batch in a segment. Confined to the writer thread.
 *
 * <pre>
 *  off len field                         (all integers big-endian)
 *    0   4 magic        "MQJB"
 *    4   4 headerCrc    uint32, CRC-32C over: the segment's firstEntry and the batch's position in
 *                       the file (int64 each, not stored), then bytes 8..52
 *    8   4 length       int32, of the batch without padding, 52 + records
 *   12   4 bodyCrc      uint32, CRC-32C over bytes 52..length
 *   16   8 entry        int64, previous + 1
 *   24   8 epoch        int64, never less than the previous
 *   32   8 timeMs       int64, wall clock of the leader, ms since 1970
 *   40   8 forcedEntry  int64, highest entry known to be durable when this one was encoded
 *   48   4 recordCount  int32, 1 or more
 *   52     records      one after the other:
 *    0   2 type           int16, the state machine's
 *    2   1 need           int8, 0 LAZY, 1 SEND_POLICY, 2 TRANSACTION_POLICY, 3 SYNC
 *    3   4 length         int32, 0 or more
 *    7     body
 *          padding      zeroes up to a multiple of 8
 * </pre>
 *
 * Batches start at multiples of 8. The header has a CRC of its own so that its length can be
 * believed before the body is read, and so that a header alone can prove that earlier entries were
 * durable. The firstEntry and position inside that CRC make a header valid at one place of one
 * segment only: what a recycled file still holds, and what looks like a batch inside a message
 * body, is none.
 *
 * <p>A torn write looks like: no magic, a wrong headerCrc, or a wrong bodyCrc.
 */
final class BatchCodec {
    static final int MAGIC = 0x4D514A42;

    static final int MAGIC_OFFSET = 0;
    static final int MAGIC_LENGTH = 4;
    static final int HEADER_CRC_OFFSET = MAGIC_OFFSET + MAGIC_LENGTH;
    static final int HEADER_CRC_LENGTH = 4;
    static final int LENGTH_OFFSET = HEADER_CRC_OFFSET + HEADER_CRC_LENGTH;
    static final int LENGTH_LENGTH = 4;
    static final int BODY_CRC_OFFSET = LENGTH_OFFSET + LENGTH_LENGTH;
    static final int BODY_CRC_LENGTH = 4;
    static final int ENTRY_OFFSET = BODY_CRC_OFFSET + BODY_CRC_LENGTH;
    static final int ENTRY_LENGTH = 8;
    static final int EPOCH_OFFSET = ENTRY_OFFSET + ENTRY_LENGTH;
    static final int EPOCH_LENGTH = 8;
    static final int TIME_OFFSET = EPOCH_OFFSET + EPOCH_LENGTH;
    static final int TIME_LENGTH = 8;
    static final int FORCED_ENTRY_OFFSET = TIME_OFFSET + TIME_LENGTH;
    static final int FORCED_ENTRY_LENGTH = 8;
    static final int RECORD_COUNT_OFFSET = FORCED_ENTRY_OFFSET + FORCED_ENTRY_LENGTH;
    static final int RECORD_COUNT_LENGTH = 4;
    static final int HEADER_LENGTH = RECORD_COUNT_OFFSET + RECORD_COUNT_LENGTH;

    static final int RECORD_TYPE_OFFSET = 0;
    static final int RECORD_TYPE_LENGTH = 2;
    static final int RECORD_NEED_OFFSET = RECORD_TYPE_OFFSET + RECORD_TYPE_LENGTH;
    static final int RECORD_NEED_LENGTH = 1;
    static final int RECORD_LENGTH_OFFSET = RECORD_NEED_OFFSET + RECORD_NEED_LENGTH;
    static final int RECORD_LENGTH_LENGTH = 4;
    static final int RECORD_HEADER_LENGTH = RECORD_LENGTH_OFFSET + RECORD_LENGTH_LENGTH;

    /** Batches start at multiples of it. */
    static final int ALIGNMENT = 8;

    private static final Need[] NEEDS = {
        Need.LAZY, Need.SEND_POLICY, Need.TRANSACTION_POLICY, Need.SYNC
    };

    private final CRC32C crc = new CRC32C();
    private final ByteBuffer place = ByteBuffer.allocate(2 * Long.BYTES);

    /** Length rounded up to where the next batch starts. */
    static long padded(long length) {
        return (length + ALIGNMENT - 1) & -ALIGNMENT;
    }

    /** Bytes that a batch takes, without padding. */
    static long encodedLength(Batch batch) {
        long length = HEADER_LENGTH;
        List<JournalRecord> records = batch.records();
        for (int i = 0; i < records.size(); i++) {
            length += RECORD_HEADER_LENGTH + records.get(i).body().remaining();
        }
        return length;
    }

    /**
     * Writes a batch, with its padding, to {@code to} at {@code index}; leaves all positions and
     * limits alone.
     *
     * @param firstEntry of the segment it will be in
     * @param position in that segment
     */
    void encode(
            Batch batch,
            long entry,
            long forcedEntry,
            long firstEntry,
            long position,
            ByteBuffer to,
            int index) {
        List<JournalRecord> records = batch.records();
        int at = index + HEADER_LENGTH;
        for (int i = 0; i < records.size(); i++) {
            at = encodeRecord(records.get(i), to, at);
        }
        int length = at - index;
        for (int end = index + (int) padded(length); at < end; at++) {
            to.put(at, (byte) 0);
        }
        to.putInt(index + MAGIC_OFFSET, MAGIC);
        to.putInt(index + LENGTH_OFFSET, length);
        to.putInt(index + BODY_CRC_OFFSET, bodyCrc(to, index, length));
        to.putLong(index + ENTRY_OFFSET, entry);
        to.putLong(index + EPOCH_OFFSET, batch.epoch());
        to.putLong(index + TIME_OFFSET, batch.timeMs());
        to.putLong(index + FORCED_ENTRY_OFFSET, forcedEntry);
        to.putInt(index + RECORD_COUNT_OFFSET, records.size());
        to.putInt(index + HEADER_CRC_OFFSET, headerCrc(to, index, firstEntry, position));
    }

    private static int encodeRecord(JournalRecord record, ByteBuffer to, int at) {
        ByteBuffer body = record.body();
        int bodyLength = body.remaining();
        to.putShort(at + RECORD_TYPE_OFFSET, record.type());
        to.put(at + RECORD_NEED_OFFSET, needCode(record.need()));
        to.putInt(at + RECORD_LENGTH_OFFSET, bodyLength);
        to.put(at + RECORD_HEADER_LENGTH, body, body.position(), bodyLength);
        return at + RECORD_HEADER_LENGTH + bodyLength;
    }

    /** True if a batch's undamaged header stands at {@code index}; its body is not looked at. */
    boolean isHeader(ByteBuffer bytes, int index, long firstEntry, long position) {
        return bytes.limit() - index >= HEADER_LENGTH
                && bytes.getInt(index + MAGIC_OFFSET) == MAGIC
                && bytes.getInt(index + HEADER_CRC_OFFSET)
                        == headerCrc(bytes, index, firstEntry, position)
                && length(bytes, index) >= HEADER_LENGTH;
    }

    /** True if the body behind an undamaged header, all of it in {@code bytes}, is undamaged. */
    boolean isBodyWhole(ByteBuffer bytes, int index) {
        return bytes.getInt(index + BODY_CRC_OFFSET) == bodyCrc(bytes, index, length(bytes, index));
    }

    static int length(ByteBuffer bytes, int index) {
        return bytes.getInt(index + LENGTH_OFFSET);
    }

    static long entry(ByteBuffer bytes, int index) {
        return bytes.getLong(index + ENTRY_OFFSET);
    }

    static long epoch(ByteBuffer bytes, int index) {
        return bytes.getLong(index + EPOCH_OFFSET);
    }

    static long forcedEntry(ByteBuffer bytes, int index) {
        return bytes.getLong(index + FORCED_ENTRY_OFFSET);
    }

    /**
     * Reads a batch whose header and body are undamaged; the bodies are views of {@code bytes}.
     *
     * @throws StoreException CORRUPT if its lengths do not add up, which no torn write can cause
     */
    static Batch decode(ByteBuffer bytes, int index) {
        int end = index + length(bytes, index);
        int count = bytes.getInt(index + RECORD_COUNT_OFFSET);
        if (count < 1 || count > (end - index) / RECORD_HEADER_LENGTH) {
            throw malformed(bytes, index, "it counts " + count + " records");
        }
        List<JournalRecord> records = new ArrayList<>(count);
        int at = index + HEADER_LENGTH;
        for (int i = 0; i < count; i++) {
            int room = end - at - RECORD_HEADER_LENGTH;
            int length = room < 0 ? -1 : bytes.getInt(at + RECORD_LENGTH_OFFSET);
            if (length < 0 || length > room) {
                throw malformed(bytes, index, "record " + i + " runs over its end");
            }
            int code = bytes.get(at + RECORD_NEED_OFFSET);
            if (code < 0 || code >= NEEDS.length) {
                throw malformed(bytes, index, "record " + i + " has need " + code);
            }
            records.add(
                    new JournalRecord(
                            bytes.getShort(at + RECORD_TYPE_OFFSET),
                            bytes.slice(at + RECORD_HEADER_LENGTH, length),
                            NEEDS[code]));
            at += RECORD_HEADER_LENGTH + length;
        }
        if (at != end) {
            throw malformed(bytes, index, (end - at) + " bytes follow its last record");
        }
        return new Batch(epoch(bytes, index), bytes.getLong(index + TIME_OFFSET), records);
    }

    private static StoreException malformed(ByteBuffer bytes, int index, String why) {
        return new StoreException(
                StoreException.Kind.CORRUPT,
                "entry "
                        + entry(bytes, index)
                        + " of the journal has a right checksum and wrong content: "
                        + why);
    }

    private static byte needCode(Need need) {
        return switch (need) {
            case LAZY -> 0;
            case SEND_POLICY -> 1;
            case TRANSACTION_POLICY -> 2;
            case SYNC -> 3;
        };
    }

    private int headerCrc(ByteBuffer bytes, int index, long firstEntry, long position) {
        place.putLong(0, firstEntry).putLong(Long.BYTES, position);
        crc.reset();
        crc.update(place.array(), 0, place.capacity());
        crc.update(bytes.slice(index + LENGTH_OFFSET, HEADER_LENGTH - LENGTH_OFFSET));
        return (int) crc.getValue();
    }

    private int bodyCrc(ByteBuffer bytes, int index, int length) {
        crc.reset();
        crc.update(bytes.slice(index + HEADER_LENGTH, length - HEADER_LENGTH));
        return (int) crc.getValue();
    }
}
