package org.metaq.samples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TallyTest {
    private final OrderHash expected = new OrderHash();
    private Tally tally;

    @BeforeEach
    void expectThreeOrders() {
        expected.add("one");
        expected.add("two");
        expected.add("three");
        tally = new Tally("rows", expected);
    }

    @Test
    void shouldFindNothingWhenEachOrderCameOnceInAnyOrder() {
        tally.add(3, OrderHash.of("three"));
        tally.add(1, OrderHash.of("one"));
        tally.add(2, OrderHash.of("two"));

        assertThat(tally.differences()).isEmpty();
        assertThat(tally.total()).isEqualTo(3);
    }

    @Test
    void shouldNameOrdersThatAreLostDuplicatedChangedOrUnknown() {
        tally.add(1, OrderHash.of("one"));
        tally.add(1, OrderHash.of("one"));
        tally.add(3, OrderHash.of("thr3e"));
        tally.add(4, OrderHash.of("four"));

        assertThat(tally.differences())
                .containsExactly(
                        "rows lost: 1, orders [2]",
                        "rows duplicated: 1, orders [1]",
                        "rows with other content: 1, orders [3]",
                        "rows of no order: 1, orders [4]");
    }
}
