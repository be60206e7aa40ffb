package org.metaq.sim;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.ClientLink;
import org.metaq.broker.OutboundDelivery;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Reply;
import org.metaq.store.log.MessageBytes;

/** The client's end of a connection: calls who waits for each reply. */
final class SimLink implements ClientLink {
    /** A result. */
    record Result(int status, String text) {
        boolean isOk() {
            return status == Reply.OK;
        }

        @Nullable ErrorCode error() {
            return isOk() ? null : ErrorCode.ofReplyText(text);
        }
    }

    private record Waiting(
            String what, Consumer<Result> result, Consumer<List<OutboundDelivery>> deliveries) {}

    private final String name;
    private final Map<Integer, Waiting> waiting = new TreeMap<>();
    private int nextOpaque = 1;

    SimLink(String name) {
        this.name = name;
    }

    /** The opaque of a request whose result will go to {@code result}. */
    int expectResult(String what, Consumer<Result> result) {
        return expect(
                new Waiting(
                        what,
                        result,
                        deliveries -> {
                            throw new Violation(what + " was answered with messages");
                        }));
    }

    /** The opaque of a request that will get messages. */
    int expectDeliveries(String what, Consumer<List<OutboundDelivery>> deliveries) {
        return expect(
                new Waiting(
                        what,
                        result -> {
                            throw new Violation(what + " was answered: " + result.text());
                        },
                        deliveries));
    }

    private int expect(Waiting who) {
        int opaque = nextOpaque++;
        waiting.put(opaque, who);
        return opaque;
    }

    /** True if a request is not answered. */
    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    /** What is not answered, for messages. */
    String unanswered() {
        return waiting.values().stream().map(Waiting::what).toList().toString();
    }

    private Waiting take(int opaque) {
        Waiting who = waiting.remove(opaque);
        if (who == null) {
            throw new Violation(name + " got a reply to " + opaque + ", for which nobody waits");
        }
        return who;
    }

    @Override
    public void result(int opaque, int status, String text) {
        take(opaque).result().accept(new Result(status, text));
    }

    @Override
    public void deliveries(int opaque, List<OutboundDelivery> deliveries) {
        take(opaque).deliveries().accept(deliveries);
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

    @Override
    public void close(String reason) {
        throw new Violation(name + " was closed: " + reason);
    }

    @Override
    public String remoteAddress() {
        return name;
    }
}
