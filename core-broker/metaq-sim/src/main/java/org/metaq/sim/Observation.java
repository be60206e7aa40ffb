package org.metaq.sim;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.metaq.broker.state.Outcomes.Outcome;
import org.metaq.common.BranchId;

/**
 * What a broker showed after a restart.
 *
 * @param logs ids in each partition's log, from {@code starts} on
 * @param starts lowest sequence that each partition's log still has
 * @param waiting ids of delayed messages in each partition, in the order of their delivery times
 * @param subscriptions topic of each durable subscription, by the model's key
 * @param drained all that a consumer got, by key and partition, in order
 * @param prepared branches that {@code recover} named
 * @param outcomes of branches that the broker knows to be finished
 * @param committed which of the prepared branches were committed then; the others rolled back
 * @param drainedThen what consumers got after that
 */
record Observation(
        Map<String, List<List<Long>>> logs,
        Map<String, List<Long>> starts,
        Map<String, List<List<Long>>> waiting,
        Map<String, String> subscriptions,
        Map<String, Map<Integer, List<Got>>> drained,
        Set<BranchId> prepared,
        Map<BranchId, Outcome> outcomes,
        Set<BranchId> committed,
        Map<String, Map<Integer, List<Got>>> drainedThen) {
    /** One delivery. */
    record Got(long sequence, long message, int count, boolean isRedelivered) {}

    Observation() {
        this(
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                new java.util.LinkedHashSet<>(),
                new java.util.LinkedHashMap<>(),
                new java.util.LinkedHashSet<>(),
                new TreeMap<>());
    }

    /** Every id that it shows anywhere. */
    Set<Long> messages() {
        Set<Long> all = new TreeSet<>();
        logs.values().forEach(partitions -> partitions.forEach(all::addAll));
        return all;
    }
}
