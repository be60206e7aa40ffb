package org.metaq.broker;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.metaq.protocol.Reply;
import org.metaq.store.log.MessageBytes;

/** Client of a broker in the same thread: remembers the replies. */
class TestLink implements ClientLink {
    final Map<Integer, Reply.Result> results = new HashMap<>();
    final Map<Integer, List<OutboundDelivery>> deliveries = new HashMap<>();

    /** What {@code browse} said to go on from. */
    final Map<Integer, Long> positions = new HashMap<>();

    /** Opaque numbers of all replies, in order. */
    final List<Integer> order = new ArrayList<>();

    /** Data that is no messages. */
    final Map<Integer, ByteBuffer> values = new HashMap<>();

    final List<String> closed = new ArrayList<>();

    boolean isLocal;

    /** How many replies came before it was closed. */
    int repliesBeforeClose;

    @Override
    public void result(int opaque, int status, String text) {
        order.add(opaque);
        if (results.put(opaque, new Reply.Result(status, text, opaque)) != null) {
            throw new AssertionError("a second reply to " + opaque);
        }
    }

    @Override
    public void value(int opaque, ByteBuffer body) {
        order.add(opaque);
        if (values.put(opaque, body) != null) {
            throw new AssertionError("a second reply to " + opaque);
        }
    }

    @Override
    public void deliveries(int opaque, List<OutboundDelivery> batch) {
        order.add(opaque);
        if (deliveries.put(opaque, batch) != null) {
            throw new AssertionError("a second reply to " + opaque);
        }
    }

    @Override
    public void browsed(int opaque, long position, List<OutboundDelivery> messages) {
        positions.put(opaque, position);
        deliveries(opaque, messages);
    }

    @Override
    public void data(int opaque, MessageBytes bytes) {
        ByteBuffer copy = ByteBuffer.allocate(bytes.length());
        bytes.copyTo(copy);
        result(opaque, Reply.OK, new String(copy.array(), StandardCharsets.ISO_8859_1));
    }

    @Override
    public void close(String reason) {
        closed.add(reason);
        repliesBeforeClose = order.size();
    }

    @Override
    public boolean isLocal() {
        return isLocal;
    }

    @Override
    public String remoteAddress() {
        return "test";
    }
}
