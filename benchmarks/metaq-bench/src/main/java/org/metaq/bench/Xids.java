package org.metaq.bench;

import java.nio.ByteBuffer;
import java.util.UUID;
import javax.transaction.xa.Xid;

/** Identifiers of branches that no other process uses. Confined to one thread. */
final class Xids {
    private static final int FORMAT_ID = 0x4d42;

    private final UUID origin = UUID.randomUUID();
    private long count;

    /** One that was not used yet. */
    Xid next() {
        byte[] global =
                ByteBuffer.allocate(3 * Long.BYTES)
                        .putLong(origin.getMostSignificantBits())
                        .putLong(origin.getLeastSignificantBits())
                        .putLong(count++)
                        .array();
        return new BranchXid(global);
    }

    private record BranchXid(byte[] global) implements Xid {
        @Override
        public int getFormatId() {
            return FORMAT_ID;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return global.clone();
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }
}
