package org.metaq.sim;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.metaq.store.io.StoreFile;

/**
 * The log of a transaction manager, by presumed abort: which global transactions are to be
 * committed and are not known to be committed everywhere. What is not here is to be rolled back.
 *
 * <pre>
 * off len field of a record, all integers big-endian
 *   0   8 number   int64, of the global transaction
 *   8   4 brokers  int32, bit n: a branch at broker n; 0: finished
 *  12   4 crc      int32, CRC-32 of bytes 0..12; the first record that it does not fit ends the log
 * </pre>
 */
final class DecisionLog {
    private static final String PATH = "decisions";
    private static final int CRC_OFFSET = Long.BYTES + Integer.BYTES;
    private static final int RECORD_LENGTH = CRC_OFFSET + Integer.BYTES;

    private final StoreFile file;
    private final Map<Long, Integer> unfinished = new TreeMap<>();
    private long end;

    private DecisionLog(StoreFile file) {
        this.file = file;
    }

    /** Reads what is on the disk; what was read is durable. */
    static DecisionLog open(SimDisk disk) {
        DecisionLog log = new DecisionLog(disk.open(PATH));
        disk.forceDirectory("");
        ByteBuffer record = ByteBuffer.allocate(RECORD_LENGTH);
        while (log.file.read(record.clear(), log.end) == RECORD_LENGTH
                && record.getInt(CRC_OFFSET) == crc(record)) {
            log.take(record.getLong(0), record.getInt(Long.BYTES));
            log.end += RECORD_LENGTH;
        }
        log.file.truncate(log.end);
        log.file.force(true);
        return log;
    }

    private void take(long number, int brokers) {
        if (brokers == 0) {
            unfinished.remove(number);
        } else {
            unfinished.put(number, brokers);
        }
    }

    private static int crc(ByteBuffer record) {
        CRC32 crc = new CRC32();
        crc.update(record.slice(0, CRC_OFFSET));
        return (int) crc.getValue();
    }

    /** Decides that a global transaction is committed; durable on return. */
    void commit(long number, int brokers) {
        append(number, brokers);
        file.force(true);
    }

    /** It is committed everywhere. Not forced: who forgets this commits once more. */
    void finished(long number) {
        append(number, 0);
    }

    private void append(long number, int brokers) {
        ByteBuffer record = ByteBuffer.allocate(RECORD_LENGTH);
        record.putLong(number).putInt(brokers).putInt(crc(record)).flip();
        file.write(record, end);
        end += RECORD_LENGTH;
        take(number, brokers);
    }

    /** To be committed: the brokers of each, as they were decided. */
    Map<Long, Integer> unfinished() {
        return new TreeMap<>(unfinished);
    }
}
