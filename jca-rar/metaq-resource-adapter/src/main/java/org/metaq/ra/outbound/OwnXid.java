package org.metaq.ra.outbound;

import java.nio.ByteBuffer;
import java.util.UUID;
import javax.transaction.xa.Xid;

/** A branch that is a transaction of its own. Immutable. */
final class OwnXid implements Xid {
    /** "MQLT". */
    private static final int FORMAT = 0x4D514C54;

    private static final byte[] ONLY_BRANCH = {1};

    private final UUID id;

    private OwnXid(UUID id) {
        this.id = id;
    }

    /** One that no other transaction has. */
    static Xid random() {
        return new OwnXid(UUID.randomUUID());
    }

    @Override
    public int getFormatId() {
        return FORMAT;
    }

    @Override
    public byte[] getGlobalTransactionId() {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    @Override
    public byte[] getBranchQualifier() {
        return ONLY_BRANCH.clone();
    }

    @Override
    public String toString() {
        return "local transaction " + id;
    }
}
