package org.metaq.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Chooses what happens next. */
final class Workload {
    private record Action(String name, int weight, Runnable action) {}

    private static final int CLIENTS_MAX = 4;

    private final SimWorld world;
    private final List<Action> actions = new ArrayList<>();
    private int weights;

    final MessageActions messages;
    final ConsumerActions consumers;
    final TransactionActions transactions;
    final HostActions hosts;

    Workload(SimWorld world) {
        this.world = world;
        messages = new MessageActions(world);
        consumers = new ConsumerActions(world);
        transactions = new TransactionActions(world, messages);
        hosts = new HostActions(world, messages, transactions);
        add("connect", 3, this::connect);
        with("disconnect", 1, consumers::disconnect);
        with("resolve", 4, consumers::resolve);
        with("subscribe", 8, consumers::subscribe);
        with("closeConsumer", 2, consumers::closeConsumer);
        with("unsubscribe", 1, consumers::unsubscribe);
        with("createTemporary", 1, consumers::createTemporary);
        with("deleteTemporary", 1, consumers::deleteTemporary);
        with("send", 22, client -> messages.send(client, null));
        with("repeat", 3, messages::repeat);
        with("acquire", 18, messages::acquire);
        with("acknowledge", 8, messages::acknowledge);
        with("release", 4, messages::release);
        with("localSend", 7, transactions::localSend);
        with("localCommit", 4, transactions::localCommit);
        with("localRollback", 2, transactions::localRollback);
        with("begin", 3, transactions::begin);
        with("join", 2, transactions::join);
        with("xaSend", 6, transactions::xaSend);
        with("end", 6, transactions::end);
        with("prepare", 4, transactions::prepare);
        with("commitOnePhase", 2, transactions::commitOnePhase);
        with("commitPrepared", 2, transactions::commitPrepared);
        with("rollback", 2, transactions::rollback);
        with("repeatEnd", 1, transactions::repeatEnd);
        with("recover", 1, transactions::recover);
        add("advance", 4, hosts::advance);
        add("jumpWall", 1, hosts::jumpWall);
        add("changeSpace", 1, hosts::changeSpace);
        add("background", 8, world.host::runBackground);
    }

    private void add(String name, int weight, Runnable action) {
        actions.add(new Action(name, weight, action));
        weights += weight;
    }

    private void with(String name, int weight, Consumer<SimClient> action) {
        add(
                name,
                weight,
                () -> {
                    SimClient client = world.any(world.clients);
                    if (client != null) {
                        action.accept(client);
                    }
                });
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
        for (int i = 0; i < 2; i++) {
            consumers.connect();
        }
        SimClient client = world.clients.get(0);
        consumers.resolve(client);
        consumers.resolve(client);
        consumers.subscribe(client);
    }

    /** One action, and perhaps a turn of the broker. */
    void step() {
        int dice = world.random.nextInt(weights);
        for (Action each : actions) {
            dice -= each.weight();
            if (dice < 0) {
                each.action().run();
                break;
            }
        }
        world.maybePump();
    }
}
