package org.metaq.sim;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Outcomes.Outcome;
import org.metaq.broker.state.Subscription;
import org.metaq.common.DestinationKind;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.sim.SimClient.Held;
import org.metaq.sim.SimClient.SimConsumer;
import org.metaq.sim.SimWorld.Promise;

/** Connections, destinations, subscriptions and consumers. */
final class ConsumerActions {
    private static final List<String> CLIENT_IDS = List.of("", "", "alpha", "beta");
    private static final List<String> QUEUES = List.of("q1", "q2");
    private static final List<String> TOPICS = List.of("t1", "t2");
    private static final int CONSUMERS_MAX = 4;

    private final SimWorld world;
    private int nextVolatile = 1;

    ConsumerActions(SimWorld world) {
        this.world = world;
    }

    // ---- connections

    void connect() {
        List<String> free =
                CLIENT_IDS.stream()
                        .filter(
                                id ->
                                        id.isEmpty()
                                                || world.clients.stream()
                                                        .noneMatch(c -> c.clientId.equals(id)))
                        .toList();
        String clientId = world.any(free);
        world.connect(clientId == null ? "" : clientId);
        world.pump();
    }

    /** A connection is lost: what it held comes back, what it did not prepare is rolled back. */
    void disconnect(SimClient client) {
        world.trace.add(client + " is lost");
        world.clients.remove(client);
        for (SimBranch branch : world.branches.values()) {
            if (branch.stage == SimBranch.Stage.OPEN && branch.phases.containsKey(client)) {
                branch.stage = SimBranch.Stage.DONE;
                world.model.submit(
                        new Op.Rollback(
                                branch.id,
                                Outcome.CONNECTION_LOST,
                                SimClient.refs(branch.acknowledged)));
            }
        }
        for (SimConsumer consumer : List.copyOf(client.consumers.values())) {
            client.consumers.remove(consumer.id);
            closed(consumer.subscription);
        }
        world.model.submit(new Op.Lose(SimClient.refs(client.held.values())));
        client.temporaryQueues.forEach(topic -> world.model.submit(new Op.DeleteTemporary(topic)));
        world.host.broker().disconnect(client.connection);
        world.maybePump();
    }

    // ---- destinations

    void resolve(SimClient client) {
        boolean isQueue = world.random.nextBoolean();
        DestinationKind kind = isQueue ? DestinationKind.QUEUE : DestinationKind.TOPIC;
        String name = isQueue ? pick(QUEUES) : pick(TOPICS);
        String physical = new org.metaq.common.PhysicalName(kind, name).text();
        boolean isNew = !world.model.live().topics.containsKey(physical);
        world.pump();
        world.tell(
                client,
                "resolve " + name,
                isNew
                        ? new Op.CreateTopic(
                                physical,
                                world.options.broker().topics().of(physical).numPartitions(),
                                false)
                        : null,
                isNew ? Promise.DURABLE : Promise.NONE,
                opaque -> new Command.Resolve(kind, name, opaque),
                text -> {
                    if (!text.startsWith(physical + " ")) {
                        throw new Violation(name + " is resolved to " + text);
                    }
                });
        world.pump();
        if (!world.topics.contains(physical)) {
            world.topics.add(physical);
        }
    }

    private String pick(List<String> names) {
        return names.get(world.random.nextInt(names.size()));
    }

    void createTemporary(SimClient client) {
        if (client.temporaryQueues.size() > 1) {
            return;
        }
        world.pump();
        world.tell(
                client,
                "create temporary queue",
                null,
                Promise.NONE,
                opaque -> new Command.CreateTemporary(DestinationKind.TEMPORARY_QUEUE, opaque),
                text -> {
                    String topic = text.substring(0, text.indexOf(' '));
                    world.model.submit(new Op.CreateTopic(topic, 1, true));
                    client.temporaryQueues.add(topic);
                });
    }

    void deleteTemporary(SimClient client) {
        String topic = world.any(client.temporaryQueues);
        if (topic == null) {
            return;
        }
        world.pump();
        boolean isActive = world.isActive(world.model.live().byKey(ModelState.queueKey(topic)));
        if (isActive) {
            world.tellRefused(
                    client,
                    "delete " + topic,
                    null,
                    ErrorCode.DESTINATION_IN_USE,
                    opaque -> new Command.DeleteTemporary(topic, opaque));
            return;
        }
        client.temporaryQueues.remove(topic);
        world.tell(
                client,
                "delete " + topic,
                new Op.DeleteTemporary(topic),
                Promise.NONE,
                opaque -> new Command.DeleteTemporary(topic, opaque),
                text -> {});
    }

    // ---- subscriptions

    void subscribe(SimClient client) {
        if (client.consumers.size() >= CONSUMERS_MAX) {
            return;
        }
        world.pump();
        List<String> queues = world.topics.stream().filter(t -> t.startsWith("queue@")).toList();
        List<String> topics = world.topics.stream().filter(t -> !t.startsWith("queue@")).toList();
        int dice = world.random.nextInt(10);
        if (dice < 4 && !queues.isEmpty()) {
            subscribeQueue(client, pick(queues));
        } else if (dice == 4 && !client.temporaryQueues.isEmpty()) {
            subscribeQueue(client, pick(client.temporaryQueues));
        } else if (dice < 9 && !topics.isEmpty()) {
            subscribeDurable(client, pick(topics), dice % 2 == 0);
        } else if (!topics.isEmpty()) {
            subscribeVolatile(client, pick(topics));
        }
        world.pump();
    }

    private void subscribeQueue(SimClient client, String queue) {
        ModelSubscription subscription = world.model.live().byKey(ModelState.queueKey(queue));
        if (subscription == null) {
            throw new IllegalStateException("the model has no queue " + queue);
        }
        subscribe(client, queue, "", false, false, null, subscription.key, null);
    }

