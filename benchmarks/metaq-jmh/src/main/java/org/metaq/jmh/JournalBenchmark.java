package org.metaq.jmh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.metaq.store.io.DiskDirectory;
import org.metaq.store.journal.Batch;
import org.metaq.store.journal.BusyException;
import org.metaq.store.journal.Checkpoint;
import org.metaq.store.journal.FileJournal;
import org.metaq.store.journal.JournalOptions;
import org.metaq.store.journal.JournalRecord;
import org.metaq.store.journal.JournalRecord.Need;
import org.metaq.store.journal.Position;
import org.metaq.store.journal.RestorePoint;
import org.metaq.store.journal.Result;
import org.metaq.store.journal.Role;
import org.metaq.store.journal.StateMachine;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long is a turn of the writer in the journal, by how many records of 1 KiB share it, and how
 * much of it is the force? Time is per turn: append, write, force if {@code SYNC}, apply by a state
 * machine that does nothing. On a real file below {@code java.io.tmpdir}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class JournalBenchmark {
    private static final int BODY_LENGTH = 1024;
    private static final long CHECKPOINT_BYTES = 64 << 20;

    /** Records of the group that is committed. */
    @Param({"1", "8", "64", "512"})
    public int records = 1;

    /** Whether it is forced. */
    @Param({"LAZY", "SYNC"})
    public Need need = Need.SYNC;

    private TemporaryFolder folder;
    private FileJournal journal;
    private Batch batch;

    /** Opens a journal whose next segment is ready. */
    @Setup
    public void open() throws IOException {
        folder = new TemporaryFolder();
        journal =
                new FileJournal(
                        DiskDirectory.open(folder.path()),
                        JournalOptions.DEFAULT,
                        RestorePoint.NEW);
        journal.start(new Idle(), role -> {});
        if (!(journal.status().role() instanceof Role.Leading leading)) {
            throw new IllegalStateException("a file journal always leads");
        }
        JournalRecord each = new JournalRecord((short) 1, ByteBuffer.allocate(BODY_LENGTH), need);
        batch = new Batch(leading.epoch(), 1, Collections.nCopies(records, each));
        while (journal.doWork(System.nanoTime()) > 0) {
            // Until the spare is ready.
        }
    }

    /** Deletes it. */
    @TearDown
    public void close() throws IOException {
        journal.close();
        folder.close();
    }

    /** One turn. */
    @Benchmark
    public int commitGroup() throws BusyException {
        journal.append(batch);
        int count = journal.doWork(System.nanoTime());
        if (journal.status().bytesSinceCheckpoint() > CHECKPOINT_BYTES) {
            journal.checkpointed(new Finished(journal.status().applied()));
        }
        return count;
    }

    private record Finished(Position at) implements Checkpoint {
        @Override
        public void finish() {
            // There is nothing to write.
        }
    }

    /** Has no state. */
    private static final class Idle implements StateMachine {
        private static final Result DONE = new Result() {};

        @Override
        public List<Result> apply(Position first, Batch batch) {
            return Collections.nCopies(batch.records().size(), DONE);
        }

        @Override
        public Checkpoint cut() {
            throw new UnsupportedOperationException("the benchmark makes its checkpoints itself");
        }

        @Override
        public void restore(ByteBuffer state, Position at) {
            // There is none.
        }
    }
}
