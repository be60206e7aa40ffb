package org.metaq.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Outcomes.Outcome;
import org.metaq.common.BranchId;
import org.metaq.common.PhysicalName;

/**
 * What a broker holds after a sequence of {@link Op}s: the state machine again, written as simply
 * as can be, on message ids instead of bytes.
 */
final class ModelState {
    /** A topic: for each partition the ids of all messages that were ever stored in it. */
    record TopicLog(List<List<Long>> partitions, boolean isTemporary) {}

    /** A delayed message. */
    record Waiting(long message, long deliveryTimeMs) {}

    /** An unfinished branch. */
    static final class OpenBranch {
        final List<Op.Send> sends = new ArrayList<>();
        List<Op.Ref> locked = List.of();
        boolean isPrepared;

        OpenBranch copy() {
            OpenBranch copy = new OpenBranch();
            copy.sends.addAll(sends);
            copy.locked = locked;
            copy.isPrepared = isPrepared;
            return copy;
        }
    }

    final Map<String, TopicLog> topics = new TreeMap<>();

    /** By name in the model: a key and how many of that key there were before. */
    final Map<String, ModelSubscription> subscriptions = new TreeMap<>();

    private final Map<String, String> nameByKey = new HashMap<>();
    private final Map<String, Integer> generations = new HashMap<>();
    final Map<BranchId, OpenBranch> branches = new LinkedHashMap<>();
    final Map<BranchId, Outcome> outcomes = new LinkedHashMap<>();
    private final Map<Long, Long> producers = new HashMap<>();
    private final Map<String, Long> starts = new TreeMap<>();

    /** Delayed messages by topic and partition, in the order of their delivery times. */
    private final Map<String, Map<Integer, NavigableMap<Long, Waiting>>> delayed = new TreeMap<>();

    private long nowMs;

    ModelState copy() {
        ModelState copy = new ModelState();
        topics.forEach(
                (name, log) -> {
                    List<List<Long>> partitions = new ArrayList<>();
                    log.partitions().forEach(p -> partitions.add(new ArrayList<>(p)));
                    copy.topics.put(name, new TopicLog(partitions, log.isTemporary()));
                });
        subscriptions.forEach((name, s) -> copy.subscriptions.put(name, s.copy()));
        copy.nameByKey.putAll(nameByKey);
        copy.generations.putAll(generations);
        branches.forEach((id, branch) -> copy.branches.put(id, branch.copy()));
        copy.outcomes.putAll(outcomes);
        copy.producers.putAll(producers);
        copy.starts.putAll(starts);
        delayed.forEach(
                (topic, byPartition) ->
                        byPartition.forEach(
                                (partition, waiting) ->
                                        copy.delayed(topic, partition).putAll(waiting)));
        copy.nowMs = nowMs;
        return copy;
    }

    /** The name of the subscription that has this key now, or null. */
    @Nullable ModelSubscription byKey(String key) {
        String name = nameByKey.get(key);
        return name == null ? null : subscriptions.get(name);
    }

    /** Key of a queue's subscription. */
    static String queueKey(String topic) {
        return "queue:" + topic;
    }

    /**
     * Messages that some consumer may get: stored since it began, not acknowledged, not locked. In
     * the order of delivery: by priority, and as they are stored.
     */
    List<Long> available(ModelSubscription subscription, int partition) {
        List<Long> available = new ArrayList<>();
        TopicLog log = topics.get(subscription.topic);
        if (log != null) {
            List<Long> all = log.partitions().get(partition);
            for (long message : all.subList(subscription.start[partition], all.size())) {
                if (!subscription.acknowledged.contains(message)
                        && !subscription.locked.containsKey(message)) {
                    available.add(message);
                }
            }
        }
        available.sort(Comparator.comparing(Payload::priority).reversed());
        return available;
    }

    /** True if a send of this producer and sequence would not count any more. */
    boolean knows(Op.Send send) {
        Long last = producers.get(send.producer());
        return last != null && send.sequence() <= last;
    }

    private NavigableMap<Long, Waiting> delayed(String topic, int partition) {
        return delayed.computeIfAbsent(topic, t -> new TreeMap<>())
                .computeIfAbsent(partition, p -> new TreeMap<>());
    }

    /** Ids of the messages that wait in a partition, in the order of their delivery times. */
    List<Long> waiting(String topic, int partition) {
        return delayed(topic, partition).values().stream().map(Waiting::message).toList();
    }

    /** What moves now, in the order in which it does. */
    List<Op.Due> due() {
        TreeMap<Long, Op.Due> due = new TreeMap<>();
        delayed.forEach(
                (topic, byPartition) ->
                        byPartition.forEach(
                                (partition, waiting) -> {
                                    if (!waiting.isEmpty() && waiting.firstKey() <= nowMs) {
                                        due.put(waiting.firstKey(), new Op.Due(topic, partition));
                                    }
                                }));
        return List.copyOf(due.values());
    }

