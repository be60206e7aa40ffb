package org.metaq.conformance.suite;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import javax.transaction.xa.Xid;

/** Xids of a transaction manager that a test plays. */
final class Xids {
    private static final AtomicLong NUMBERS = new AtomicLong(System.nanoTime());

    private Xids() {}

    private record TestXid(byte[] global, byte[] branch) implements Xid {
        @Override
        public int getFormatId() {
            return 0x434f4e46;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return global.clone();
        }

        @Override
        public byte[] getBranchQualifier() {
            return branch.clone();
        }
    }

    /** A branch of a global transaction of its own. */
    static Xid next() {
        byte[] global = ByteBuffer.allocate(8).putLong(NUMBERS.incrementAndGet()).array();
        return new TestXid(global, new byte[] {1});
    }

    /** Another branch of the global transaction of a branch. */
    static Xid sibling(Xid xid) {
        return new TestXid(xid.getGlobalTransactionId(), new byte[] {2});
    }

    /** True if they name the same branch. */
    static boolean isSame(Xid one, Xid other) {
        return one.getFormatId() == other.getFormatId()
                && Arrays.equals(one.getGlobalTransactionId(), other.getGlobalTransactionId())
                && Arrays.equals(one.getBranchQualifier(), other.getBranchQualifier());
    }
}
