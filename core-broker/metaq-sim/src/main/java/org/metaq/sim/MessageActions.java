package org.metaq.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.OutboundDelivery;
import org.metaq.protocol.Command;
import org.metaq.protocol.Durability;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Limits;
import org.metaq.protocol.MessageFormat;
import org.metaq.sim.SimClient.Held;
import org.metaq.sim.SimClient.SimConsumer;
import org.metaq.sim.SimWorld.Promise;

/** Sends, acquires and settlements outside of transactions, and sends in them. */
final class MessageActions {
    private final SimWorld world;
    private long nextMessage = 1;

    MessageActions(SimWorld world) {
        this.world = world;
    }

    // ---- send

    /** One message; in a branch if one is given. */
    void send(SimClient client, @Nullable SimBranch branch) {
        List<String> targets = new ArrayList<>(world.topics);
        targets.addAll(client.temporaryQueues);
        String topic = world.any(targets);
        if (topic == null) {
            return;
        }
        ModelState.TopicLog log = world.model.live().topics.get(topic);
        if (log == null) {
            throw new IllegalStateException("the model has no topic " + topic);
        }
        SimProducer producer = producer();
        boolean hasProducer = !log.isTemporary() && world.chance(85);
        long deliveryTimeMs = world.chance(20) ? world.nextDeliveryTimeMs() : 0;
        Op.Send op =
                new Op.Send(
                        nextMessage++,
                        topic,
                        world.random.nextInt(log.partitions().size()),
                        hasProducer ? producer.id : 0,
                        hasProducer ? producer.nextSequence : 0,
                        branch == null ? null : branch.id,
                        deliveryTimeMs);
        boolean hasEnvelope = Payload.hasEnvelope(op.message(), deliveryTimeMs);
        int length = Math.max(length(), hasEnvelope ? Payload.ENVELOPE_LENGTH_MIN : 0);
        Durability durability = durability();
        ErrorCode refusal = refusal(log.isTemporary(), branch, length);
        if (refusal != null) {
            refuse(client, op, length, durability, branch, refusal);
            return;
        }
        if (hasProducer) {
            producer.nextSequence++;
        }
        if (branch != null) {
            branch.hasSent = true;
            branch.bytes += MessageFormat.HEADER_LENGTH + length;
            Op effect = log.isTemporary() ? null : op;
            if (effect == null) {
                branch.temporarySends.add(op);
            }
            submit(client, op, effect, length, durability, Promise.WRITTEN, null);
        } else if (log.isTemporary()) {
            submit(client, op, op, length, durability, Promise.NONE, null);
        } else {
            SimProducer by = hasProducer ? producer : null;
            submit(client, op, op, length, durability, promise(durability), by);
        }
    }

    /** A connection is lost in the middle of a large message, which is as if it was never begun. */
    void startAndLeave(SimClient client, Consumer<SimClient> leave) {
        String topic = world.any(world.topics);
        if (topic == null || world.isLowOnSpace) {
            return;
        }
        Op.Send op = new Op.Send(nextMessage++, topic, 0, 0, 0, null, 0);
        int opaque =
                client.link.expectResult(
                        client + " starts " + op,
                        result -> {
                            throw new Violation("half of " + op + " is answered " + result.text());
                        });
        int length = Payload.ENVELOPE_LENGTH_MIN + world.random.nextInt(3000);
        world.sendStart(client, (Command.Send) command(op, length, Durability.SYNC, opaque));
        leave.accept(client);
    }

    private SimProducer producer() {
        if (world.producers.size() < 3 || world.chance(5)) {
            world.producers.add(new SimProducer(1 + world.random.nextInt(1 << 30)));
        }
        return world.producers.get(
                Math.max(0, world.producers.size() - 1 - world.random.nextInt(3)));
    }

    private int length() {
        if (world.chance(2)) {
            return SimOptions.MESSAGE_MAX + 1;
        }
        return Long.BYTES + world.random.nextInt(world.chance(15) ? 3000 : 200);
    }

    private Durability durability() {
        int dice = world.random.nextInt(4);
        return dice == 0 ? Durability.LAZY : dice == 1 ? Durability.POLICY : Durability.SYNC;
    }

    private Promise promise(Durability durability) {
        return switch (durability) {
            case SYNC -> Promise.DURABLE;
            case POLICY -> world.options.promisesPolicySends() ? Promise.DURABLE : Promise.WRITTEN;
            case LAZY -> Promise.WRITTEN;
        };
    }

