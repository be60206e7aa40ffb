package org.metaq.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.BrokerConnection;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.Settlement;

/** A connected client and what it knows. */
final class SimClient {
    /** A consumer. */
    static final class SimConsumer {
        final int id;
        final ModelSubscription subscription;
        final long subscriptionId;
        boolean isAcquiring;

        SimConsumer(int id, ModelSubscription subscription, long subscriptionId) {
            this.id = id;
            this.subscription = subscription;
            this.subscriptionId = subscriptionId;
        }
    }

    /** A message that the connection holds. */
    record Held(
            Op.Ref ref,
            long subscriptionId,
            boolean isDurable,
            int partition,
            long sequence,
            int consumer) {}

    final String name;
    final String clientId;
    final SimLink link;
    final BrokerConnection connection;
    final Map<Integer, SimConsumer> consumers = new TreeMap<>();

    /** Held and in no branch. */
    final Map<Op.Ref, Held> held = new LinkedHashMap<>();

    final List<String> temporaryQueues = new ArrayList<>();
    @Nullable SimBranch local;
    int nextConsumer = 1;
    int nextLocal = 1;

    SimClient(String name, String clientId, SimLink link, BrokerConnection connection) {
        this.name = name;
        this.clientId = clientId;
        this.link = link;
        this.connection = connection;
    }

    static List<Op.Ref> refs(Iterable<Held> held) {
        List<Op.Ref> refs = new ArrayList<>();
        held.forEach(each -> refs.add(each.ref()));
        return refs;
    }

    static Settlement settlement(List<Held> held) {
        record Key(long subscription, int partition) {}
        Map<Key, List<Long>> byKey = new LinkedHashMap<>();
        for (Held each : held) {
            byKey.computeIfAbsent(
                            new Key(each.subscriptionId(), each.partition()),
                            k -> new ArrayList<>())
                    .add(each.sequence());
        }
        List<Settlement.Entry> entries = new ArrayList<>();
        byKey.forEach(
                (key, sequences) ->
                        entries.add(
                                new Settlement.Entry(
                                        key.subscription(),
                                        key.partition(),
                                        SequenceRange.ofAscending(
                                                sequences.stream()
                                                        .mapToLong(Long::longValue)
                                                        .sorted()
                                                        .toArray()))));
        return new Settlement(entries);
    }

    @Override
    public String toString() {
        return name;
    }
}
