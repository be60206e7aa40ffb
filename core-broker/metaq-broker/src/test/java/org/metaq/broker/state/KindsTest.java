package org.metaq.broker.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KindsTest {
    private static final int DEFAULT = Kinds.kind(4, 1, false);
    private static final int EXPIRES = Kinds.kind(4, 1, true);
    private static final int URGENT = Kinds.kind(9, 0xFF, false);

    private final Kinds kinds = new Kinds();

    private void append(long first, long end, int kind) {
        for (long sequence = first; sequence < end; sequence++) {
            kinds.append(sequence, kind);
        }
    }

    @Test
    void shouldKnowNothingOfWhatWasThereBefore() {
        append(100, 110, DEFAULT);
        assertThat(kinds.of(99)).isEqualTo(Kinds.UNKNOWN);
        assertThat(kinds.endOfRun(5, 200)).isEqualTo(100);
        assertThat(kinds.of(100)).isEqualTo(DEFAULT);
        assertThat(kinds.endOfRun(100, 200)).isEqualTo(110);
        assertThat(kinds.of(110)).isEqualTo(Kinds.UNKNOWN);
        assertThat(kinds.endOfRun(110, 200)).isEqualTo(200);
    }

    @Test
    void shouldTakeAKindApart() {
        assertThat(Kinds.priority(URGENT)).isEqualTo(9);
        assertThat(Kinds.flags(URGENT)).isEqualTo(0xFF);
        assertThat(Kinds.priority(EXPIRES)).isEqualTo(4);
        assertThat(Kinds.flags(EXPIRES)).isEqualTo(1);
    }

    @Test
    void shouldFindWhatMayExpire() {
        append(10, 20, DEFAULT);
        append(20, 21, EXPIRES);
        append(21, 30, URGENT);
        assertThat(kinds.nextExpiring(3, 30)).isEqualTo(3);
        assertThat(kinds.nextExpiring(10, 30)).isEqualTo(20);
        assertThat(kinds.nextExpiring(21, 30)).isEqualTo(30);
        assertThat(kinds.nextExpiring(21, 40)).isEqualTo(30);
        assertThat(kinds.nextExpiring(10, 15)).isEqualTo(15);
    }

    @Test
    void shouldNeverTellAWrongKindAndKeepTheNewestThroughARestart() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            Kinds kept = new Kinds();
            List<Integer> expected = new ArrayList<>();
            int kind = DEFAULT;
            for (int i = 0; i < 300; i++) {
                if (random.nextInt(5) == 0) {
                    kind = List.of(DEFAULT, EXPIRES, URGENT).get(random.nextInt(3));
                }
                kept.append(expected.size(), kind);
                expected.add(kind);
                if (random.nextInt(50) == 0) {
                    kept = restored(kept);
                }
            }
            assertThat(kept.firsts().length).isLessThanOrEqualTo(Kinds.RUNS_MAX);
            for (long sequence = 0; sequence < 300; sequence++) {
                int found = kept.of(sequence);
                if (found != Kinds.UNKNOWN) {
                    assertThat(expected.subList((int) sequence, (int) kept.endOfRun(sequence, 300)))
                            .containsOnly(found);
                }
            }
            int known = (int) kept.endOfRun(0, 300);
            assertThat(expected.subList(known, 300)).hasSizeGreaterThanOrEqualTo(14);
            assertThat(kept.of(known)).isEqualTo(expected.get(known));
        }
    }

    private static Kinds restored(Kinds from) {
        Kinds to = new Kinds();
        for (long first : from.firsts()) {
            to.restore(first, from.end(), from.of(first));
        }
        return to;
    }
}
