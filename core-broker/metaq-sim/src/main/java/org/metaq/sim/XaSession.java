package org.metaq.sim;

import java.util.List;
import java.util.function.Consumer;
import org.metaq.protocol.Command;
import org.metaq.protocol.Limits;
import org.metaq.sim.SimLink.Result;

/** A manager's connection to a broker for the work of branches, with a consumer of each queue. */
final class XaSession {
    /** Queues of each broker, physical names. */
    static final List<String> QUEUES = List.of("queue@q1", "queue@q2");

    private static final int COUNT_MAX = 3;
    private static final int WAIT_MAX_MS = 500;

    final XaWire wire;
    private final XaWorld world;
    private final long[] subscriptions = new long[QUEUES.size()];
    private final boolean[] isAcquiring = new boolean[QUEUES.size()];

    /** Opens the consumers, which are there before any acquire is answered. */
    XaSession(XaWorld world, XaWire wire, String key) {
        this.world = world;
        this.wire = wire;
        wire.call("open", o -> new Command.Open(1, "", "", "", key, o), r -> opened("open", r));
        for (int i = 0; i < QUEUES.size(); i++) {
            int consumer = i;
            wire.call(
                    "subscribe",
                    o ->
                            new Command.Subscribe(
                                    consumer, QUEUES.get(consumer), "", false, false, false, "", o),
                    result -> {
                        if (opened("subscribe", result)) {
                            subscriptions[consumer] = Long.parseLong(result.text());
                        }
                    });
        }
    }

    /** False if the connection was lost. */
    static boolean opened(String what, Result result) {
        if (!result.isOk() && !result.equals(XaWire.LOST)) {
            throw new Violation(what + " is refused: " + result.text());
        }
        return result.isOk();
    }

    /**
     * Receives messages in a branch.
     *
     * @param then hears whether the connection holds
     */
    void receive(XaBranch branch, Consumer<Boolean> then) {
        int consumer = world.random.nextInt(QUEUES.size());
        if (isAcquiring[consumer]) {
            then.accept(true);
            return;
        }
        isAcquiring[consumer] = true;
        int count = 1 + world.random.nextInt(COUNT_MAX);
        int waitMs = world.chance(70) ? 0 : world.random.nextInt(WAIT_MAX_MS);
        wire.acquire(
                "receive in " + branch,
                o -> new Command.Acquire(consumer, count, Limits.ACQUIRE_BYTES_MAX, waitMs, o),
                messages -> {
                    isAcquiring[consumer] = false;
                    messages.forEach(each -> take(branch, consumer, each));
                    then.accept(true);
                },
                result -> {
                    opened("acquire", result);
                    then.accept(false);
                });
    }

    private void take(XaBranch branch, int consumer, XaWire.Delivered each) {
        String queue = QUEUES.get(consumer);
        world.ledger.delivered(branch, queue, each.message(), wire.isCut());
        branch.received.add(
                new SimClient.Held(
                        new Op.Ref(queue, each.message()),
                        subscriptions[consumer],
                        true,
                        each.partition(),
                        each.sequence(),
                        consumer));
    }
}
