package org.metaq.sim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.Broker;
import org.metaq.broker.BrokerConnection;
import org.metaq.broker.OutboundDelivery;
import org.metaq.broker.state.DelayLog;
import org.metaq.broker.state.Outcomes.Outcome;
import org.metaq.broker.state.Subscription;
import org.metaq.broker.state.Topic;
import org.metaq.common.BranchId;
import org.metaq.protocol.Command;
import org.metaq.protocol.Limits;
import org.metaq.protocol.Settlement;
import org.metaq.sim.Observation.Got;
import org.metaq.store.log.MessageLog;

/** Restarts a broker on a copy of a disk and looks at all it has to show, as clients would. */
final class Observer {
    private final SimHost host;
    private final Random random;
    private final Observation seen = new Observation();
    private final Map<String, Client> clients = new HashMap<>();
    private int nextConsumer = 1;

    private record Client(BrokerConnection connection, SimLink link) {}

    private record Consumer(Client client, int id, String key) {}

    private Observer(SimHost host, Random random) {
        this.host = host;
        this.random = random;
    }

    /**
     * Looks at what the next start of a host will find.
     *
     * @param branches every branch that there ever was
     */
    static Observation observe(SimHost host, Iterable<BranchId> branches, Random random) {
        SimHost copy = host.copy();
        copy.start();
        Observer observer = new Observer(copy, random);
        observer.look(branches);
        return observer.seen;
    }

    private Broker broker() {
        return host.broker();
    }

    private void look(Iterable<BranchId> branches) {
        host.pump();
        readLogs();
        for (BranchId branch : branches) {
            Outcome outcome = broker().state().outcomes().of(branch);
            if (outcome != null) {
                seen.outcomes().put(branch, outcome);
            }
        }
        List<Consumer> consumers = openConsumers();
        drain(consumers, seen.drained());
        recover();
        for (BranchId branch : seen.prepared()) {
            resolve(branch);
        }
        drain(consumers, seen.drainedThen());
    }

    private void readLogs() {
        for (Topic topic : broker().state().topics()) {
            List<List<Long>> partitions = new ArrayList<>();
            List<Long> starts = new ArrayList<>();
            List<List<Long>> waiting = new ArrayList<>();
            topic.partitions()
                    .forEach(
                            partition -> {
                                MessageLog log = partition.log();
                                List<Long> ids = new ArrayList<>();
                                for (long s = log.startSequence(); s < log.endSequence(); s++) {
                                    ids.add(Payload.idOf(log.bytes(s)));
                                }
                                partitions.add(ids);
                                starts.add(log.startSequence());
                                waiting.add(waiting(partition.delayed()));
                            });
            seen.logs().put(topic.text(), partitions);
            seen.starts().put(topic.text(), starts);
            seen.waiting().put(topic.text(), waiting);
        }
    }

    private static List<Long> waiting(@Nullable DelayLog log) {
        TreeMap<Long, Long> byTime = new TreeMap<>();
        if (log != null) {
            log.forEachPending(
                    log.firstPending(),
                    log.endSequence(),
                    (sequence, timeMs, arrival) ->
                            byTime.put(timeMs, Payload.idOf(log.log().bytes(sequence))));
        }
        return List.copyOf(byTime.values());
    }

    private List<Consumer> openConsumers() {
        List<Consumer> consumers = new ArrayList<>();
        Map<String, Topic> topics = new TreeMap<>();
        broker().state().topics().forEach(topic -> topics.put(topic.text(), topic));
        for (Topic topic : topics.values()) {
            for (Subscription subscription : List.copyOf(topic.subscriptions())) {
                consumers.add(open(topic, subscription));
            }
        }
        return consumers;
    }

    private Consumer open(Topic topic, Subscription subscription) {
        Subscription.Terms terms = subscription.terms();
        boolean isQueue = topic.name().kind().isQueue();
        String key = isQueue ? ModelState.queueKey(topic.text()) : terms.key();
        seen.subscriptions().put(key, topic.text());
        Client client = clients.computeIfAbsent(isQueue ? "" : terms.clientId(), this::connect);
        int id = nextConsumer++;
        call(
                client,
                "subscribe " + key,
                opaque ->
                        new Command.Subscribe(
                                id,
                                topic.text(),
                                terms.name(),
                                !isQueue,
                                terms.shared() && !isQueue,
                                false,
                                "",
                                opaque));
        return new Consumer(client, id, key);
    }

    private Client connect(String clientId) {
        SimLink link = new SimLink("observer " + clientId);
        Client client = new Client(broker().connect(link), link);
        call(client, "open", opaque -> new Command.Open(1, "", "", clientId, opaque));
        return client;
    }

    private interface CommandOf {
        Command opaque(int opaque);
    }

    private String call(Client client, String what, CommandOf command) {
        StringBuilder text = new StringBuilder();
        int opaque =
                client.link()
                        .expectResult(
                                what,
                                result -> {
                                    if (!result.isOk()) {
                                        throw new Violation(
                                                "after a restart, "
                                                        + what
                                                        + " is answered: "
                                                        + result.text());
                                    }
                                    text.append(result.text());
                                });
        broker().submit(client.connection(), command.opaque(opaque));
        host.pump();
        if (client.link().isWaiting()) {
            throw new Violation("after a restart, " + what + " gets no answer");
        }
        return text.toString();
    }

    private void drain(List<Consumer> consumers, Map<String, Map<Integer, List<Got>>> to) {
        for (Consumer consumer : consumers) {
            Map<Integer, List<Got>> byPartition = new TreeMap<>();
            to.put(consumer.key(), byPartition);
            int got;
            do {
                got = acquire(consumer, byPartition);
            } while (got > 0);
        }
    }

    private int acquire(Consumer consumer, Map<Integer, List<Got>> to) {
        int[] count = {-1};
        int opaque =
                consumer.client()
                        .link()
                        .expectDeliveries(
                                "acquire of " + consumer.key(),
                                deliveries -> {
                                    count[0] = deliveries.size();
                                    deliveries.forEach(each -> got(each, to));
                                });
        int max = 1 + random.nextInt(40);
        broker().submit(
                        consumer.client().connection(),
                        new Command.Acquire(
                                consumer.id(), max, Limits.ACQUIRE_BYTES_MAX, 0, opaque));
        host.pump();
        if (count[0] < 0) {
            throw new Violation("after a restart, an acquire of " + consumer.key() + " hangs");
        }
        return count[0];
    }

    private static void got(OutboundDelivery each, Map<Integer, List<Got>> to) {
        to.computeIfAbsent(each.partition(), p -> new ArrayList<>())
                .add(
                        new Got(
                                each.sequence(),
                                Payload.idOf(each.message()),
                                each.deliveryCount(),
                                each.redelivered()));
    }

    private void recover() {
        Client client = clients.computeIfAbsent("", this::connect);
        call(client, "recover", Command.Recover::new)
                .lines()
                .forEach(line -> seen.prepared().add(BranchId.parse(line)));
    }

    private void resolve(BranchId branch) {
        Client client = clients.computeIfAbsent("", this::connect);
        if (random.nextBoolean()) {
            seen.committed().add(branch);
            call(
                    client,
                    "commit of " + branch,
                    opaque -> new Command.Commit(branch, false, Settlement.NONE, opaque));
        } else {
            call(
                    client,
                    "rollback of " + branch,
                    opaque -> new Command.Rollback(branch, Settlement.NONE, opaque));
        }
    }
}
