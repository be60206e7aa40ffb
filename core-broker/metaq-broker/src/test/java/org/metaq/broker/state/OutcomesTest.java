package org.metaq.broker.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.metaq.broker.state.Outcomes.Outcome;
import org.metaq.common.BranchId;

class OutcomesTest {
    private static final int COUNT_MAX = 100;

    private final Outcomes outcomes = new Outcomes(1_000, COUNT_MAX);

    private static BranchId xid(int number) {
        return BranchId.xa(1, ByteBuffer.allocate(4).putInt(number).array(), new byte[0]);
    }

    @Test
    void shouldForgetAnOutcomeWhenItsTimeIsOver() {
        outcomes.add(xid(1), Outcome.COMMITTED, 0);
        outcomes.add(xid(2), Outcome.ROLLED_BACK, 1_000);
        assertThat(outcomes.of(xid(1))).isEqualTo(Outcome.COMMITTED);
        outcomes.add(xid(3), Outcome.TIMED_OUT, 1_001);
        assertThat(outcomes.of(xid(1))).isNull();
        assertThat(outcomes.of(xid(2))).isEqualTo(Outcome.ROLLED_BACK);
        assertThat(outcomes.of(xid(3))).isEqualTo(Outcome.TIMED_OUT);
    }

    @Test
    void shouldKeepOnlyTheLastLocalTransactionOfASession() {
        outcomes.add(BranchId.local("s", 1), Outcome.COMMITTED, 0);
        outcomes.add(BranchId.local("s", 2), Outcome.ROLLED_BACK, 0);
        outcomes.add(BranchId.local("t", 1), Outcome.COMMITTED, 0);
        assertThat(outcomes.of(BranchId.local("s", 1))).isNull();
        assertThat(outcomes.of(BranchId.local("s", 2))).isEqualTo(Outcome.ROLLED_BACK);
        assertThat(outcomes.byAge()).hasSize(2);
    }

    @Test
    void shouldHoldNoMoreThanItsLimit() {
        for (int i = 0; i <= COUNT_MAX; i++) {
            outcomes.add(xid(i), Outcome.COMMITTED, 0);
        }
        assertThat(outcomes.byAge()).hasSize(COUNT_MAX);
        assertThat(outcomes.of(xid(0))).isNull();
        assertThat(outcomes.of(xid(1))).isEqualTo(Outcome.COMMITTED);
    }

    @Test
    void shouldTellHowFarBackAllAreKnown() {
        assertThat(outcomes.areAllKnown(500, 1_500)).isTrue();
        assertThat(outcomes.areAllKnown(499, 1_500)).as("beyond the retention").isFalse();
        for (int i = 0; i < COUNT_MAX; i++) {
            outcomes.add(xid(i), Outcome.COMMITTED, 1_000 + i);
        }
        assertThat(outcomes.areAllKnown(1_000, 1_500)).as("one may have made room").isFalse();
        assertThat(outcomes.areAllKnown(1_001, 1_500)).isTrue();
        outcomes.add(xid(COUNT_MAX), Outcome.COMMITTED, 1_200);
        assertThat(outcomes.areAllKnown(1_001, 1_500)).isFalse();
        assertThat(outcomes.areAllKnown(1_002, 1_500)).isTrue();
    }
}