    private @Nullable ErrorCode refusal(
            boolean isTemporary, @Nullable SimBranch branch, int length) {
        if (length > SimOptions.MESSAGE_MAX) {
            return ErrorCode.MESSAGE_TOO_LARGE;
        }
        if (world.isLowOnSpace && !isTemporary) {
            return ErrorCode.DISK_FULL;
        }
        if (branch == null) {
            return null;
        }
        if (branch.isRollbackOnly) {
            return ErrorCode.XA_RBROLLBACK;
        }
        int size = branch.bytes + MessageFormat.HEADER_LENGTH + length;
        return size > SimOptions.TRANSACTION_MAX ? ErrorCode.TRANSACTION_TOO_LARGE : null;
    }

    private void refuse(
            SimClient client,
            Op.Send op,
            int length,
            Durability durability,
            @Nullable SimBranch branch,
            ErrorCode refusal) {
        if (branch != null) {
            branch.isRollbackOnly = true;
        }
        world.tellRefused(
                client,
                "send " + op,
                null,
                refusal,
                opaque -> command(op, length, durability, opaque));
    }

    private void submit(
            SimClient client,
            Op.Send op,
            @Nullable Op effect,
            int length,
            Durability durability,
            Promise promise,
            @Nullable SimProducer producer) {
        SimProducer.Sent sent = new SimProducer.Sent(op, length, durability);
        if (producer != null) {
            producer.unanswered.add(sent);
        }
        world.tell(
                client,
                "send " + op + " " + length + " " + durability,
                effect,
                promise,
                opaque -> command(op, length, durability, opaque),
                text -> {
                    if (producer != null) {
                        producer.unanswered.remove(sent);
                        producer.lastAnswered = sent;
                        producer.lastAnswer = text;
                    }
                });
    }

    private static Command command(Op.Send op, int length, Durability durability, int opaque) {
        boolean hasEnvelope = Payload.hasEnvelope(op.message(), op.deliveryTimeMs());
        return new Command.Send(
                op.topic(),
                op.partition(),
                hasEnvelope ? MessageFormat.FLAG_ATTRIBUTE | MessageFormat.FLAG_ENVELOPE : 0,
                -1,
                op.producer(),
                op.sequence(),
                durability,
                op.branch(),
                hasEnvelope
                        ? Payload.enveloped(op.message(), length, op.deliveryTimeMs())
                        : Payload.of(op.message(), length),
                opaque);
    }

    // ---- repeat

    /** After a restart: what was not answered is sent again, or given up. */
    void resendUnanswered(SimClient client) {
        if (world.isLowOnSpace) {
            world.producers.forEach(producer -> producer.unanswered.clear());
            return;
        }
        for (SimProducer producer : world.producers) {
            List<SimProducer.Sent> unanswered = List.copyOf(producer.unanswered);
            producer.unanswered.clear();
            if (world.chance(20)) {
                continue;
            }
            for (SimProducer.Sent each : unanswered) {
                Op.Send op = each.op();
                submit(
                        client,
                        op,
                        op,
                        each.length(),
                        each.durability(),
                        promise(each.durability()),
                        producer);
                world.maybePump();
            }
        }
    }

    /** A client repeats its last send, though that was answered. */
    void repeat(SimClient client) {
        SimProducer producer = world.any(world.producers);
        SimProducer.Sent last = producer == null ? null : producer.lastAnswered;
        if (producer == null
                || last == null
                || !producer.unanswered.isEmpty()
                || world.isLowOnSpace
                || last.op().sequence() != producer.nextSequence - 1) {
            return;
        }
        boolean isKnown = world.model.live().knows(last.op());
        world.tell(
                client,
                "repeat " + last.op(),
                last.op(),
                promise(last.durability()),
                opaque -> command(last.op(), last.length(), last.durability(), opaque),
                text -> {
                    // not known before: another repetition may have been first, and answered anew
                    String first = producer.lastAnswer;
                    if (isKnown && !text.equals(first)) {
                        throw new Violation(
                                "the repeated send "
                                        + last.op()
                                        + " is answered "
                                        + text
                                        + ", first "
                                        + first);
                    }
                    producer.lastAnswer = text;
                });
    }

    // ---- acquire

