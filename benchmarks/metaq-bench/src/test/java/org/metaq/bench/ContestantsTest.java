package org.metaq.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ContestantsTest {
    @Test
    void shouldTurnTheOrderInEveryOtherRound() {
        List<String> all = List.of("ours", "peer", "other");
        assertThat(List.of(1, 2, 3))
                .map(number -> Contestants.inRound(number, all))
                .containsExactly(all, List.of("other", "peer", "ours"), all);
    }
}
