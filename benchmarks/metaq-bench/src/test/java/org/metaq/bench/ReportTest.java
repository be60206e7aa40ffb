package org.metaq.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReportTest {
    private final Results results = new Results(List.of("W1"));

    @BeforeEach
    void addRounds() {
        for (double rate : new double[] {4000, 9000, 6000}) {
            results.add("ours", measurement(rate, 0));
            results.add("peer", measurement(rate / 2, 0));
        }
    }

    private static Measurement measurement(double rate, double lost) {
        return new Measurement(
                "W1", Map.of(Metric.RATE, rate, Metric.LOST, lost, Metric.DOUBLED, 0.0));
    }

    @Test
    void shouldTakeTheMedianAndTheRange() {
        assertThat(results.spread("W1", "ours", Metric.RATE))
                .isEqualTo(new Results.Spread(6000, 4000, 9000));
        results.add("ours", measurement(8000, 0));
        assertThat(results.spread("W1", "ours", Metric.RATE).median()).isEqualTo(7000);
    }

    @Test
    void shouldShowRatesAndRatiosAndDashesForWhatWasNotMeasured() {
        String table = Table.of(results, "ours", List.of());
        assertThat(table)
                .contains("6,000 (4,000-9,000)")
                .contains("ours / peer: rate 2.00, p50 -")
                .doesNotContain("NaN");
    }

    @Test
    void shouldNotBeCompleteOnceAMessageIsLost() {
        assertThat(results.isComplete("peer")).isTrue();
        results.add("peer", measurement(1, 1));
        assertThat(results.isComplete("peer")).isFalse();
        assertThat(results.isComplete("ours")).isTrue();
    }

    @Test
    void shouldWriteEveryRoundAsJson() {
        String json = JsonReport.of(Map.of("disk", "a \"quoted\" one\n"), results);
        assertThat(json)
                .contains("\"disk\": \"a \\\"quoted\\\" one\\u000a\"")
                .contains(
                        "{\"workload\": \"W1\", \"provider\": \"ours\", \"round\": 3,"
                                + " \"perSecond\": 6000.000");
        assertThat(json.split("\"round\": ", -1)).hasSize(7);
    }

    @Test
    void shouldSayWhyARowIsMissing() {
        results.addFailure("peer", "W1", "cannot <do> it");
        results.addFailure("peer", "W2", "cannot <do> it");
        assertThat(Table.of(results, "ours", List.of()))
                .containsPattern("W2 +peer +- cannot <do> it");
        assertThat(JsonReport.of(Map.of(), results)).contains("\"failed\": \"cannot <do> it\"");
        assertThat(html()).contains("- cannot &lt;do&gt; it").doesNotContain("<do>");
        assertThat(results.isComplete("peer")).isFalse();
    }

    @Test
    void shouldMarkRoundsInWhichOthersWorked() {
        results.add("ours", measurement(5000, 0).with(Map.of(Metric.OTHERS_CORES, 0.4)));
        assertThat(results.disturbedRounds("W1", "ours")).isEqualTo(1);
        assertThat(Table.of(results, "ours", List.of())).contains("0.4 ~1");
    }

    @Test
    void shouldDrawAPageThatNeedsNothingElse() {
        String html = html();
        assertThat(html)
                .contains("<svg", "6,000/s (4,000-9,000)", "3,000/s", "a workload", "a &amp; b")
                .contains("class=\"missed\"")
                .doesNotContain("NaN", "http://", "https://", "<script", "Infinity");
    }

    @Test
    void shouldGiveAProviderTheSameColourInAllCharts() {
        results.add("peer", new Measurement("W10in", Map.of(Metric.RATE, 7.0)));
        String chart = html().split("<h3>W10in</h3>", 2)[1].split("</svg>", 2)[0];
        assertThat(chart).contains("fill=\"#d97706\"").doesNotContain("#1769aa");
        assertThat(chart).as("of W1").doesNotContain("a workload");
    }

    private String html() {
        return HtmlReport.of(
                Map.of("disk", "a & b"),
                Map.of("W1", "a workload"),
                results,
                "ours",
                Bar.judge(List.of(Bar.parse("W1 peer perSecond >= 3")), results, "ours"));
    }
}