    // ---- apply

    void apply(Op op) {
        if (op instanceof Op.Send o) {
            send(o);
        } else if (op instanceof Op.CreateTopic o) {
            createTopic(o);
        } else if (op instanceof Op.DeleteTemporary o) {
            deleteTemporary(o.topic());
        } else if (op instanceof Op.Subscribe o) {
            subscribe(o);
        } else if (op instanceof Op.Unsubscribe o) {
            remove(o.key());
        } else if (op instanceof Op.Prepare o) {
            prepare(o);
        } else if (op instanceof Op.Commit o) {
            commit(o.branch(), o.refs());
        } else if (op instanceof Op.Time o) {
            nowMs = o.nowMs();
        } else if (op instanceof Op.Due o) {
            moveDue(o);
        } else if (op instanceof Op.Rollback o) {
            rollback(o.branch(), o.outcome(), o.refs());
        } else if (op instanceof Op.Trim o) {
            String wrong = trim(o);
            if (!wrong.isEmpty()) {
                throw new Violation(wrong);
            }
        } else {
            applyToMessages(op);
        }
    }

    /** Lowest sequence that a partition's log is known to have; 0 before a trim. */
    long start(String topic, int partition) {
        return starts.getOrDefault(topic + "-" + partition, 0L);
    }

    /**
     * The head of a log is gone.
     *
     * @return what is wrong with it, or empty
     */
    String trim(Op.Trim op) {
        String log = op.topic() + "-" + op.partition();
        TopicLog topic = topics.get(op.topic());
        if (topic == null || op.start() < start(op.topic(), op.partition())) {
            return log + " starts at " + op.start() + ", after it had started further on";
        }
        starts.put(log, op.start());
        List<Long> all = topic.partitions().get(op.partition());
        for (ModelSubscription each : subscriptions.values()) {
            if (!each.topic.equals(op.topic())) {
                continue;
            }
            for (int i = each.start[op.partition()]; i < op.start() && i < all.size(); i++) {
                long message = all.get(i);
                boolean isNeeded = !each.acknowledged.contains(message);
                // No record knows what a branch holds of a subscription that is not durable.
                boolean isLocked =
                        each.isDurable && op.isOrderKnown() && each.locked.containsKey(message);
                if (isNeeded && (isLocked || !op.losesUnconsumed())) {
                    return log + " starts at " + op.start() + ", " + each.name + " needs " + i;
                }
                each.acknowledge(message);
            }
        }
        return "";
    }

    private interface RefAction {
        void on(ModelSubscription subscription, long message);
    }

    private void forEach(List<Op.Ref> refs, RefAction action) {
        for (Op.Ref ref : refs) {
            ModelSubscription subscription = subscriptions.get(ref.subscription());
            if (subscription != null) {
                action.on(subscription, ref.message());
            }
        }
    }

    private void applyToMessages(Op op) {
        if (op instanceof Op.Acknowledge o) {
            forEach(o.refs(), ModelSubscription::acknowledge);
        } else if (op instanceof Op.Release o) {
            forEach(o.refs(), ModelSubscription::release);
        } else if (op instanceof Op.GiveBack o) {
            forEach(o.refs(), ModelSubscription::giveBack);
        } else if (op instanceof Op.Lose o) {
            forEach(o.refs(), ModelSubscription::lose);
        } else if (op instanceof Op.HandOut o) {
            forEach(
                    List.of(o.ref()),
                    (subscription, message) -> {
                        subscription.handedOut.add(message);
                        subscription.held.add(message);
                    });
        }
    }

    private void createTopic(Op.CreateTopic op) {
        if (topics.containsKey(op.topic())) {
            return;
        }
        List<List<Long>> partitions = new ArrayList<>();
        for (int i = 0; i < op.partitions(); i++) {
            partitions.add(new ArrayList<>());
        }
        topics.put(op.topic(), new TopicLog(partitions, op.isTemporary()));
        if (PhysicalName.parse(op.topic()).kind().isQueue()) {
            add(queueKey(op.topic()), op.topic(), !op.isTemporary());
        }
    }

    private void deleteTemporary(String topic) {
        topics.remove(topic);
        delayed.remove(topic);
        for (ModelSubscription each : List.copyOf(subscriptions.values())) {
            if (each.topic.equals(topic)) {
                remove(each.key);
            }
        }
    }

    private void subscribe(Op.Subscribe op) {
        ModelSubscription existing = byKey(op.key());
        if (existing != null && !existing.topic.equals(op.topic())) {
            remove(op.key());
            existing = null;
        }
        if (existing == null) {
            add(op.key(), op.topic(), op.isDurable());
        }
    }

