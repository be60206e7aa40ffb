package org.metaq.broker.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.metaq.broker.state.Branches.Waiting;
import org.metaq.common.BranchId;
import org.metaq.protocol.BranchOrigin;
import org.metaq.protocol.Settlement;
import org.metaq.store.StoreException;

/** Branches that a checkpoint has are read when one is asked for, and no earlier. */
class BranchesTest {
    private static final BranchId LOCAL = BranchId.local("session", 1);

    private final Branches branches = new Branches(codec());

    private static BranchCodec codec() {
        Views none =
                (Views)
                        Proxy.newProxyInstance(
                                Views.class.getClassLoader(),
                                new Class<?>[] {Views.class},
                                (proxy, method, arguments) -> {
                                    throw new AssertionError("no files: " + method);
                                });
        return new BranchCodec(none, new SharedSpills(none, () -> 1));
    }

    private static BranchId xid(int number) {
        return BranchId.xa(1, new byte[] {(byte) number}, new byte[0]);
    }

    private static Branch prepared(int number, long timeMs) {
        Branch branch = Branch.open(xid(number));
        branch.prepare(Settlement.NONE, BranchOrigin.UNKNOWN, timeMs);
        return branch;
    }

    @Test
    void shouldReadThemWhenOneIsAskedFor() {
        branches.restore(Waiting.of(List.of(prepared(1, 20), prepared(2, 10))));
        branches.restore(prepared(3, 30));
        assertThat(branches.get(xid(2)))
                .satisfies(branch -> assertThat(branch.preparedMs()).isEqualTo(10));
        assertThat(branches.all())
                .extracting(Branch::id)
                .containsExactlyInAnyOrder(xid(1), xid(2), xid(3));
        assertThat(branches.count()).isEqualTo(3);
        assertThat(branches.preparedCount()).isEqualTo(3);
        assertThat(branches.oldestPreparedMs()).isEqualTo(10);
        branches.remove(xid(2));
        assertThat(branches.oldestPreparedMs()).isEqualTo(20);
        assertThat(branches.waiting().count()).isEqualTo(2);
    }

    @Test
    void shouldNotReadThemForAStartACheckpointOrALocalTransaction() {
        ByteBuffer unreadable = ByteBuffer.wrap(new byte[] {-1, -1, -1, -1});
        branches.restore(new Waiting(100_000, 10, 0, unreadable));
        assertThat(branches.others()).isEmpty();
        assertThat(branches.get(LOCAL)).isNull();
        assertThat(branches.getOrOpen(LOCAL).id()).isEqualTo(LOCAL);
        assertThat(branches.others()).extracting(Branch::id).containsExactly(LOCAL);
        branches.remove(LOCAL);
        assertThat(branches.count()).isEqualTo(100_000);
        assertThat(branches.preparedCount()).isEqualTo(100_000);
        assertThat(branches.oldestPreparedMs()).isEqualTo(10);
        assertThat(branches.waiting().bytes()).isSameAs(unreadable);
        assertThatThrownBy(branches::all)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the checkpoint's branches do not parse");
    }
}
