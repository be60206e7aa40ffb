package org.metaq.sim;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Views;
import org.metaq.common.PhysicalName;
import org.metaq.store.journal.Checkpoint;
import org.metaq.store.journal.Position;
import org.metaq.store.log.LogContext;
import org.metaq.store.log.LogOptions;
import org.metaq.store.log.MessageLog;
import org.metaq.store.log.PartitionLog;
import org.metaq.store.log.SpillFile;

/**
 * A replica's files on a simulated disk of its own. Its checkpoints keep nothing but the state's
 * bytes, to be compared with those of other replicas.
 */
final class SimViews implements Views {
    private final SimDisk disk = new SimDisk();
    private final LogContext logs;
    private @Nullable ByteBuffer lastState;

    SimViews(long segmentLengthMaxBytes) {
        logs =
                new LogContext(
                        disk,
                        LogOptions.defaults().withSegmentLengthMaxBytes(segmentLengthMaxBytes));
    }

    SimDisk disk() {
        return disk;
    }

    /** State of the last checkpoint. */
    @Nullable ByteBuffer lastState() {
        return lastState;
    }

    @Override
    public MessageLog openLog(PhysicalName topic, int partition) {
        return PartitionLog.open(logs, "topics/" + topic.text() + "-" + partition);
    }

    @Override
    public MessageLog openDelayLog(PhysicalName topic, int partition) {
        return PartitionLog.open(logs, "delayed/" + topic.text() + "-" + partition);
    }

    @Override
    public int trimLog(MessageLog log, long sequence) {
        return ((PartitionLog) log).trim(sequence, disk::delete);
    }

    @Override
    public SpillFile createSpill(long id) {
        return SpillFile.create(logs, SpillFile.path(id));
    }

    @Override
    public SpillFile openSpill(long id, long length) {
        return SpillFile.open(logs, SpillFile.path(id), length);
    }

    @Override
    public void deleteSpill(SpillFile spill) {
        spill.delete();
    }

    @Override
    public Checkpoint checkpoint(
            Position at,
            long epoch,
            ByteBuffer state,
            List<MessageLog> messageLogs,
            List<SpillFile> spills) {
        ByteBuffer copy = ByteBuffer.allocate(state.remaining());
        copy.put(state.duplicate()).flip();
        lastState = copy;
        return new Checkpoint() {
            @Override
            public Position at() {
                return at;
            }

            @Override
            public void finish() {}
        };
    }

    @Override
    public void close() {
        logs.close();
    }
}
