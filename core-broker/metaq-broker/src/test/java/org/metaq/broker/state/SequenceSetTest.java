package org.metaq.broker.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.metaq.common.SequenceRange;

class SequenceSetTest {
    @Test
    void shouldAgreeWithASetOfNumbersUnderRandomOperations() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        SequenceSet set = new SequenceSet();
        TreeSet<Long> model = new TreeSet<>();
        for (int i = 0; i < 20_000; i++) {
            long first = random.nextInt(200);
            long last = first + random.nextInt(20);
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    set.add(first, last);
                    for (long s = first; s <= last; s++) {
                        model.add(s);
                    }
                }
                case 2 -> {
                    set.remove(first, last);
                    model.subSet(first, true, last, true).clear();
                }
                default -> {
                    if (!model.isEmpty()) {
                        assertThat(set.pollFirst()).isEqualTo(model.pollFirst());
                    }
                }
            }
            assertAgrees(seed, set, model);
        }
    }

    private static void assertAgrees(long seed, SequenceSet set, TreeSet<Long> model) {
        assertThat(set.count()).as("seed %d", seed).isEqualTo(model.size());
        long previousLast = -2;
        for (SequenceRange range : set.ranges()) {
            assertThat(range.first()).as("merged, seed %d", seed).isGreaterThan(previousLast + 1);
            assertThat(model.subSet(range.first(), true, range.last(), true))
                    .hasSize((int) range.count());
            assertThat(set.containsAll(range)).isTrue();
            assertThat(set.contains(range.last() + 1)).isFalse();
            assertThat(set.lastOfRangeOf(range.first())).isEqualTo(range.last());
            previousLast = range.last();
        }
    }
}