    private void subscribeDurable(SimClient client, String topic, boolean isShared) {
        if (!isShared && client.clientId.isEmpty()) {
            return;
        }
        String name = (isShared ? "shared" : "own") + world.random.nextInt(2);
        String key =
                new Subscription.Terms(client.clientId, name, topic, true, isShared, false, "")
                        .key();
        ModelSubscription existing = world.model.live().byKey(key);
        ErrorCode error = null;
        String of = topic;
        if (existing != null && world.isActive(existing)) {
            if (isShared && world.chance(80)) {
                of = existing.topic;
            }
            error =
                    !isShared
                            ? ErrorCode.SUBSCRIPTION_IN_USE
                            : of.equals(existing.topic) ? null : ErrorCode.SUBSCRIPTION_MISMATCH;
        } else if (existing != null && world.chance(90)) {
            of = existing.topic;
        }
        Op op = error == null ? new Op.Subscribe(key, of, true) : null;
        subscribe(client, of, name, true, isShared, op, key, error);
    }

    private void subscribeVolatile(SimClient client, String topic) {
        boolean isShared = world.random.nextBoolean();
        String name = isShared ? "volatile" + world.random.nextInt(2) : "";
        String key =
                isShared
                        ? "volatile " + client.clientId + " " + name
                        : "volatile " + nextVolatile++;
        ModelSubscription existing = world.model.live().byKey(key);
        String of = existing == null ? topic : existing.topic;
        subscribe(client, of, name, false, isShared, new Op.Subscribe(key, of, false), key, null);
    }

    private void subscribe(
            SimClient client,
            String topic,
            String name,
            boolean isDurable,
            boolean isShared,
            @Nullable Op op,
            String key,
            @Nullable ErrorCode error) {
        int id = client.nextConsumer++;
        String what = "subscribe " + key + " to " + topic;
        java.util.function.IntFunction<Command> command =
                opaque ->
                        new Command.Subscribe(
                                id, topic, name, isDurable, isShared, false, "", opaque);
        if (error != null) {
            world.tellRefused(client, what, null, error, command);
            return;
        }
        world.model.active(key);
        Promise promise = isDurable ? Promise.DURABLE : Promise.NONE;
        world.tell(client, what, op, promise, command, text -> subscribed(client, id, key, text));
    }

    private void subscribed(SimClient client, int id, String key, String text) {
        ModelSubscription subscription = world.model.live().byKey(key);
        if (subscription == null) {
            throw new Violation("a subscription that is gone was subscribed: " + key);
        }
        client.consumers.put(id, new SimConsumer(id, subscription, Long.parseLong(text)));
    }

    void closeConsumer(SimClient client) {
        SimConsumer consumer = world.any(List.copyOf(client.consumers.values()));
        if (consumer == null) {
            return;
        }
        List<Held> undelivered =
                world.some(
                        client.held.values().stream()
                                .filter(each -> each.consumer() == consumer.id)
                                .toList());
        undelivered.forEach(each -> client.held.remove(each.ref()));
        client.consumers.remove(consumer.id);
        List<Op.Ref> refs = SimClient.refs(undelivered);
        world.model.submit(new Op.GiveBack(refs));
        closed(consumer.subscription);
        world.tell(
                client,
                "close consumer of " + consumer.subscription.name + " giving back " + refs,
                null,
                Promise.NONE,
                opaque ->
                        new Command.CloseConsumer(
                                consumer.id, SimClient.settlement(undelivered), opaque),
                text -> {});
    }

    /** A non-durable subscription goes with its last consumer; a temporary queue's stays. */
    private void closed(ModelSubscription subscription) {
        if (!subscription.isDurable
                && !subscription.key.startsWith("queue:")
                && !world.isActive(subscription)) {
            world.model.submit(new Op.Unsubscribe(subscription.key));
        }
    }

    void unsubscribe(SimClient client) {
        boolean isShared = world.random.nextBoolean();
        if (!isShared && client.clientId.isEmpty()) {
            return;
        }
        world.pump();
        String name = (isShared ? "shared" : "own") + world.random.nextInt(2);
        String key =
                new Subscription.Terms(client.clientId, name, "", true, isShared, false, "").key();
        ModelSubscription existing = world.model.live().byKey(key);
        java.util.function.IntFunction<Command> command =
                opaque -> new Command.Unsubscribe(name, opaque);
        String what = "unsubscribe " + key;
        if (existing == null) {
            world.tellRefused(client, what, null, ErrorCode.NO_SUCH_SUBSCRIPTION, command);
        } else if (world.isActive(existing) || isUnsettled(client, existing)) {
            world.tellRefused(client, what, null, ErrorCode.SUBSCRIPTION_IN_USE, command);
        } else {
            world.tell(client, what, new Op.Unsubscribe(key), Promise.DURABLE, command, text -> {});
        }
        world.pump();
    }

    /** Messages of it are held by the client, by its branches, or by a prepared branch. */
    private boolean isUnsettled(SimClient client, ModelSubscription subscription) {
        boolean isHeld =
                client.held.keySet().stream()
                        .anyMatch(ref -> ref.subscription().equals(subscription.name));
        boolean isInBranch =
                world.branches.values().stream()
                        .filter(branch -> branch.stage == SimBranch.Stage.OPEN)
                        .filter(branch -> branch.phases.containsKey(client))
                        .flatMap(branch -> branch.acknowledged.stream())
                        .anyMatch(held -> held.ref().subscription().equals(subscription.name));
        return isHeld || isInBranch || !subscription.locked.isEmpty();
    }
}
