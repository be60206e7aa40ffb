package org.metaq.sim;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Partition;
import org.metaq.broker.state.Topic;
import org.metaq.common.BranchId;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.sim.SimLink.Result;

/** Everything in one simulated run: the machine, its clients, the oracle. */
final class SimWorld {
    /** Most commands in one turn of the broker. */
    private static final int BATCH_MAX = 6;

    /** Longest piece of a large message. */
    private static final int PIECE_MAX = 700;

    final Random random;
    final SimOptions options;
    final SimHost host;
    final Model model;
    final Trace trace;
    final List<SimClient> clients = new ArrayList<>();
    final List<SimProducer> producers = new ArrayList<>();
    final Map<BranchId, SimBranch> branches = new LinkedHashMap<>();

    /** Durable destinations that exist, physical names. */
    final List<String> topics = new ArrayList<>();

    private final Set<Long> deliveryTimes = new HashSet<>();

    /** The disk says that it is nearly full. */
    boolean isLowOnSpace;

    /** Longer bodies are sent in pieces. */
    private final int wholeBodyMax;

    private int nextClient = 1;
    private int unworked;

    /** Its leader is being deposed: commands may be answered as unknown. */
    boolean isDeposing;

    SimWorld(Random random, SimOptions options, SimHost host, Trace trace) {
        this.random = random;
        this.options = options;
        this.model = new Model(options.losesUnconsumed());
        this.host = host;
        this.trace = trace;
        this.wholeBodyMax = 20 + random.nextInt(1500);
    }

    // ---- chance

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    <T> @Nullable T any(List<T> list) {
        return list.isEmpty() ? null : list.get(random.nextInt(list.size()));
    }

    <T> List<T> some(Iterable<T> all) {
        List<T> some = new ArrayList<>();
        int percent = random.nextInt(4) == 0 ? 100 : 20 + random.nextInt(60);
        all.forEach(
                each -> {
                    if (chance(percent)) {
                        some.add(each);
                    }
                });
        return some;
    }

    // ---- telling the broker

    /** What an answer to an operation promises. */
    enum Promise {
        /** Nothing: no record was written. */
        NONE,
        /** It is written. */
        WRITTEN,
        /** It is on the disk. */
        DURABLE
    }

    Promise commitPromise() {
        return options.promisesCommits() ? Promise.DURABLE : Promise.WRITTEN;
    }

    /** A command that must be done; {@code then} hears the text of the reply. */
    void tell(
            SimClient client,
            String what,
            @Nullable Op op,
            Promise promise,
            IntFunction<Command> command,
            Consumer<String> then) {
        tell(client, what, op, promise, null, command, then);
    }

    /** A command that must be refused so. */
    void tellRefused(
            SimClient client,
            String what,
            @Nullable Op op,
            ErrorCode error,
            IntFunction<Command> command) {
        Promise promise = op == null ? Promise.NONE : commitPromise();
        tell(client, what, op, promise, error, command, text -> {});
    }

    private void tell(
            SimClient client,
            String what,
            @Nullable Op op,
            Promise promise,
            @Nullable ErrorCode error,
            IntFunction<Command> command,
            Consumer<String> then) {
        long[] at = new long[1];
        String label = client + " " + what;
        int opaque =
                client.link.expectResult(
                        label,
                        result -> {
                            trace.add(
                                    "  " + label + " -> " + result.status() + " " + result.text());
                            if (isDeposing && result.error() == ErrorCode.UNKNOWN_OUTCOME) {
                                return;
                            }
                            checkResult(label, error, result);
                            kept(promise, at[0]);
                            then.accept(result.text());
                        });
        Command told = command.apply(opaque);
        boolean isLarge = told instanceof Command.Send s && s.body().remaining() > wholeBodyMax;
        ByteBuffer last = isLarge ? allButTheLastPiece(client, (Command.Send) told) : null;
        at[0] = op == null ? 0 : model.submit(op);
        trace.add(label + (op == null ? "" : " @" + at[0]));
        if (last == null) {
            host.broker().submit(client.connection, told);
        } else {
            host.broker().sendPart(client.connection, last);
        }
        unworked++;
    }

    /** The broker may work between the pieces: what it can see of the message is not there yet. */
    private ByteBuffer allButTheLastPiece(SimClient client, Command.Send send) {
        trace.add(client + " sends in pieces");
        ByteBuffer body = send.body();
        host.broker().beginSend(client.connection, withoutBody(send), body.remaining());
        int length = 1 + random.nextInt(PIECE_MAX);
        while (body.remaining() > length) {
            ByteBuffer piece = body.slice(body.position(), length);
            body.position(body.position() + length);
            host.broker().sendPart(client.connection, piece);
            if (chance(30)) {
                host.turn();
                unworked = 0;
            }
        }
        return body;
    }

    /** The start of a large message whose rest never comes. */
    void sendStart(SimClient client, Command.Send send) {
        allButTheLastPiece(client, send);
    }