    void acquire(SimClient client) {
        List<SimConsumer> idle =
                client.consumers.values().stream().filter(c -> !c.isAcquiring).toList();
        SimConsumer consumer = world.any(idle);
        if (consumer == null) {
            return;
        }
        consumer.isAcquiring = true;
        int count = 1 + world.random.nextInt(world.chance(20) ? 50 : 5);
        int bytes = world.chance(20) ? 300 : Limits.ACQUIRE_BYTES_MAX;
        int waitMs = world.chance(40) ? 0 : world.random.nextInt(30_000);
        String label = client + " acquire " + count + " of " + consumer.subscription.name;
        world.trace.add(label);
        int opaque =
                client.link.expectDeliveries(
                        label,
                        deliveries -> {
                            consumer.isAcquiring = false;
                            world.trace.add("  " + label + " -> " + deliveries.size());
                            deliveries.forEach(each -> delivered(client, consumer, each));
                        });
        world.host
                .broker()
                .submit(
                        client.connection,
                        new Command.Acquire(consumer.id, count, bytes, waitMs, opaque));
    }

    private void delivered(SimClient client, SimConsumer consumer, OutboundDelivery delivery) {
        long message = Payload.idOf(delivery.message());
        world.noticeTrims();
        ModelState live = world.model.live();
        ModelSubscription subscription = live.subscriptions.get(consumer.subscription.name);
        if (subscription == null) {
            throw new Violation(client + " got a message of a subscription that is gone");
        }
        world.trace.add("    " + message + " x" + delivery.deliveryCount());
        checkPlace(live, subscription, delivery, message);
        String wrong =
                subscription.check(message, delivery.deliveryCount(), delivery.redelivered());
        if (!wrong.isEmpty()) {
            throw new Violation(wrong);
        }
        Op.Ref ref = new Op.Ref(subscription.name, message);
        long place = world.model.submit(new Op.HandOut(ref));
        if (!world.host.isDelayed()) {
            // Messages are handed out at the end of a turn: all that was told before is written.
            world.model.answered(place);
        }
        client.held.put(
                ref,
                new Held(
                        ref,
                        consumer.subscriptionId,
                        subscription.isDurable,
                        delivery.partition(),
                        delivery.sequence(),
                        consumer.id));
    }

    /** It is what the log says, and of its partition the next one that nobody holds. */
    private void checkPlace(
            ModelState live,
            ModelSubscription subscription,
            OutboundDelivery delivery,
            long message) {
        List<Long> available = live.available(subscription, delivery.partition());
        for (long each : available) {
            if (subscription.held.contains(each)) {
                continue;
            }
            ModelState.TopicLog log = live.topics.get(subscription.topic);
            List<Long> all = log == null ? List.of() : log.partitions().get(delivery.partition());
            int place = all.indexOf(message);
            if (each != message && world.host.hasUnapplied()) {
                continue;
            }
            if (each != message || place != delivery.sequence()) {
                throw new Violation(
                        subscription.name
                                + "-"
                                + delivery.partition()
                                + " delivers message "
                                + message
                                + " as sequence "
                                + delivery.sequence()
                                + "; it is at "
                                + place
                                + ", and next is message "
                                + each);
            }
            available.removeAll(subscription.held);
            if (available.stream().anyMatch(other -> all.indexOf(other) < place)) {
                world.trace.add("    overtakes, priority " + Payload.priority(message));
            }
            return;
        }
        throw new Violation(
                subscription.name
                        + "-"
                        + delivery.partition()
                        + " delivers message "
                        + message
                        + ", but has none that nobody holds");
    }

    // ---- settle

    void acknowledge(SimClient client) {
        settle(client, "acknowledge", true);
    }

    void release(SimClient client) {
        settle(client, "release", false);
    }

    private void settle(SimClient client, String what, boolean isAcknowledge) {
        List<Held> some = world.some(client.held.values());
        if (some.isEmpty()) {
            return;
        }
        some.forEach(each -> client.held.remove(each.ref()));
        List<Op.Ref> refs = SimClient.refs(some);
        boolean isRecorded = some.stream().anyMatch(Held::isDurable);
        Promise promise = isRecorded ? Promise.WRITTEN : Promise.NONE;
        if (isAcknowledge) {
            world.tell(
                    client,
                    what + refs,
                    new Op.Acknowledge(refs),
                    promise,
                    opaque -> new Command.Acknowledge(SimClient.settlement(some), opaque),
                    text -> {});
            return;
        }
        boolean isDelivered = world.chance(60);
        world.tell(
                client,
                what + (isDelivered ? " delivered " : " undelivered ") + refs,
                isDelivered ? new Op.Release(refs) : new Op.GiveBack(refs),
                isDelivered ? promise : Promise.NONE,
                opaque -> new Command.Release(SimClient.settlement(some), isDelivered, opaque),
                text -> {});
    }
}
