package org.metaq.sim;

import java.util.function.UnaryOperator;
import org.metaq.broker.Broker;
import org.metaq.sim.Model.Stop;
import org.metaq.store.StoreException;

/** One of the brokers of an XA run: a machine on which a process stops and starts. */
final class XaNode {
    private static final int ARMED_POINTS_MAX = 40;
    private static final int PERCENT_KILLED = 40;

    private final int number;
    private final XaWorld world;
    private final FileHost host;
    private final UnaryOperator<String> recovered;
    private long crashes;

    /**
     * A machine with an empty disk.
     *
     * @param recovered what becomes of an answer to {@code recover}: a planted fault, or the same
     */
    XaNode(int number, XaWorld world, SimOptions options, UnaryOperator<String> recovered) {
        this.number = number;
        this.world = world;
        this.host = new FileHost(options, world.clock, new SimDisk());
        this.recovered = recovered;
    }

    /** 0, 1 and so on. */
    int number() {
        return number;
    }

    boolean isUp() {
        return host.isRunning();
    }

    /** The running broker. */
    Broker broker() {
        return host.broker();
    }

    /** What its answer to {@code recover} looks like to the client. */
    String recovered(String text) {
        return recovered.apply(text);
    }

    /** Runs a part of the broker's process, in which its machine may stop. */
    void run(Runnable part) {
        try {
            part.run();
        } catch (SimCrash e) {
            world.trace.add(this + ": " + e.getMessage());
            crashed();
        } catch (StoreException e) {
            throw new Violation(this + " failed: " + e.getMessage(), e);
        }
    }

    /** The broker works until there is nothing to do. */
    void work() {
        if (isUp()) {
            run(host::pump);
        }
    }

    /** Something of a checkpoint is done, if one is under way. */
    void runBackground() {
        if (isUp()) {
            run(host::runBackground);
        }
    }

    /** A process starts on what is on the disk; it may crash in that. */
    void start() {
        world.trace.add("start of " + this);
        run(host::start);
        if (isUp()) {
            world.ledger.started(this);
        }
    }

    /** A clean stop. */
    void close() {
        world.trace.add("clean stop of " + this);
        run(
                () -> {
                    host.pump();
                    host.close();
                    world.network.brokerGone(this);
                });
    }

    /** The process or the machine stops here and now. */
    void crashed() {
        Stop stop = world.chance(PERCENT_KILLED) ? Stop.KILLED : Stop.POWER_LOSS;
        world.trace.add(stop + " of " + this);
        crashes++;
        if (stop == Stop.POWER_LOSS) {
            host.losePower(world.random);
        } else {
            host.kill();
        }
        world.network.brokerGone(this);
    }

    /** The machine will stop at one of the next writes and forces. */
    void arm() {
        world.arm(host.disk(), ARMED_POINTS_MAX);
    }

    /** It will not stop by itself any more. */
    void disarm() {
        host.disk().failAt(Long.MAX_VALUE, SimDisk.Phase.BEFORE);
    }

    /** Stops without notice so far. */
    long crashes() {
        return crashes;
    }

    /** Its files. */
    SimDisk disk() {
        return host.disk();
    }

    @Override
    public String toString() {
        return "b" + number;
    }
}
