package org.metaq.broker.state;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.metaq.common.PhysicalName;
import org.metaq.store.journal.Checkpoint;
import org.metaq.store.journal.Position;
import org.metaq.store.log.MessageLog;
import org.metaq.store.log.SpillFile;

/** Where the state's files come from; writer thread. */
public interface Views extends AutoCloseable {
    /** Opens a partition's log, new or as the last checkpoint left it. */
    MessageLog openLog(PhysicalName topic, int partition);

    /** Opens the log of a partition's delayed messages, new or as the last checkpoint left it. */
    MessageLog openDelayLog(PhysicalName topic, int partition);

    /**
     * Where directories of new partitions lie, by the topic's physical name; empty: with all
     * others. Asked when a log is opened.
     */
    default void placeTopics(UnaryOperator<String> dataPathOfTopic) {}

    /**
     * Drops the segments of a log that lie wholly below a sequence, but never the last. Their files
     * are deleted, at the latest when no checkpoint needs them for a restart.
     *
     * @return how many were dropped
     */
    int trimLog(MessageLog log, long sequence);

    /** Creates an empty spill file. */
    SpillFile createSpill(long id);

    /** Opens a spill file as the last checkpoint left it. */
    SpillFile openSpill(long id, long length);

    /** Deletes a spill file, at the latest when no checkpoint needs it for a restart. */
    void deleteSpill(SpillFile spill);

    /** Starts a checkpoint of these files at their present lengths. */
    Checkpoint checkpoint(
            Position at,
            long epoch,
            ByteBuffer state,
            List<MessageLog> logs,
            List<SpillFile> spills);

    /** Closes every file; forces nothing. */
    @Override
    void close();
}
