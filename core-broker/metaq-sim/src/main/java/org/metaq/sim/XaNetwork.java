package org.metaq.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * The network of an XA run: its connections, of which any next message may be the next to arrive,
 * so that messages of different connections are delayed against each other as much as can be.
 */
final class XaNetwork {
    private final Random random;
    private final Trace trace;
    private final List<XaWire> wires = new ArrayList<>();
    private int nextWire = 1;

    XaNetwork(Random random, Trace trace) {
        this.random = random;
        this.trace = trace;
    }

    /**
     * A new connection, which is refused if the broker does not run.
     *
     * @param client runs what arrives at the client
     */
    XaWire connect(String who, XaNode node, Consumer<Runnable> client) {
        XaWire wire = new XaWire(who + "-" + node + "-" + nextWire++, node, client, trace);
        wires.add(wire);
        return wire;
    }

    /** One message arrives; false if none is under way. */
    boolean deliverOne() {
        List<XaWire> moving = wires.stream().filter(XaWire::isMoving).toList();
        if (moving.isEmpty()) {
            return false;
        }
        moving.get(random.nextInt(moving.size())).deliverOne(random);
        return true;
    }

    /** A connection breaks. */
    void cutOne() {
        List<XaWire> open = wires.stream().filter(wire -> !wire.isCut()).toList();
        if (!open.isEmpty()) {
            open.get(random.nextInt(open.size())).cut(random);
        }
    }

    /** A broker's process ended. */
    void brokerGone(XaNode node) {
        wires.stream().filter(wire -> wire.isTo(node)).forEach(wire -> wire.brokerGone(random));
    }

    /** The clients close their connections, and all of that arrives. */
    void closeAll() {
        wires.forEach(XaWire::close);
        boolean isMoving;
        do {
            isMoving = deliverOne();
        } while (isMoving);
    }
}
