package org.metaq.store.journal;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.metaq.store.io.DiskDirectory;
import org.metaq.store.journal.JournalRecord.Need;

/** Time of a turn with 1 and 64 batches of 1 KiB, beside a bare write and force. Main class. */
final class FileJournalBenchmark {
    private static final int TURNS = 4000;

    private FileJournalBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]);
        Files.createDirectories(root);
        try (var file = DiskDirectory.open(root).open("bare")) {
            file.preallocate(64 << 20);
            ByteBuffer bytes = ByteBuffer.allocateDirect(1088);
            long[] times = new long[TURNS];
            for (int i = 0; i < TURNS; i++) {
                long start = System.nanoTime();
                file.write(bytes.clear(), 4096 + 1088L * i);
                file.force(false);
                times[i] = System.nanoTime() - start;
            }
            print("bare write and force", times);
        }
        JournalOptions options = JournalOptions.DEFAULT;
        try (FileJournal journal =
                new FileJournal(DiskDirectory.open(root), options, RestorePoint.NEW)) {
            long[] epoch = new long[1];
            journal.start(new NoMachine(), role -> epoch[0] = ((Role.Leading) role).epoch());
            while (journal.doWork(System.nanoTime()) > 0) {
                // Until the spare is ready.
            }
            Batch batch =
                    new Batch(
                            epoch[0],
                            1,
                            List.of(
                                    new JournalRecord(
                                            (short) 1, ByteBuffer.allocate(1024), Need.SYNC)));
            for (int count : new int[] {1, 64, 1, 64}) {
                long[] times = new long[TURNS];
                for (int i = 0; i < TURNS; i++) {
                    long start = System.nanoTime();
                    for (int j = 0; j < count; j++) {
                        journal.append(batch);
                    }
                    journal.doWork(start);
                    times[i] = System.nanoTime() - start;
                }
                print(count + " batches of 1 KiB", times);
            }
        }
        long start = System.nanoTime();
        try (FileJournal journal =
                new FileJournal(DiskDirectory.open(root), options, RestorePoint.NEW)) {
            journal.start(new NoMachine(), role -> {});
            System.out.printf(
                    "restart with %d MiB: %d ms%n",
                    journal.status().bytesSinceCheckpoint() >> 20,
                    (System.nanoTime() - start) / 1_000_000);
        }
    }

    private static void print(String what, long[] times) {
        Arrays.sort(times);
        System.out.printf(
                "%s: median %d us, 99%% %d us, max %d us%n",
                what,
                times[TURNS / 2] / 1000,
                times[TURNS * 99 / 100] / 1000,
                times[TURNS - 1] / 1000);
    }

    private static final class NoMachine implements StateMachine {
        private static final Result DONE = new Result() {};

        @Override
        public List<Result> apply(Position first, Batch batch) {
            List<Result> results = new ArrayList<>(batch.records().size());
            for (int i = 0; i < batch.records().size(); i++) {
                results.add(DONE);
            }
            return results;
        }

        @Override
        public Checkpoint cut() {
            throw new UnsupportedOperationException("not measured");
        }

        @Override
        public void restore(ByteBuffer state, Position at) {
            // There is no state.
        }
    }
}
