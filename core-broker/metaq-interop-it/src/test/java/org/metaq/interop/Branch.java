package org.metaq.interop;

import java.util.concurrent.atomic.AtomicInteger;
import javax.transaction.xa.Xid;

/** An Xid, new each time. */
record Branch(int number) implements Xid {
    private static final AtomicInteger NEXT = new AtomicInteger(1);

    static Branch next() {
        return new Branch(NEXT.getAndIncrement());
    }

    @Override
    public int getFormatId() {
        return 100;
    }

    @Override
    public byte[] getGlobalTransactionId() {
        return new byte[] {1, 2, -2, (byte) (number >> 8), (byte) number};
    }

    @Override
    public byte[] getBranchQualifier() {
        return new byte[] {1, (byte) (number >> 8), (byte) number};
    }

    /** Whether another Xid, of any class, names the same branch. */
    boolean isSame(Xid other) {
        return other.getFormatId() == getFormatId()
                && java.util.Arrays.equals(other.getGlobalTransactionId(), getGlobalTransactionId())
                && java.util.Arrays.equals(other.getBranchQualifier(), getBranchQualifier());
    }
}
