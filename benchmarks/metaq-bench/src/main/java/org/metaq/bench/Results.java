package org.metaq.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All that was measured, by workload and provider, in the order of coming. Not thread-safe. */
final class Results {
    private final Map<String, Map<String, List<Measurement>>> byName = new LinkedHashMap<>();

    void add(String provider, Measurement measurement) {
        byName.computeIfAbsent(measurement.name(), name -> new LinkedHashMap<>())
                .computeIfAbsent(provider, name -> new ArrayList<>())
                .add(measurement);
    }

    /** Names of the workloads, or of their parts. */
    List<String> names() {
        return List.copyOf(byName.keySet());
    }

    /** Providers that have a measurement of that name. */
    List<String> providers(String name) {
        return List.copyOf(byName.getOrDefault(name, Map.of()).keySet());
    }

    /** The rounds. */
    List<Measurement> rounds(String name, String provider) {
        return List.copyOf(byName.getOrDefault(name, Map.of()).getOrDefault(provider, List.of()));
    }

    /** Over the rounds; NaN for all if the metric was not measured. */
    Spread spread(String name, String provider, Metric metric) {
        double[] sorted =
                rounds(name, provider).stream().mapToDouble(round -> round.value(metric)).toArray();
        Arrays.sort(sorted);
        if (sorted.length == 0) {
            return new Spread(Double.NaN, Double.NaN, Double.NaN);
        }
        int middle = sorted.length / 2;
        double median =
                sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /** True if no message was lost or doubled anywhere. */
    boolean isComplete() {
        return byName.values().stream()
                .flatMap(providers -> providers.values().stream())
                .flatMap(List::stream)
                .allMatch(Measurement::isComplete);
    }

    /** Of one metric over the rounds. */
    record Spread(double median, double min, double max) {}
}
