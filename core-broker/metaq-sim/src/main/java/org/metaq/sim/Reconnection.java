package org.metaq.sim;

import org.metaq.sim.SimBranch.Stage;

/** What clients do when a broker is there again. */
final class Reconnection {
    private final SimWorld world;
    private final MessageActions messages;
    private final ConsumerActions consumers;
    private final TransactionActions transactions;

    Reconnection(
            SimWorld world,
            MessageActions messages,
            ConsumerActions consumers,
            TransactionActions transactions) {
        this.world = world;
        this.messages = messages;
        this.consumers = consumers;
        this.transactions = transactions;
    }

    /** Clients find out where their branches are, and repeat what they got no answer to. */
    void run() {
        ModelState live = world.model.live();
        for (SimBranch branch : world.branches.values()) {
            boolean isPrepared = live.branches.containsKey(branch.id);
            branch.stage = isPrepared ? Stage.PREPARED : Stage.DONE;
            branch.temporarySends.clear();
        }
        world.topics.clear();
        world.topics.addAll(live.topics.keySet());
        SimClient client = world.connect("");
        world.pump();
        transactions.repeatUnknown(client);
        messages.resendUnanswered(client);
        world.maybePump();
        for (int i = 0; i < 3; i++) {
            consumers.connect();
            consumers.subscribe(world.clients.get(i));
            consumers.subscribe(world.clients.get(i));
        }
    }
}
