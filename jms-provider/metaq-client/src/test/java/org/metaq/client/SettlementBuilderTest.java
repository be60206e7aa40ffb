package org.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.Settlement;

class SettlementBuilderTest {
    private final SettlementBuilder builder = new SettlementBuilder();

    @Test
    void shouldBuildNothingFromNothing() {
        assertThat(builder.isEmpty()).isTrue();
        assertThat(builder.build()).isSameAs(Settlement.NONE);
    }

    @Test
    void shouldKeepSubscriptionsAndPartitionsApart() {
        builder.add(1, 0, 5).add(1, 1, 6).add(2, 0, 7).add(1, 0, 6);
        assertThat(builder.build().entries())
                .containsExactly(
                        new Settlement.Entry(1, 0, List.of(new SequenceRange(5, 6))),
                        new Settlement.Entry(1, 1, List.of(new SequenceRange(6, 6))),
                        new Settlement.Entry(2, 0, List.of(new SequenceRange(7, 7))));
        assertThat(builder.count()).isEqualTo(4);
    }

    @Test
    void shouldForgetAllWhenCleared() {
        builder.add(1, 0, 5).clear();
        assertThat(builder.isEmpty()).isTrue();
        assertThat(builder.build().isEmpty()).isTrue();
    }

    @Test
    void shouldBuildTheFewestRangesWhateverTheOrder() {
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            TreeSet<Long> expected = new TreeSet<>();
            List<Long> added = new ArrayList<>();
            for (int i = random.nextInt(60); i >= 0; i--) {
                long sequence = random.nextInt(50);
                expected.add(sequence);
                added.add(sequence);
            }
            if (random.nextBoolean()) {
                Collections.sort(added);
            }
            builder.clear();
            added.forEach(sequence -> builder.add(9, 4, sequence));
            long[] ascending = expected.stream().mapToLong(Long::longValue).toArray();
            assertThat(builder.build().entries())
                    .as("seed %d", seed)
                    .containsExactly(
                            new Settlement.Entry(9, 4, SequenceRange.ofAscending(ascending)));
        }
    }
}
