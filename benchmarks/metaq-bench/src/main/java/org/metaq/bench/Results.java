package org.metaq.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All that was measured, by workload and provider. Not thread-safe. */
final class Results {
    /** Others' processors in use that spoil a round. */
    static final double OTHERS_CORES_MAX = 0.3;

    private final Map<String, Map<String, Outcomes>> byName = new LinkedHashMap<>();

    /** Rounds that were measured, and why others were not. */
    private static final class Outcomes {
        private final List<Measurement> rounds = new ArrayList<>();
        private final List<String> failures = new ArrayList<>();
    }

    /** No results; rows that come are in the order of these. */
    Results(List<String> rows) {
        rows.forEach(row -> byName.put(row, new LinkedHashMap<>()));
    }

    /** Adds what was measured in a round. */
    void add(String provider, Measurement measurement) {
        outcomes(measurement.name(), provider).rounds.add(measurement);
    }

    /** Notes that a row could not be measured in a round. */
    void addFailure(String provider, String row, String why) {
        outcomes(row, provider).failures.add(why);
    }

    private Outcomes outcomes(String name, String provider) {
        return byName.computeIfAbsent(name, key -> new LinkedHashMap<>())
                .computeIfAbsent(provider, key -> new Outcomes());
    }

    private Optional<Outcomes> known(String name, String provider) {
        return Optional.ofNullable(byName.getOrDefault(name, Map.of()).get(provider));
    }

    /** Names of the workloads, or of their parts, that have results. */
    List<String> names() {
        return byName.entrySet().stream()
                .filter(entry -> !entry.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** All providers, in the order in which they came. */
    List<String> providers() {
        return byName.values().stream()
                .flatMap(outcomes -> outcomes.keySet().stream())
                .distinct()
                .toList();
    }

    /** Providers that have a measurement or a failure of that name. */
    List<String> providers(String name) {
        return List.copyOf(byName.getOrDefault(name, Map.of()).keySet());
    }

    /** The rounds that were measured. */
    List<Measurement> rounds(String name, String provider) {
        return known(name, provider).map(known -> List.copyOf(known.rounds)).orElse(List.of());
    }

    /** Why rounds could not be measured. */
    List<String> failures(String name, String provider) {
        return known(name, provider).map(known -> List.copyOf(known.failures)).orElse(List.of());
    }

    /** Over the rounds that measured the metric; NaN for all if none did. */
    Spread spread(String name, String provider, Metric metric) {
        double[] sorted =
                rounds(name, provider).stream()
                        .mapToDouble(round -> round.value(metric))
                        .filter(value -> !Double.isNaN(value))
                        .toArray();
        Arrays.sort(sorted);
        if (sorted.length == 0) {
            return new Spread(Double.NaN, Double.NaN, Double.NaN);
        }
        int middle = sorted.length / 2;
        double median =
                sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /** Median of one provider by that of another; NaN if either is missing. */
    double ratio(String name, String provider, String other, Metric metric) {
        return spread(name, provider, metric).median() / spread(name, other, metric).median();
    }

    /** Rounds in which other programs used so much of the machine that they do not count. */
    long disturbedRounds(String name, String provider) {
        return rounds(name, provider).stream()
                .filter(round -> round.value(Metric.OTHERS_CORES) > OTHERS_CORES_MAX)
                .count();
    }

    /** True if nothing failed with a provider, and no message was lost or doubled. */
    boolean isComplete(String provider) {
        return byName.values().stream()
                .filter(outcomes -> outcomes.containsKey(provider))
                .map(outcomes -> outcomes.get(provider))
                .allMatch(
                        outcomes ->
                                outcomes.failures.isEmpty()
                                        && outcomes.rounds.stream()
                                                .allMatch(Measurement::isComplete));
    }

    /** Of one metric over the rounds. */
    record Spread(double median, double min, double max) {}
}
