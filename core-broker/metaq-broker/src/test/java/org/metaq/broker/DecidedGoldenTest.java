package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.common.BranchId;
import org.metaq.protocol.BranchOrigin;
import org.metaq.protocol.BranchStatus;
import org.metaq.protocol.BranchStatus.Share;

/**
 * State version 6 is read, in which each branch that memory had no room for has a spill file of its
 * own, and nothing tells whose branch it was that an operator decided over. {@code
 * formats/state/v6.zip} is the directory of a {@link TestBroker} of the commit before state version
 * 7, with the configuration of {@link BranchGoldenTest} and its branches of the same names; but
 * SPILLED sent 40 times "x" repeated 50 times, there is a message m2 in queue in, and a branch
 * DECIDED, which sent d0 to queue out and acknowledged m2, was committed by hand before the
 * checkpoint. The client id was "billing".
 */
class DecidedGoldenTest {
    private static final BranchId DECIDED = BranchId.xa(1, new byte[] {1}, new byte[] {4});

    @TempDir Path root;

    private static BranchStatus status(TestBroker broker, BranchId id) {
        return Objects.requireNonNull(broker.broker.admin().branch(id));
    }

    @Test
    void shouldReadBranchesAndDecisionsOfAnOlderRelease() throws IOException {
        assertThat(GoldenState.unpack("v6", root)).isEqualTo(6);
        TestBroker broker = GoldenState.broker(root, BranchGoldenTest.config());
        check(broker);
        broker.restart();
        check(broker);
        TestBroker.Client client = broker.connect();
        client.commit(BranchGoldenTest.SMALL, false);
        client.commit(BranchGoldenTest.SPILLED, false);
        client.rollback(BranchGoldenTest.JOURNALED);
        client.consume(1, client.queue("out"));
        assertThat(client.texts(1, 100))
                .hasSize(43)
                .startsWith("d0", "s0", "s1", "x".repeat(50))
                .doesNotContain("j0");
        broker.restart();
        assertThat(root.resolve("spill")).isEmptyDirectory();
    }

    private static void check(TestBroker broker) {
        assertThat(broker.broker.admin().branches(true))
                .containsExactlyInAnyOrder(
                        BranchGoldenTest.SMALL,
                        BranchGoldenTest.SPILLED,
                        BranchGoldenTest.JOURNALED);
        BranchStatus spilled = status(broker, BranchGoldenTest.SPILLED);
        assertThat(spilled.origin().clientId()).isEqualTo("billing");
        assertThat(spilled.sent()).containsExactly(new Share("queue@out", 40, 40 * (20 + 50)));
        BranchStatus decided = status(broker, DECIDED);
        assertThat(decided.state()).isEqualTo(BranchStatus.State.HEURISTIC_COMMITTED);
        assertThat(decided.decidedMs()).isEqualTo(1_700_000_001_000L);
        assertThat(decided.origin()).isEqualTo(BranchOrigin.UNKNOWN);
        assertThat(decided.sent()).isEmpty();
    }
}
