package org.metaq.crash;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What applications know of their messages, by id: what a broker must not contradict. Thread-safe.
 */
final class Ledger {
    private final Set<String> acknowledged = new HashSet<>();
    private final Set<String> committed = new HashSet<>();
    private final Set<String> repeated = new HashSet<>();

    /** Transactions whose commit had no answer: all of it counts or nothing. */
    private final List<List<String>> unknown = new ArrayList<>();

    synchronized void acknowledged(String id) {
        acknowledged.add(id);
    }

    synchronized void committed(List<String> ids) {
        for (String id : ids) {
            if (!committed.add(id)) {
                repeated.add(id);
            }
        }
    }

    synchronized void unknown(List<String> ids) {
        unknown.add(List.copyOf(ids));
    }

    synchronized int acknowledgedCount() {
        return acknowledged.size();
    }

    synchronized int committedCount() {
        return committed.size();
    }

    /** Committed more than once. */
    synchronized Set<String> repeated() {
        return Set.copyOf(repeated);
    }

    /** Acknowledged to their producer, and neither consumed nor perhaps consumed. */
    synchronized Set<String> missing() {
        Set<String> missing = new HashSet<>(acknowledged);
        missing.removeAll(committed);
        unknown.forEach(missing::removeAll);
        return missing;
    }

    /** Transactions without an answer of which a part came again and a part did not. */
    synchronized List<List<String>> halves() {
        return unknown.stream()
                .filter(
                        ids -> {
                            long again = ids.stream().filter(committed::contains).count();
                            return again != 0 && again != ids.size();
                        })
                .toList();
    }
}
