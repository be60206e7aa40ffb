package org.metaq.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class TallyTest {
    private static final List<Integer> NONE = List.of();
    private static final List<Integer> ONE = List.of(1);

    @Test
    void shouldFindNothingWrongWithWhatHasNotMovedOrHasMovedOnce() {
        assertThat(tally(ONE, NONE, NONE)).isEqualTo(new Tally(0, 0));
        assertThat(tally(NONE, ONE, ONE)).isEqualTo(new Tally(0, 0));
    }

    @Test
    void shouldFindWhatIsNowhereOrInOnePlaceOfTwo() {
        assertThat(tally(NONE, NONE, NONE)).isEqualTo(new Tally(1, 0));
        assertThat(tally(NONE, ONE, NONE)).isEqualTo(new Tally(1, 0));
        assertThat(tally(NONE, NONE, ONE)).isEqualTo(new Tally(1, 0));
    }

    @Test
    void shouldFindWhatIsThereTwice() {
        assertThat(tally(ONE, ONE, ONE)).isEqualTo(new Tally(0, 1));
        assertThat(tally(ONE, NONE, ONE)).isEqualTo(new Tally(0, 1));
        assertThat(tally(NONE, List.of(1, 1), ONE)).isEqualTo(new Tally(0, 1));
    }

    @Test
    void shouldNotMissWhatWasSentWithoutAnAnswer() {
        Tally tally = Tally.of(new BitSet(), NONE, NONE, NONE);

        assertThat(tally).isEqualTo(new Tally(0, 0));
        assertThat(Tally.of(new BitSet(), NONE, ONE, ONE)).isEqualTo(new Tally(0, 0));
        assertThat(Tally.of(new BitSet(), NONE, ONE, NONE)).isEqualTo(new Tally(1, 0));
    }

    private static Tally tally(List<Integer> source, List<Integer> target, List<Integer> database) {
        BitSet sent = new BitSet();
        sent.set(1);
        return Tally.of(sent, source, target, database);
    }
}
