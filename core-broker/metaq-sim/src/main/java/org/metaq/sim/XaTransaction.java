package org.metaq.sim;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.common.BranchId;

/** A global transaction: its branches, and what was decided and told. */
final class XaTransaction {
    /** What the application hears from {@code commit} or {@code rollback}. */
    enum Told {
        COMMITTED,
        ROLLED_BACK,
        /** An operator has decided otherwise for a branch. */
        HEURISTIC
    }

    private static final int FORMAT = 7;

    final long number;
    final String manager;
    final List<XaBranch> branches = new ArrayList<>();

    /** The decision to commit is durable in the manager's log. */
    boolean isDecided;

    /** Null: nobody was there any more to tell. */
    @Nullable Told told;

    /** A transaction of a manager; its branches are for the brokers in this order. */
    XaTransaction(long number, String manager, List<XaNode> nodes) {
        this.number = number;
        this.manager = manager;
        byte[] global = (manager + "." + number).getBytes(StandardCharsets.UTF_8);
        for (XaNode node : nodes) {
            BranchId id = BranchId.xa(FORMAT, global, new byte[] {(byte) node.number()});
            branches.add(new XaBranch(this, node, id));
        }
    }

    /** Whose a branch is, as its global id tells. */
    static String managerOf(BranchId id) {
        String global = new String(id.global(), StandardCharsets.UTF_8);
        return global.substring(0, global.indexOf('.'));
    }

    boolean isOnePhase() {
        return branches.size() == 1;
    }

    /** Bit n: it has a branch at broker n that is to be committed. */
    static int maskOf(List<XaBranch> branches) {
        int mask = 0;
        for (XaBranch branch : branches) {
            mask |= 1 << branch.node.number();
        }
        return mask;
    }

    @Override
    public String toString() {
        return manager + "." + number;
    }
}
