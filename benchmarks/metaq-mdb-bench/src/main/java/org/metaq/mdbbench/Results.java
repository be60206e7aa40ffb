package org.metaq.mdbbench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What the rounds measured, and the table of it. Not thread-safe. */
final class Results {
    private static final String ROW = "%-24s%-10s%-26s%-18s%s%n";

    private final Map<Load, Map<Provider, List<Outcome>>> outcomes = new EnumMap<>(Load.class);

    void add(Load load, Provider provider, Outcome outcome) {
        outcomes.computeIfAbsent(load, key -> new EnumMap<>(Provider.class))
                .computeIfAbsent(provider, key -> new ArrayList<>())
                .add(outcome);
    }

    /** Medians, lowest and highest rates, and ratios of medians. */
    String table() {
        StringBuilder table = new StringBuilder();
        table.append(
                String.format(
                        ROW, "", "", "per second (min-max)", "CPU us a message", "/ Artemis"));
        outcomes.forEach(
                (load, of) -> of.forEach((provider, all) -> table.append(row(load, provider))));
        return table.append("CPU: of the server + of our broker\n").toString();
    }

    private String row(Load load, Provider provider) {
        double rate = median(load, provider, Outcome::ratePerSecond);
        double[] rates = sorted(load, provider, Outcome::ratePerSecond);
        return String.format(
                Locale.ROOT,
                ROW,
                load.description(),
                provider.word(),
                String.format(
                        Locale.ROOT,
                        "%,.0f (%,.0f-%,.0f)",
                        rate,
                        rates[0],
                        rates[rates.length - 1]),
                String.format(
                        Locale.ROOT,
                        "%.0f + %.0f",
                        median(load, provider, Outcome::serverCpuUs),
                        median(load, provider, Outcome::brokerCpuUs)),
                provider == Provider.ARTEMIS
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "%.2f",
                                rate / median(load, Provider.ARTEMIS, Outcome::ratePerSecond)));
    }

    private double median(Load load, Provider provider, ToDoubleFunction<Outcome> what) {
        double[] all = sorted(load, provider, what);
        return (all[(all.length - 1) / 2] + all[all.length / 2]) / 2;
    }

    private double[] sorted(Load load, Provider provider, ToDoubleFunction<Outcome> what) {
        return outcomes.getOrDefault(load, Map.of()).getOrDefault(provider, List.of()).stream()
                .mapToDouble(what)
                .sorted()
                .toArray();
    }
}
