package org.metaq.sim;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.metaq.broker.state.Outcomes.Outcome;
import org.metaq.common.BranchId;
import org.metaq.sim.Observation.Got;

/** What a restarted broker shows against what the model expects of it. */
final class Comparison {
    private final ModelState expected;
    private final Observation seen;
    private final List<String> differences = new ArrayList<>();

    private Comparison(ModelState expected, Observation seen) {
        this.expected = expected;
        this.seen = seen;
    }

    /** A sentence for each difference; empty if there is none. */
    static List<String> differences(ModelState expected, Observation seen) {
        Comparison comparison = new Comparison(expected, seen);
        comparison.compareTopics();
        comparison.compareSubscriptions();
        comparison.compareBranches();
        comparison.compareDeliveries(expected, seen.drained());
        comparison.compareResolved();
        return comparison.differences;
    }

    private void different(String what) {
        differences.add(what);
    }

    private void compareTopics() {
        if (!expected.topics.keySet().equals(seen.logs().keySet())) {
            different("topics " + seen.logs().keySet() + ", not " + expected.topics.keySet());
            return;
        }
        expected.topics.forEach(
                (topic, log) -> {
                    for (int i = 0; i < log.partitions().size(); i++) {
                        compareLog(topic, i, log.partitions().get(i));
                        compareWaiting(topic, i);
                    }
                });
    }

    private void compareLog(String topic, int partition, List<Long> all) {
        List<List<Long>> logs = seen.logs().getOrDefault(topic, List.of());
        if (partition >= logs.size()) {
            different("no partition " + topic + "-" + partition);
            return;
        }
        List<Long> found = logs.get(partition);
        long start = seen.starts().getOrDefault(topic, List.of()).get(partition);
        long end = start + found.size();
        if (end != all.size() || !found.equals(all.subList((int) start, all.size()))) {
            different(
                    topic
                            + "-"
                            + partition
                            + " from "
                            + start
                            + " holds "
                            + found
                            + ", not "
                            + all.subList((int) Math.min(start, all.size()), all.size()));
        }
    }

    private void compareWaiting(String topic, int partition) {
        List<Long> should = expected.waiting(topic, partition);
        List<List<Long>> all = seen.waiting().getOrDefault(topic, List.of());
        List<Long> is = partition < all.size() ? all.get(partition) : List.of();
        if (!is.equals(should)) {
            different(topic + "-" + partition + " delays " + is + ", not " + should);
        }
    }

    private void compareSubscriptions() {
        Map<String, String> topics = new TreeMap<>();
        expected.subscriptions.values().forEach(s -> topics.put(s.key, s.topic));
        if (!topics.equals(seen.subscriptions())) {
            different("subscriptions " + seen.subscriptions() + ", not " + topics);
        }
    }

    private void compareBranches() {
        Set<BranchId> prepared = expected.branches.keySet();
        if (!prepared.equals(seen.prepared())) {
            different("prepared branches " + seen.prepared() + ", not " + prepared);
        }
        Set<BranchId> all = new HashSet<>(expected.outcomes.keySet());
        all.addAll(seen.outcomes().keySet());
        for (BranchId branch : all) {
            Outcome should = expected.outcomes.get(branch);
            Outcome is = seen.outcomes().get(branch);
            if (should != is) {
                different(branch + " is " + is + ", not " + should);
            }
        }
    }

    private void compareDeliveries(ModelState state, Map<String, Map<Integer, List<Got>>> drained) {
        for (ModelSubscription subscription : state.subscriptions.values()) {
            ModelState.TopicLog log = state.topics.get(subscription.topic);
            int count = log == null ? 0 : log.partitions().size();
            Map<Integer, List<Got>> got = drained.getOrDefault(subscription.key, Map.of());
            for (int i = 0; i < count; i++) {
                compare(subscription, i, state.available(subscription, i), got);
            }
        }
    }

    private void compare(
            ModelSubscription subscription,
            int partition,
            List<Long> should,
            Map<Integer, List<Got>> drained) {
        List<Got> got = drained.getOrDefault(partition, List.of());
        List<Long> is = got.stream().map(Got::message).toList();
        if (!is.equals(should)) {
            different(subscription.name + "-" + partition + " delivers " + is + ", not " + should);
            return;
        }
        for (Got each : got) {
            String wrong = subscription.check(each.message(), each.count(), each.isRedelivered());
            if (!wrong.isEmpty()) {
                different(wrong);
            }
        }
    }

    /** Commits and rollbacks of the prepared branches show what these held. */
    private void compareResolved() {
        if (!differences.isEmpty() || expected.branches.isEmpty()) {
            return;
        }
        ModelState state = expected.copy();
        Map<String, Set<Long>> before = new TreeMap<>();
        for (ModelSubscription each : state.subscriptions.values()) {
            before.put(each.name, new HashSet<>(availableEverywhere(state, each)));
        }
        for (BranchId branch : List.copyOf(state.branches.keySet())) {
            state.apply(
                    seen.committed().contains(branch)
                            ? new Op.Commit(branch, List.of())
                            : new Op.Rollback(branch, Outcome.ROLLED_BACK, List.of()));
        }
        for (ModelSubscription each : state.subscriptions.values()) {
            Set<Long> old = before.getOrDefault(each.name, Set.of());
            Map<Integer, List<Got>> got = seen.drainedThen().getOrDefault(each.key, Map.of());
            ModelState.TopicLog log = state.topics.get(each.topic);
            int count = log == null ? 0 : log.partitions().size();
            for (int i = 0; i < count; i++) {
                List<Long> added = new ArrayList<>(state.available(each, i));
                added.removeAll(old);
                compare(each, i, added, got);
            }
        }
    }

    private static List<Long> availableEverywhere(ModelState state, ModelSubscription each) {
        List<Long> all = new ArrayList<>();
        ModelState.TopicLog log = state.topics.get(each.topic);
        int count = log == null ? 0 : log.partitions().size();
        for (int i = 0; i < count; i++) {
            all.addAll(state.available(each, i));
        }
        return all;
    }
}
