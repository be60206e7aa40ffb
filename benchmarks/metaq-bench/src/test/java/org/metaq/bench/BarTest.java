package org.metaq.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BarTest {
    private final Results results = new Results(List.of("W1", "W2"));

    @BeforeEach
    void addRounds() {
        results.add("ours", measurement("W1", 6000, 250));
        results.add("peer", measurement("W1", 4000, 900));
        results.add("ours", measurement("W2", 6000, 350));
    }

    private static Measurement measurement(String name, double rate, double memory) {
        return new Measurement(name, Map.of(Metric.RATE, rate, Metric.BROKER_RSS_MB, memory));
    }

    private List<Bar.Verdict> verdicts(String line) {
        return Bar.judge(List.of(Bar.parse(line)), results, "ours");
    }

    @Test
    void shouldCompareARatioWithTheBar() {
        assertThat(verdicts("W1 peer perSecond >= 1.5"))
                .extracting(Bar.Verdict::isMet)
                .containsExactly(true);
        assertThat(verdicts("W1 peer perSecond >= 1.6"))
                .extracting(Bar.Verdict::toString)
                .containsExactly("W1 perSecond / peer >= 1.60: 1.50, NOT MET");
        assertThat(verdicts("W1 peer perSecond <= 1.4"))
                .extracting(Bar.Verdict::isMet)
                .containsExactly(false);
    }

    @Test
    void shouldCompareOurOwnValueOfEveryRow() {
        assertThat(verdicts("* - brokerPeakRssMb <= 300"))
                .extracting(Bar.Verdict::row, Bar.Verdict::isMet)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("W1", true),
                        org.assertj.core.groups.Tuple.tuple("W2", false));
    }

    @Test
    void shouldSayNothingOfWhatWasNotMeasured() {
        assertThat(verdicts("W2 peer perSecond >= 1")).isEmpty();
        assertThat(verdicts("W1 other perSecond >= 1")).isEmpty();
    }

    @Test
    void shouldHaveBarsOnlyForRowsThatThereAre() {
        List<String> rows = Selection.rows(List.copyOf(Selection.all().keySet()));
        assertThat(Bar.all())
                .hasSizeGreaterThan(20)
                .allSatisfy(
                        bar ->
                                assertThat(bar.row().equals(Bar.ANY) || rows.contains(bar.row()))
                                        .as(bar.row())
                                        .isTrue());
    }

    @Test
    void shouldRefuseALineThatIsNoBar() {
        assertThatThrownBy(() -> Bar.parse("W1 peer perSecond > 1"))
                .hasMessageContaining("W1 peer perSecond > 1");
        assertThatThrownBy(() -> Bar.parse("W1 peer beauty >= 1")).hasMessageContaining("beauty");
    }
}
