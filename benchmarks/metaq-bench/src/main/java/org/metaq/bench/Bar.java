package org.metaq.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * What we want of a row. Immutable.
 *
 * @param row of the results, or {@link #ANY}
 * @param peer whose value ours is divided by, or {@link #NONE}
 * @param isAtLeast false for a value that must not be exceeded
 */
record Bar(String row, String peer, Metric metric, boolean isAtLeast, double value) {
    /** Every row. */
    static final String ANY = "*";

    /** Our own value counts. */
    static final String NONE = "-";

    private static final String FILE = "bars.txt";
    private static final String AT_LEAST = ">=";
    private static final String AT_MOST = "<=";
    private static final int WORDS = 5;

    /**
     * What came out.
     *
     * @param row of the results
     * @param measured what the bar was compared with
     */
    record Verdict(Bar bar, String row, double measured, boolean isMet) {
        /** For people. */
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%s %s%s %s %.2f: %.2f, %s",
                    row,
                    bar.metric.key(),
                    bar.peer.equals(NONE) ? "" : " / " + bar.peer,
                    bar.isAtLeast ? AT_LEAST : AT_MOST,
                    bar.value,
                    measured,
                    isMet ? "met" : "NOT MET");
        }
    }

    /** All of them. */
    static List<Bar> all() {
        try (InputStream in = Bar.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + FILE);
            }
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Bar::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads {@code row peer metric >= value}, or {@code <=}.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static Bar parse(String line) {
        String[] words = line.strip().split("\\s+", -1);
        if (words.length != WORDS || !(words[3].equals(AT_LEAST) || words[3].equals(AT_MOST))) {
            throw new IllegalArgumentException("not row, peer, metric, >= or <=, value: " + line);
        }
        return new Bar(
                words[0],
                words[1],
                Metric.named(words[2]),
                words[3].equals(AT_LEAST),
                Double.parseDouble(words[4]));
    }

    /** Those bars that have something measured to compare with, row by row. */
    static List<Verdict> judge(List<Bar> bars, Results results, String ours) {
        return results.names().stream()
                .flatMap(
                        row ->
                                bars.stream()
                                        .filter(bar -> bar.row.equals(row) || bar.row.equals(ANY))
                                        .map(bar -> bar.verdict(results, row, ours)))
                .filter(verdict -> Double.isFinite(verdict.measured()))
                .toList();
    }

    private Verdict verdict(Results results, String row, String ours) {
        double measured =
                peer.equals(NONE)
                        ? results.spread(row, ours, metric).median()
                        : results.ratio(row, ours, peer, metric);
        return new Verdict(this, row, measured, isAtLeast ? measured >= value : measured <= value);
    }
}