    private void add(String key, String topic, boolean isDurable) {
        TopicLog log = topics.get(topic);
        if (log == null) {
            throw new IllegalStateException("no topic " + topic);
        }
        int[] start = log.partitions().stream().mapToInt(List::size).toArray();
        String name = key + "#" + generations.merge(key, 1, Integer::sum);
        ModelSubscription added = new ModelSubscription(name, key, topic, isDurable, start);
        if (!log.isTemporary()) {
            // What waits for its delivery time is for those that were there when it was sent.
            for (int partition = 0; partition < start.length; partition++) {
                added.acknowledged.addAll(waiting(topic, partition));
            }
        }
        subscriptions.put(name, added);
        nameByKey.put(key, name);
    }

    private void remove(String key) {
        String name = nameByKey.remove(key);
        if (name != null) {
            subscriptions.remove(name);
        }
    }

    private void send(Op.Send op) {
        if (op.producer() != 0) {
            Long last = producers.get(op.producer());
            if (last != null && op.sequence() <= last) {
                return;
            }
            producers.put(op.producer(), op.sequence());
        }
        if (op.branch() == null) {
            store(op);
        } else {
            branches.computeIfAbsent(op.branch(), b -> new OpenBranch()).sends.add(op);
        }
    }

    private void store(Op.Send op) {
        TopicLog log = topics.get(op.topic());
        if (log == null) {
            return;
        }
        if (op.deliveryTimeMs() > nowMs) {
            delayed(op.topic(), op.partition())
                    .put(op.deliveryTimeMs(), new Waiting(op.message(), op.deliveryTimeMs()));
        } else {
            append(log, op.topic(), op.partition(), op.message());
        }
    }

    private void moveDue(Op.Due op) {
        NavigableMap<Long, Waiting> waiting = delayed(op.topic(), op.partition());
        TopicLog log = topics.get(op.topic());
        while (log != null && !waiting.isEmpty() && waiting.firstKey() <= nowMs) {
            long message = waiting.pollFirstEntry().getValue().message();
            append(log, op.topic(), op.partition(), message);
        }
    }

    private void append(TopicLog log, String topic, int partition, long message) {
        if (!log.isTemporary() || hasSubscription(topic)) {
            log.partitions().get(partition).add(message);
        }
    }

    private boolean hasSubscription(String topic) {
        return subscriptions.values().stream().anyMatch(s -> s.topic.equals(topic));
    }

    private void prepare(Op.Prepare op) {
        OpenBranch branch = branches.computeIfAbsent(op.branch(), b -> new OpenBranch());
        branch.isPrepared = true;
        branch.locked = op.refs();
        forEach(op.refs(), (subscription, m) -> subscription.lock(m, op.branch()));
    }

    private void commit(BranchId id, List<Op.Ref> refs) {
        OpenBranch branch = finish(id, Outcome.COMMITTED);
        if (branch != null) {
            forEach(branch.locked, ModelSubscription::acknowledge);
            branch.sends.forEach(this::store);
        }
        forEach(refs, ModelSubscription::acknowledge);
    }

    private void rollback(BranchId id, Outcome outcome, List<Op.Ref> refs) {
        OpenBranch branch = finish(id, outcome);
        if (branch != null) {
            forEach(branch.locked, ModelSubscription::release);
        }
        forEach(refs, ModelSubscription::release);
    }

    private @Nullable OpenBranch finish(BranchId id, Outcome outcome) {
        OpenBranch branch = branches.remove(id);
        if (branch != null) {
            forEach(branch.locked, (subscription, message) -> subscription.locked.remove(message));
        }
        if (!id.isXa()) {
            // A session has one local transaction at a time; only the last can be repeated.
            outcomes.keySet().removeIf(old -> !old.isXa() && old.session().equals(id.session()));
        }
        outcomes.put(id, outcome);
        return branch;
    }

    /** The broker started anew: what was bound to connections is gone. */
    void startEpoch(Set<String> everActive) {
        for (BranchId id : List.copyOf(branches.keySet())) {
            OpenBranch branch = branches.get(id);
            if (branch != null && !branch.isPrepared) {
                finish(id, Outcome.CONNECTION_LOST);
            }
        }
        for (ModelSubscription each : List.copyOf(subscriptions.values())) {
            if (!each.isDurable) {
                remove(each.key);
            }
        }
        topics.values().removeIf(TopicLog::isTemporary);
        delayed.keySet().retainAll(topics.keySet());
        branches.values().forEach(b -> b.sends.removeIf(s -> !topics.containsKey(s.topic())));
        for (ModelSubscription each : subscriptions.values()) {
            each.startEpoch(unacknowledged(each), everActive.contains(each.key));
        }
    }

    private Set<Long> unacknowledged(ModelSubscription subscription) {
        Set<Long> messages = new HashSet<>(subscription.locked.keySet());
        TopicLog log = topics.get(subscription.topic);
        int count = log == null ? 0 : log.partitions().size();
        for (int i = 0; i < count; i++) {
            messages.addAll(available(subscription, i));
        }
        return messages;
    }
}
