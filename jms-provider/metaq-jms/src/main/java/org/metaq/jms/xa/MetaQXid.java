package org.metaq.jms.xa;

import java.util.Arrays;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;
import org.metaq.common.BranchId;

/** The Xid of a branch that the broker named. Immutable. */
final class MetaQXid implements Xid {
    private final BranchId branch;

    MetaQXid(BranchId branch) {
        this.branch = branch;
    }

    /**
     * The branch of an Xid.
     *
     * @throws IllegalArgumentException if a part of it is too long
     */
    static BranchId branchOf(Xid xid) {
        return BranchId.xa(
                xid.getFormatId(), xid.getGlobalTransactionId(), xid.getBranchQualifier());
    }

    @Override
    public int getFormatId() {
        return branch.format();
    }

    @Override
    public byte[] getGlobalTransactionId() {
        return branch.global();
    }

    @Override
    public byte[] getBranchQualifier() {
        return branch.branch();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Xid that
                && getFormatId() == that.getFormatId()
                && Arrays.equals(getGlobalTransactionId(), that.getGlobalTransactionId())
                && Arrays.equals(getBranchQualifier(), that.getBranchQualifier());
    }

    @Override
    public int hashCode() {
        return branch.hashCode();
    }

    @Override
    public String toString() {
        return branch.toString();
    }
}
