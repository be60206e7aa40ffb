package org.metaq.broker;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.metaq.broker.state.Views;
import org.metaq.common.PhysicalName;
import org.metaq.store.checkpoint.CheckpointStore;
import org.metaq.store.io.FileLength;
import org.metaq.store.io.StoreDirectory;
import org.metaq.store.journal.Checkpoint;
import org.metaq.store.journal.FileJournal;
import org.metaq.store.journal.Journal;
import org.metaq.store.journal.JournalOptions;
import org.metaq.store.journal.Position;
import org.metaq.store.log.LogContext;
import org.metaq.store.log.LogCut;
import org.metaq.store.log.LogOptions;
import org.metaq.store.log.MessageLog;
import org.metaq.store.log.PartitionLog;
import org.metaq.store.log.SpillFile;

/** The state's files in a store directory. Confined to the writer thread. */
final class StoreViews implements Views {
    /** Segments of delay logs are short, so that what has moved soon gives its space back. */
    private static final long DELAY_SEGMENT_LENGTH_MAX = 16L << 20;

    private final StoreDirectory directory;
    private final CheckpointStore checkpoints;
    private final LogContext logs;
    private final LogContext delayLogs;
    private UnaryOperator<String> dataPathOfTopic = topic -> "";

    StoreViews(StoreDirectory directory, long maxSegmentSizeBytes) {
        this.directory = directory;
        this.checkpoints = new CheckpointStore(directory);
        this.logs =
                new LogContext(
                        directory,
                        LogOptions.defaults()
                                .withFilesOfProcess()
                                .withSegmentLengthMaxBytes(maxSegmentSizeBytes));
        this.delayLogs =
                logs.withSegmentLengthMaxBytes(
                        Math.min(maxSegmentSizeBytes, DELAY_SEGMENT_LENGTH_MAX));
    }

    /** Cuts the files to the newest checkpoint and gives the journal that goes on from there. */
    Journal openJournal(JournalOptions options) {
        return new FileJournal(directory, options, checkpoints.load());
    }

    @Override
    public void placeTopics(UnaryOperator<String> ofTopic) {
        dataPathOfTopic = ofTopic;
    }

    @Override
    public MessageLog openLog(PhysicalName topic, int partition) {
        return open(logs, CheckpointStore.TOPICS_DIRECTORY, topic, partition);
    }

    @Override
    public MessageLog openDelayLog(PhysicalName topic, int partition) {
        return open(delayLogs, CheckpointStore.DELAYED_DIRECTORY, topic, partition);
    }

    private MessageLog open(LogContext context, String parent, PhysicalName topic, int partition) {
        String path = parent + "/" + topic.text() + "-" + partition;
        String dataPath = dataPathOfTopic.apply(topic.text());
        if (!dataPath.isEmpty()) {
            directory.createDirectoryAt(path, dataPath);
        }
        List<FileLength> files = checkpoints.takeLoaded(path);
        return files == null
                ? PartitionLog.open(context, path)
                : PartitionLog.open(context, path, files);
    }

    @Override
    public int trimLog(MessageLog log, long sequence) {
        return ((PartitionLog) log).trim(sequence, checkpoints::deleteWhenUnneeded);
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
        spill.close();
        checkpoints.deleteWhenUnneeded(spill.path());
    }

    @Override
    public Checkpoint checkpoint(
            Position at,
            long epoch,
            ByteBuffer state,
            List<MessageLog> messageLogs,
            List<SpillFile> spills) {
        List<LogCut> cuts = new ArrayList<>(messageLogs.size() + spills.size());
        messageLogs.forEach(log -> cuts.add(((PartitionLog) log).cut()));
        spills.forEach(spill -> cuts.add(spill.cut()));
        List<FileLength> files = new ArrayList<>();
        cuts.forEach(cut -> files.addAll(cut.files()));
        return checkpoints.begin(at, epoch, state, files, () -> LogCut.forceAll(directory, cuts));
    }

    @Override
    public void close() {
        logs.close();
    }
}
