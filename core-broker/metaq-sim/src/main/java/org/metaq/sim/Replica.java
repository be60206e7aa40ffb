package org.metaq.sim;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.metaq.broker.state.BrokerState;
import org.metaq.broker.state.Cursor;
import org.metaq.broker.state.Partition;
import org.metaq.broker.state.Subscription;
import org.metaq.broker.state.Topic;
import org.metaq.store.journal.Batch;
import org.metaq.store.journal.Position;
import org.metaq.store.log.MessageLog;

/** A follower: a state machine of its own over files of its own, fed from the cluster's log. */
final class Replica {
    private static final BrokerState.Listener DEAF =
            new BrokerState.Listener() {
                @Override
                public void available(Topic topic) {}

                @Override
                public void waits(Cursor cursor, long sequence) {}

                @Override
                public void removed(Subscription subscription) {}

                @Override
                public void delayed(Partition partition) {}
            };

    private final ModelCluster cluster;
    private final SimViews views;
    private final BrokerState state;
    private int applied;

    Replica(ModelCluster cluster, SimOptions options) {
        this.cluster = cluster;
        this.views = new SimViews(options.broker().maxSegmentSizeBytes());
        this.state =
                new BrokerState(
                        views,
                        DEAF,
                        options.broker().outcomeRetentionMs(),
                        options.broker().outcomeCountMax(),
                        options.broker().transactionMemoryBytes());
        state.restore(ByteBuffer.allocate(0), Position.START);
    }

    /** Applies up to so many batches that it has not applied. */
    void catchUp(int most) {
        int end = (int) Math.min(cluster.committed().size(), (long) applied + most);
        while (applied < end) {
            Batch batch = cluster.committed().get(applied++);
            state.apply(new Position(applied, 0), batch);
        }
    }

    /**
     * Applies everything, and compares with the leader's state and logs, byte for byte.
     *
     * @throws Violation if they differ
     */
    void compare(BrokerState leader, SimViews leaderViews) {
        catchUp(Integer.MAX_VALUE);
        ByteBuffer mine = cut(state, views);
        ByteBuffer theirs = cut(leader, leaderViews);
        if (!mine.equals(theirs)) {
            throw new Violation(
                    "replicas differ: the states have "
                            + mine.remaining()
                            + " and "
                            + theirs.remaining()
                            + " bytes and differ first at "
                            + mine.mismatch(theirs));
        }
        Map<String, List<ByteBuffer>> myLogs = logs(state);
        Map<String, List<ByteBuffer>> theirLogs = logs(leader);
        if (!myLogs.equals(theirLogs)) {
            throw new Violation("replicas differ in their partition logs");
        }
    }

    private static ByteBuffer cut(BrokerState state, SimViews views) {
        state.cut();
        ByteBuffer bytes = views.lastState();
        if (bytes == null) {
            throw new IllegalStateException("the checkpoint has no state");
        }
        return bytes;
    }

    private static Map<String, List<ByteBuffer>> logs(BrokerState state) {
        Map<String, List<ByteBuffer>> all = new TreeMap<>();
        for (Topic topic : state.topics()) {
            for (Partition partition : topic.partitions()) {
                MessageLog log = partition.log();
                List<ByteBuffer> messages = new ArrayList<>();
                for (long s = log.startSequence(); s < log.endSequence(); s++) {
                    ByteBuffer bytes = ByteBuffer.allocate(log.bytes(s).length());
                    log.bytes(s).copyTo(bytes);
                    messages.add(bytes.flip());
                }
                all.put(
                        topic.text() + "-" + partition.number() + "@" + log.startSequence(),
                        messages);
            }
        }
        return all;
    }
}
