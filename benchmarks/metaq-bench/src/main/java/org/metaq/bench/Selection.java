package org.metaq.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The workloads that one can ask for, and which of them are meant by a name. Stateless. */
final class Selection {
    /** Means the workloads of original MetaQ clients. */
    static final String CLASSIC = "classic";

    private static final String WITH_MANAGER = "W5n";

    private Selection() {}

    /** Name and description of every workload, in the order in which they run. */
    static Map<String, String> all() {
        Map<String, String> all = new LinkedHashMap<>();
        Workloads.ALL.forEach(workload -> all.put(workload.name(), workload.description()));
        all.put(BacklogRound.NAME, BacklogRound.DESCRIPTION);
        for (ClassicNames name : ClassicNames.values()) {
            all.put(name.name(), name.description());
        }
        return all;
    }

    /**
     * Workloads that are meant by names, or by the beginnings of names: {@code W5} is all of {@code
     * W5x1} to {@code W5nx8}, and {@code W1} is not {@code W10}.
     *
     * @param tokens none for all of Jakarta Messaging
     * @throws BenchException if one means nothing
     */
    static List<String> of(List<String> tokens) throws BenchException {
        if (tokens.isEmpty()) {
            return all().keySet().stream().filter(name -> !ClassicNames.contains(name)).toList();
        }
        Set<String> chosen = new LinkedHashSet<>();
        for (String token : tokens) {
            List<String> meant =
                    all().keySet().stream().filter(name -> isMeant(name, token)).toList();
            if (meant.isEmpty()) {
                throw new BenchException(
                        "no workload is called " + token + "; there are " + all().keySet());
            }
            chosen.addAll(meant);
        }
        return all().keySet().stream().filter(chosen::contains).toList();
    }

    private static boolean isMeant(String name, String token) {
        String lower = name.toLowerCase(Locale.ROOT);
        String start = token.strip().toLowerCase(Locale.ROOT);
        if (start.equals(CLASSIC)) {
            return ClassicNames.contains(name);
        }
        return !start.isEmpty()
                && lower.startsWith(start)
                && (lower.length() == start.length()
                        || !Character.isDigit(lower.charAt(start.length())));
    }

    /** True if one of them is run by an original MetaQ client. */
    static boolean needsClassic(List<String> workloads) {
        return workloads.stream().anyMatch(ClassicNames::contains);
    }

    /** True if one of them is run by a transaction manager. */
    static boolean needsManager(List<String> workloads) {
        return workloads.stream().anyMatch(name -> name.startsWith(WITH_MANAGER));
    }

    /** Names of the measurements of workloads. */
    static List<String> rows(List<String> workloads) {
        List<String> rows = new ArrayList<>();
        for (String name : workloads) {
            if (name.equals(BacklogRound.NAME)) {
                rows.addAll(BacklogRound.ROWS);
            } else if (ClassicNames.contains(name)) {
                rows.addAll(ClassicNames.valueOf(name).rows());
            } else {
                rows.addAll(Workloads.named(name).rows());
            }
        }
        return rows;
    }

    /** About how many seconds a workload takes. */
    static double expectedSeconds(String name, Plan plan) {
        double timed = plan.warmUpSeconds() + plan.seconds() + 1;
        return switch (name) {
            // Its backlogs are drained besides.
            case WarmUp.NAME -> 1.3 * plan.warmUpJvmSeconds();
            case "W4" -> 2 * timed;
            case BacklogRound.NAME -> 5 + plan.backlogCount() / 20_000.0;
            case "W10", "W11backlog" -> 8;
            case "W12session", "W12connection", "W12startstop" -> timed / 2;
            default -> timed;
        };
    }
}
