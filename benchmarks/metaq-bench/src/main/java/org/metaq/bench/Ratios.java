package org.metaq.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How ours compares with peers in a run: lines of row, peer, metric and ratio of the medians.
 * Immutable.
 */
record Ratios(Map<Key, Double> values) {
    private static final List<Metric> RECORDED = List.of(Metric.RATE, Metric.P99_US);

    Ratios {
        values = new LinkedHashMap<>(values);
    }

    /**
     * What is compared.
     *
     * @param row of the results
     * @param peer that ours is compared with
     */
    record Key(String row, String peer, Metric metric) {}

    /**
     * How much worse than recorded a ratio may be before it is a regression.
     *
     * @param rate lowest share of the recorded ratio of rates
     * @param latency highest multiple of the recorded ratio of latencies
     */
    record Tolerance(double rate, double latency) {}

    /** Those of a run. */
    static Ratios of(Results results, String ours) {
        Map<Key, Double> values = new LinkedHashMap<>();
        for (String row : results.names()) {
            for (String peer : results.providers(row)) {
                for (Metric metric : RECORDED) {
                    double ratio = results.ratio(row, ours, peer, metric);
                    if (!peer.equals(ours) && Double.isFinite(ratio)) {
                        values.put(new Key(row, peer, metric), ratio);
                    }
                }
            }
        }
        return new Ratios(values);
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws BenchException if it is something else
     */
    static Ratios read(Path file) throws BenchException {
        Map<Key, Double> values = new LinkedHashMap<>();
        try {
            for (String line : Files.readAllLines(file)) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    String[] words = line.strip().split("\\s+", -1);
                    if (words.length != 4) {
                        throw new BenchException(
                                file + ": not row, peer, metric and ratio: " + line);
                    }
                    Key key = new Key(words[0], words[1], Metric.named(words[2]));
                    values.put(key, Double.valueOf(words[3]));
                }
            }
        } catch (IOException e) {
            throw new BenchException(
                    "no recorded ratios can be read: " + e + "; --record FILE writes them", e);
        } catch (IllegalArgumentException e) {
            throw new BenchException(file + ": " + e.getMessage(), e);
        }
        return new Ratios(values);
    }

    /** Writes them, for {@link #read}. */
    void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("# Written by `metaq bench --record`: row, peer, metric, ours / the peer's");
        values.forEach(
                (key, ratio) ->
                        lines.add(
                                String.format(
                                        Locale.ROOT,
                                        "%s %s %s %.3f",
                                        key.row(),
                                        key.peer(),
                                        key.metric().key(),
                                        ratio)));
        Files.write(file, lines);
    }

    /**
     * What is clearly worse here than in a recorded run; what only one of them has is not compared.
     *
     * @return a line for people for each
     */
    List<String> regressionsFrom(Ratios recorded, Tolerance tolerance) {
        List<String> regressions = new ArrayList<>();
        recorded.values.forEach(
                (key, before) -> {
                    Double now = values.get(key);
                    if (now != null && isRegression(key.metric(), now / before, tolerance)) {
                        regressions.add(
                                String.format(
                                        Locale.ROOT,
                                        "%s against %s: ratio of %s is %.2f, was %.2f",
                                        key.row(),
                                        key.peer(),
                                        key.metric().key(),
                                        now,
                                        before));
                    }
                });
        return regressions;
    }

    /** How many of the recorded ones are here too. */
    long comparedWith(Ratios recorded) {
        return recorded.values.keySet().stream().filter(values::containsKey).count();
    }

    private static boolean isRegression(Metric metric, double change, Tolerance tolerance) {
        return metric == Metric.RATE ? change < tolerance.rate() : change > tolerance.latency();
    }
}
