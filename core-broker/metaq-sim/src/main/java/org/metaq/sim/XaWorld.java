package org.metaq.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What all in one XA run share: chance, the clock, the network, and who knows what is right. */
final class XaWorld {
    /** Two brokers and their managers say more than one broker does. */
    private static final int TRACE_LINES = 400;

    final Random random;
    final Trace trace = new Trace(TRACE_LINES);
    final SimClock clock = new SimClock();
    final XaNetwork network;
    final XaLedger ledger;
    final List<XaNode> nodes = new ArrayList<>();

    /** Whether the next connection of a client ends the one before, as with {@code reconnect}. */
    final boolean succeeds;

    /** No more transactions: those under way come to their end. */
    boolean isSettling;

    XaWorld(Random random) {
        this.random = random;
        this.network = new XaNetwork(random, trace);
        this.ledger = new XaLedger(trace);
        this.succeeds = random.nextBoolean();
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** One of a list that is not empty. */
    <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** The machine of this disk will stop at one of the next so many crash points. */
    void arm(SimDisk disk, int points) {
        SimDisk.Phase[] phases = SimDisk.Phase.values();
        disk.failAt(
                disk.points() + 1 + random.nextInt(points), phases[random.nextInt(phases.length)]);
    }
}
