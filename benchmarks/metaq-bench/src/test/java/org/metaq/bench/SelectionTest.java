package org.metaq.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SelectionTest {
    @Test
    void shouldTakeAllButThoseOfOriginalClientsWhenNoneIsNamed() throws BenchException {
        List<String> classic = Selection.of(List.of("classic"));
        assertThat(classic).containsExactly("C1", "C8", "Ca");
        assertThat(Selection.of(List.of()))
                .contains("W1", "W9", "W12startstop")
                .hasSize(Selection.all().size() - classic.size())
                .doesNotContainAnyElementsOf(classic);
        assertThat(Selection.rows(classic)).containsExactly("C1", "C8", "Ca", "Cd");
    }

    @Test
    void shouldTakeTheBeginningOfANameButNotOfItsNumber() throws BenchException {
        assertThat(Selection.of(List.of("w1"))).containsExactly("W1");
        assertThat(Selection.of(List.of("W12", "W5n", "W5")))
                .containsExactly(
                        "W5x1",
                        "W5x8",
                        "W5nx1",
                        "W5nx8",
                        "W12session",
                        "W12connection",
                        "W12startstop");
    }

    @Test
    void shouldRefuseANameThatMeansNothing() {
        assertThatThrownBy(() -> Selection.of(List.of("W1", "W99")))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("W99")
                .hasMessageContaining("W12session");
        assertThatThrownBy(() -> Selection.of(List.of(""))).isInstanceOf(BenchException.class);
    }

    @Test
    void shouldNameTheRowsOfWorkloads() {
        assertThat(Selection.rows(List.of("W4", "W9")))
                .containsExactly("W4p", "W4c", "W9in", "W9out");
    }

    @Test
    void shouldAskForATransactionManagerOnlyWhenOneIsUsed() {
        assertThat(Selection.needsManager(List.of("W1", "W5x8"))).isFalse();
        assertThat(Selection.needsManager(List.of("W1", "W5nx1"))).isTrue();
    }
}