    private static Command.Send withoutBody(Command.Send send) {
        return new Command.Send(
                send.topic(),
                send.partition(),
                send.flag(),
                send.checksum(),
                send.producerId(),
                send.producerSequence(),
                send.durability(),
                send.branch(),
                ByteBuffer.allocate(0),
                send.opaque());
    }

    private static void checkResult(String label, @Nullable ErrorCode error, Result result) {
        if (result.error() != error || result.isOk() != (error == null)) {
            throw new Violation(
                    label
                            + " is answered "
                            + result.status()
                            + " "
                            + result.text()
                            + ", not "
                            + (error == null ? "done" : error));
        }
    }

    private void kept(Promise promise, long place) {
        if (place > 0 && promise == Promise.DURABLE) {
            model.durable(place);
        } else if (place > 0 && promise == Promise.WRITTEN) {
            model.answered(place);
        }
    }

    // ---- turns of the broker

    /** The broker works until nothing is left; then nobody may wait for what is there. */
    void pump() {
        host.pump();
        unworked = 0;
        noticeTrims();
        for (SimClient client : clients) {
            for (SimClient.SimConsumer consumer : client.consumers.values()) {
                checkNotStarving(client, consumer);
            }
        }
    }

    /** Mostly the broker works, so that batches of several commands come together too. */
    void maybePump() {
        if (unworked > BATCH_MAX || chance(60)) {
            if (host.isDelayed() && chance(70)) {
                host.turn();
                unworked = 0;
                noticeTrims();
            } else {
                pump();
            }
        }
    }

    /**
     * Tells the model what retention took. Called before anything else is looked at that depends on
     * it, so that it stands in the model's order where the broker has it.
     */
    void noticeTrims() {
        for (Topic topic : host.broker().state().topics()) {
            for (Partition partition : topic.partitions()) {
                long start = partition.log().startSequence();
                if (start > model.live().start(topic.text(), partition.number())) {
                    trace.add("trimmed " + topic + "-" + partition.number() + " to " + start);
                    model.submit(
                            new Op.Trim(
                                    topic.text(),
                                    partition.number(),
                                    start,
                                    options.losesUnconsumed(),
                                    !host.isDelayed()));
                }
            }
        }
    }

    /**
     * Tells the model what time it is for the broker, and what is due by that. Called when all that
     * was told is applied, and nothing else may be told before the broker has worked.
     */
    void noticeTime() {
        model.submit(now());
        ModelState live = model.live();
        for (Op.Due due : live.due()) {
            ModelState.TopicLog log = live.topics.get(due.topic());
            // What a temporary destination holds is in memory, and needs no space.
            if (!isLowOnSpace || (log != null && log.isTemporary())) {
                trace.add("due in " + due.topic() + "-" + due.partition());
                model.submit(due);
            }
        }
    }

    /** The time by which the broker goes. */
    Op.Time now() {
        return new Op.Time(Math.max(host.clock().wallMs(), host.broker().state().timeMs()));
    }

    /** A time in the future at which no other message is due. */
    long nextDeliveryTimeMs() {
        long time = host.clock().wallMs() + 1 + random.nextInt(chance(20) ? 60_000 : 2_000);
        while (!deliveryTimes.add(time)) {
            time++;
        }
        return time;
    }

    /** Before a command whose answer depends on what was told before. */
    void pumpIfDelayed() {
        if (host.isDelayed()) {
            pump();
        }
    }

    private void checkNotStarving(SimClient client, SimClient.SimConsumer consumer) {
        ModelSubscription subscription = model.live().subscriptions.get(consumer.subscription.name);
        if (!consumer.isAcquiring || subscription == null) {
            return;
        }
        ModelState.TopicLog log = model.live().topics.get(subscription.topic);
        int count = log == null ? 0 : log.partitions().size();
        for (int i = 0; i < count; i++) {
            for (long message : model.live().available(subscription, i)) {
                if (!subscription.held.contains(message)) {
                    throw new Violation(
                            client
                                    + " waits for messages of "
                                    + subscription.name
                                    + ", but message "
                                    + message
                                    + " is there");
                }
            }
        }
    }

    // ---- clients

    SimClient connect(String clientId) {
        String name = "client" + nextClient++;
        SimLink link = new SimLink(name);
        SimClient client = new SimClient(name, clientId, link, host.broker().connect(link));
        clients.add(client);
        tell(
                client,
                "open '" + clientId + "'",
                null,
                Promise.NONE,
                opaque -> new Command.Open(1, "", "", clientId, opaque),
                text -> {});
        return client;
    }

    /** True if a consumer is open on this subscription. */
    boolean isActive(@Nullable ModelSubscription subscription) {
        return subscription != null
                && clients.stream()
                        .flatMap(client -> client.consumers.values().stream())
                        .anyMatch(c -> c.subscription.name.equals(subscription.name));
    }

    SimBranch addBranch(BranchId id, SimClient client, long deadlineNs) {
        SimBranch branch = new SimBranch(id, deadlineNs);
        branches.put(id, branch);
        branch.phases.put(client, SimBranch.Phase.ACTIVE);
        return branch;
    }
}
