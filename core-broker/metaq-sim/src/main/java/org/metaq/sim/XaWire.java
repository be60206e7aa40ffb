package org.metaq.sim;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.BrokerConnection;
import org.metaq.broker.ClientLink;
import org.metaq.broker.OutboundDelivery;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.sim.SimLink.Result;
import org.metaq.store.log.MessageBytes;

/**
 * A connection as TCP makes it: what is under way in a direction arrives in order and once, some
 * time or, once the connection is cut, up to some point and no further. Each end learns of the cut
 * by itself, behind what still arrives there; so a broker may do late what a client has asked again
 * over another connection, and hold for a while what a client has given up. Nothing is lost or
 * doubled within a connection: the lost message is the end of a cut one, the doubled one a command
 * that was done and is repeated over the next.
 */
final class XaWire implements ClientLink {
    /** What a client is told of a call to which no answer will come. */
    static final Result LOST =
            new Result(ErrorCode.CONNECTION_LOST.status(), ErrorCode.CONNECTION_LOST.name());

    /** A message as it comes to a client. */
    record Delivered(long message, int partition, long sequence) {}

    private record Waiting(
            String what, Consumer<Result> result, Consumer<List<Delivered>> deliveries) {}

    private final String name;
    private final XaNode node;
    private final Consumer<Runnable> client;
    private final Trace trace;
    private final Deque<Runnable> toBroker = new ArrayDeque<>();
    private final Deque<Runnable> toClient = new ArrayDeque<>();
    private final Map<Integer, Waiting> waiting = new TreeMap<>();
    private @Nullable BrokerConnection connection;
    private int nextOpaque = 1;

    /** What is sent from now on goes nowhere. */
    private boolean isCut;

    /** The client knows that it is cut. */
    private boolean isLost;

    /**
     * A new connection, which the broker's end will learn of.
     *
     * @param client runs what arrives at the client
     */
    XaWire(String name, XaNode node, Consumer<Runnable> client, Trace trace) {
        this.name = name;
        this.node = node;
        this.client = client;
        this.trace = trace;
        if (node.isUp()) {
            toBroker.add(() -> connection = node.broker().connect(this));
        } else {
            isCut = true;
            toClient.add(this::endAtClient);
        }
    }

    // ---- the client's end

    /** Sends a command; {@code then} hears the answer, or {@link #LOST}. */
    void call(String what, IntFunction<Command> command, Consumer<Result> then) {
        send(
                what,
                command,
                then,
                deliveries -> {
                    throw new Violation(what + " is answered with messages");
                });
    }

    /** Asks for messages; of the two that are given one hears the answer. */
    void acquire(
            String what,
            IntFunction<Command> command,
            Consumer<List<Delivered>> then,
            Consumer<Result> failed) {
        send(what, command, failed, then);
    }

    private void send(
            String what,
            IntFunction<Command> command,
            Consumer<Result> result,
            Consumer<List<Delivered>> deliveries) {
        int opaque = nextOpaque++;
        Command told = command.apply(opaque);
        trace.add(what + " over " + name + (isCut ? ", which is cut" : ""));
        waiting.put(opaque, new Waiting(what, result, deliveries));
        if (isLost) {
            toClient.add(() -> answer(opaque, LOST));
        } else if (!isCut) {
            toBroker.add(() -> arrive(what, told));
        }
    }

    /** True if the client knows that the connection is lost. */
    boolean isLost() {
        return isLost;
    }

    /** True if what the client gets now may have been sent long ago. */
    boolean isCut() {
        return isCut;
    }

    private void answer(int opaque, Result result) {
        Waiting who = take(opaque);
        ErrorCode error = result.error();
        String kind = error == null ? "done" : error.name().replace('_', ' ');
        trace.add("  answer " + kind + " to " + who.what() + ": " + result.text());
        who.result().accept(result);
    }

    private Waiting take(int opaque) {
        Waiting who = waiting.remove(opaque);
        if (who == null) {
            throw new Violation(name + " got a reply to " + opaque + ", for which nobody waits");
        }
        return who;
    }

