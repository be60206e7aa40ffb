package org.metaq.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Chooses what happens next. */
final class Workload {
    private record Action(int weight, Runnable action) {}

    private static final int CLIENTS_MAX = 4;

    /** Most actions that come to nothing before a step is over. */
    private static final int TRIES = 5;

    private final SimWorld world;
    private final List<Action> actions = new ArrayList<>();
    private int weights;

    final MessageActions messages;
    final ConsumerActions consumers;
    final TransactionActions transactions;
    final TimeActions time;

    Workload(SimWorld world) {
        this.world = world;
        messages = new MessageActions(world);
        consumers = new ConsumerActions(world);
        transactions = new TransactionActions(world, messages);
        time = new TimeActions(world);
        add(3, this::connect);
        with(1, consumers::disconnect);
        with(4, consumers::resolve);
        with(8, consumers::subscribe);
        with(2, consumers::closeConsumer);
        with(1, consumers::unsubscribe);
        with(1, consumers::createTemporary);
        with(1, consumers::deleteTemporary);
        with(22, client -> messages.send(client, null));
        with(3, messages::repeat);
        with(1, client -> messages.startAndLeave(client, consumers::disconnect));
        with(20, messages::acquire);
        with(7, messages::acknowledge);
        with(4, messages::release);
        with(7, transactions::localSend);
        withSettled(4, transactions::localCommit);
        withSettled(2, transactions::localRollback);
        withSettled(4, transactions::begin);
        withSettled(2, transactions::join);
        add(8, transactions::xaSend);
        withSettled(8, client -> transactions.end());
        withSettled(6, transactions::prepare);
        withSettled(2, transactions::commitOnePhase);
        withSettled(3, transactions::commitPrepared);
        withSettled(1, transactions::rollback);
        with(2, transactions::repeatEnd);
        withSettled(1, transactions::recover);
        add(4, time::advance);
        add(1, time::jumpWall);
        add(2, time::changeSpace);
        add(8, world.host::runBackground);
    }

    private void add(int weight, Runnable action) {
        actions.add(new Action(weight, action));
        weights += weight;
    }

    private void with(int weight, Consumer<SimClient> action) {
        add(
                weight,
                () -> {
                    SimClient client = world.any(world.clients);
                    if (client != null) {
                        action.accept(client);
                    }
                });
    }

    private void withSettled(int weight, Consumer<SimClient> action) {
        with(
                weight,
                client -> {
                    world.pumpIfDelayed();
                    action.accept(client);
                });
    }

    Reconnection reconnection() {
        return new Reconnection(world, messages, consumers, transactions);
    }

    private void connect() {
        if (world.clients.size() < CLIENTS_MAX) {
            consumers.connect();
        }
    }

    /** Opens what a run starts with. */
    void begin() {
        world.host.start();
        world.trace.add("started");
        for (int i = 0; i < 3; i++) {
            consumers.connect();
            SimClient client = world.clients.get(i);
            consumers.resolve(client);
            consumers.subscribe(client);
            consumers.subscribe(client);
        }
    }

    /** One action, and perhaps a turn of the broker. */
    void step() {
        long before = world.trace.lines();
        for (int i = 0; i < TRIES && world.trace.lines() == before; i++) {
            act();
        }
        world.maybePump();
    }

    private void act() {
        int dice = world.random.nextInt(weights);
        for (Action each : actions) {
            dice -= each.weight();
            if (dice < 0) {
                each.action().run();
                return;
            }
        }
    }
}
