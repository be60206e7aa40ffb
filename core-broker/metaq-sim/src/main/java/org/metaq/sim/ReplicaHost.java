package org.metaq.sim;

import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.Broker;

/** The leader of a {@link ModelCluster}, and two followers that must end as it does. */
final class ReplicaHost extends SimHost {
    private final ModelCluster cluster;
    private final Random random;
    private final Replica[] followers;
    private @Nullable ModelJournal journal;
    private @Nullable SimViews views;

    ReplicaHost(SimOptions options, SimClock clock, ModelCluster cluster, Random random) {
        super(options, clock);
        this.cluster = cluster;
        this.random = random;
        this.followers =
                new Replica[] {new Replica(cluster, options), new Replica(cluster, options)};
    }

    @Override
    void start() {
        ModelJournal led = new ModelJournal(cluster, random);
        SimViews files = new SimViews(options.broker().maxSegmentSizeBytes());
        journal = led;
        views = files;
        broker = Broker.openOver(options.broker(), files, led, files.disk(), clock, Runnable::run);
        led.setPrompt(false);
    }

    /** A leader of a copy, which has no followers to be compared with. */
    @Override
    ReplicaHost copy() {
        return new ReplicaHost(options, clock, cluster.copy(), new Random(0));
    }

    @Override
    void runBackground() {
        for (Replica each : followers) {
            each.catchUp(random.nextInt(20));
        }
    }

    @Override
    void setUsableBytes(long bytes) {
        SimViews files = views;
        if (files != null) {
            files.disk().setUsableBytes(bytes);
        }
    }

    @Override
    boolean isDelayed() {
        return true;
    }

    @Override
    boolean hasUnapplied() {
        return led().hasTail();
    }

    @Override
    void turn() {
        broker().doWork();
    }

    @Override
    void pump() {
        led().setPrompt(true);
        super.pump();
        led().setPrompt(false);
    }

    private ModelJournal led() {
        ModelJournal current = journal;
        if (current == null) {
            throw new IllegalStateException("nobody leads");
        }
        return current;
    }

    /** The leader loses its leadership; gives how many batches that wait count all the same. */
    int depose() {
        int kept = led().depose();
        broker = null;
        return kept;
    }

    /** Followers must have the leader's state and logs, byte for byte. */
    void compare() {
        SimViews files = views;
        if (files == null) {
            throw new IllegalStateException("nobody leads");
        }
        for (Replica each : followers) {
            each.compare(broker().state(), files);
        }
    }
}