    private void endAtClient() {
        isLost = true;
        List.copyOf(waiting.keySet()).forEach(opaque -> answer(opaque, LOST));
    }

    // ---- the broker's end

    private void arrive(String what, Command command) {
        BrokerConnection to = connection;
        if (to != null) {
            trace.add("  " + node + " gets " + what);
            node.broker().submit(to, command);
        }
    }

    private void endAtBroker() {
        BrokerConnection gone = connection;
        connection = null;
        if (gone != null) {
            trace.add("  " + node + " loses " + name);
            node.broker().disconnect(gone);
        }
    }

    private void reply(Runnable arrival) {
        if (!isCut) {
            toClient.add(arrival);
        }
    }

    @Override
    public void result(int opaque, int status, String text) {
        reply(() -> answer(opaque, new Result(status, text)));
    }

    @Override
    public void deliveries(int opaque, List<OutboundDelivery> deliveries) {
        List<Delivered> messages = new ArrayList<>();
        for (OutboundDelivery each : deliveries) {
            long id = Payload.idOf(each.message());
            messages.add(new Delivered(id, each.partition(), each.sequence()));
        }
        reply(
                () -> {
                    Waiting who = take(opaque);
                    trace.add("  " + who.what() + " brings " + messages);
                    who.deliveries().accept(messages);
                });
    }

    @Override
    public void value(int opaque, ByteBuffer body) {
        throw new Violation(name + " got a value nobody asked for");
    }

    @Override
    public void browsed(int opaque, long position, List<OutboundDelivery> messages) {
        throw new Violation(name + " browses nothing");
    }

    @Override
    public void data(int opaque, MessageBytes bytes) {
        throw new Violation(name + " got data nobody asked for");
    }

    /** A successor with the same key came; the broker's end is gone with this. */
    @Override
    public void close(String reason) {
        trace.add("  " + name + " is closed: " + reason);
        connection = null;
        toBroker.clear();
        if (!isCut) {
            isCut = true;
            toClient.add(this::endAtClient);
        }
    }

    @Override
    public String remoteAddress() {
        return name;
    }

    // ---- what happens to it

    boolean isTo(XaNode other) {
        return node == other;
    }

    /** True if something is under way. */
    boolean isMoving() {
        return !toBroker.isEmpty() || !toClient.isEmpty();
    }

    /** What is next in one of the directions arrives. */
    void deliverOne(Random random) {
        boolean isRequest = toClient.isEmpty() || (!toBroker.isEmpty() && random.nextBoolean());
        if (isRequest) {
            node.run(toBroker.remove());
        } else {
            client.accept(toClient.remove());
        }
    }

    /** It breaks; in each direction an end of what is under way is lost. */
    void cut(Random random) {
        if (!isCut) {
            trace.add("cut of " + name);
            isCut = true;
            loseEnd(toBroker, random);
            toBroker.add(this::endAtBroker);
            loseEnd(toClient, random);
            toClient.add(this::endAtClient);
        }
    }

    /** The client closes it, behind what it has sent. */
    void close() {
        if (!isCut) {
            isCut = true;
            toBroker.add(this::endAtBroker);
            toClient.add(this::endAtClient);
        }
    }

    private static void loseEnd(Deque<Runnable> underWay, Random random) {
        for (int lost = random.nextInt(underWay.size() + 1); lost > 0; lost--) {
            underWay.removeLast();
        }
    }

    /** The broker's process ended; what it sent before may still arrive. */
    void brokerGone(Random random) {
        toBroker.clear();
        connection = null;
        if (!isCut) {
            isCut = true;
            loseEnd(toClient, random);
            toClient.add(this::endAtClient);
        }
    }

    /** The client's process ended; what it sent before may still arrive. */
    void clientGone(Random random) {
        toClient.clear();
        waiting.clear();
        isLost = true;
        if (!isCut) {
            isCut = true;
            loseEnd(toBroker, random);
            toBroker.add(this::endAtBroker);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
