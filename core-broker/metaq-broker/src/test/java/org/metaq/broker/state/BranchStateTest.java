package org.metaq.broker.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.metaq.broker.state.BranchState.COMMITTED;
import static org.metaq.broker.state.BranchState.OPEN;
import static org.metaq.broker.state.BranchState.PREPARED;
import static org.metaq.broker.state.BranchState.ROLLED_BACK;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BranchStateTest {
    private static final Map<BranchState, Set<BranchState>> MOVES =
            Map.of(
                    OPEN, Set.of(PREPARED, COMMITTED, ROLLED_BACK),
                    PREPARED, Set.of(COMMITTED, ROLLED_BACK),
                    COMMITTED, Set.of(),
                    ROLLED_BACK, Set.of());

    @Test
    void shouldAllowTheListedMovesAndNoOthers() {
        for (BranchState from : BranchState.values()) {
            for (BranchState to : BranchState.values()) {
                assertThat(from.canBecome(to))
                        .as("%s -> %s", from, to)
                        .isEqualTo(MOVES.get(from).contains(to));
            }
        }
    }
}
