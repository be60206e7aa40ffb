package org.metaq.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RatiosTest {
    private static final Ratios.Tolerance TOLERANCE = new Ratios.Tolerance(0.75, 1.5);

    @TempDir Path directory;

    private static Ratios ratios(double rate, double p99) {
        Results results = new Results(List.of("W1"));
        results.add("ours", measurement(1000 * rate, 100 * p99));
        results.add("peer", measurement(1000, 100));
        return Ratios.of(results, "ours");
    }

    private static Measurement measurement(double rate, double p99) {
        return new Measurement("W1", Map.of(Metric.RATE, rate, Metric.P99_US, p99));
    }

    @Test
    void shouldReadTheRatiosThatItWrote() throws Exception {
        Path file = directory.resolve("ratios.txt");
        Ratios ratios = ratios(2.5, 0.5);
        assertThat(ratios.values()).hasSize(2);
        ratios.write(file);
        assertThat(Ratios.read(file)).isEqualTo(ratios);
    }

    @Test
    void shouldFindWhatIsClearlyWorseThanRecorded() {
        Ratios recorded = ratios(2, 0.5);
        assertThat(ratios(1.6, 0.7).regressionsFrom(recorded, TOLERANCE)).isEmpty();
        assertThat(ratios(4, 0.1).regressionsFrom(recorded, TOLERANCE)).isEmpty();
        assertThat(ratios(1.4, 0.8).regressionsFrom(recorded, TOLERANCE))
                .containsExactly(
                        "W1 against peer: ratio of perSecond is 1.40, was 2.00",
                        "W1 against peer: ratio of latencyP99Us is 0.80, was 0.50");
    }

    @Test
    void shouldNotCompareWhatOnlyOneRunHas() {
        Ratios none = Ratios.of(new Results(List.of()), "ours");
        assertThat(none.regressionsFrom(ratios(2, 1), TOLERANCE)).isEmpty();
        assertThat(none.comparedWith(ratios(2, 1))).isZero();
        assertThat(ratios(1, 1).comparedWith(ratios(2, 1))).isEqualTo(2);
    }

    @Test
    void shouldSayWhichLineIsNoRatio() throws Exception {
        Path file = directory.resolve("ratios.txt");
        Files.writeString(file, "# comment\nW1 peer perSecond\n");
        assertThatThrownBy(() -> Ratios.read(file)).hasMessageContaining("W1 peer perSecond");
        Files.writeString(file, "W1 peer perSecond much\n");
        assertThatThrownBy(() -> Ratios.read(file)).hasMessageContaining("much");
        assertThatThrownBy(() -> Ratios.read(directory.resolve("missing")))
                .hasMessageContaining("--record");
    }
}
