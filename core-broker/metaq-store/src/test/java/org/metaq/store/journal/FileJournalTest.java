package org.metaq.store.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.metaq.store.journal.JournalFixture.SMALL;
import static org.metaq.store.journal.JournalFixture.checkpoint;
import static org.metaq.store.journal.JournalFixture.files;
import static org.metaq.store.journal.JournalFixture.restorePoint;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.store.StoreException;
import org.metaq.store.journal.JournalRecord.Need;

class FileJournalTest {
    @TempDir Path root;

    @Test
    void shouldStartAnEmptyStoreWithTheFirstEpochAndEntry() throws Exception {
        try (JournalFixture f = JournalFixture.start(root)) {
            assertThat(f.roles).containsExactly(new Role.Leading(1));
            Receipt receipt = f.append(Need.SYNC, "a", "b");
            f.work();
            assertThat(f.machine.positions).containsExactly(new Position(1, 0));
            assertThat(receipt.applied().toCompletableFuture().join())
                    .containsExactly(
                            new RecordingMachine.Said("a"), new RecordingMachine.Said("b"));
            assertThat(f.journal.status().applied()).isEqualTo(new Position(1, 1));
            assertThat(f.journal.status().role()).isEqualTo(new Role.Leading(1));
        }
    }

    @Test
    void shouldReplayEverythingInOrderAfterARestart() throws Exception {
        List<String> all = new ArrayList<>();
        for (int run = 1; run <= 3; run++) {
            try (JournalFixture f = JournalFixture.start(root)) {
                assertThat(f.machine.applied).isEqualTo(all);
                assertThat(f.epoch()).isEqualTo(run);
                for (int i = 0; i < 50; i++) {
                    String body = run + "-" + i + "-" + "x".repeat(i * 10);
                    all.add(body);
                    f.write(Need.SYNC, body);
                }
            }
        }
        assertThat(files(root, ".journal")).hasSizeGreaterThan(4);
    }

    @Test
    void shouldWriteAndForceAWholeGroupOnce() throws Exception {
        try (JournalFixture f =
                JournalFixture.start(root, SMALL.withLengths(1 << 20, 1 << 20), RestorePoint.NEW)) {
            f.write(Need.SYNC, "epoch");
            int writes = f.directory.writes;
            int forces = f.directory.forces;
            List<CompletableFuture<List<Result>>> waiting = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                waiting.add(f.append(Need.SYNC, "x".repeat(1000)).applied().toCompletableFuture());
            }
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            f.work();
            assertThat(waiting).allMatch(CompletableFuture::isDone);
            assertThat(f.directory.writes - writes).isEqualTo(1);
            assertThat(f.directory.forces - forces).isEqualTo(1);
        }
    }

    @Test
    void shouldRollInTheMiddleOfAGroupAndNeverSpanABatch() throws Exception {
        List<String> all = new ArrayList<>();
        try (JournalFixture f = JournalFixture.start(root)) {
            for (int i = 0; i < 30; i++) {
                all.add(i + "y".repeat(1000));
                f.append(Need.LAZY, all.get(i));
            }
            f.work();
            assertThat(f.machine.applied).isEqualTo(all);
            assertThat(files(root, ".journal")).hasSize(10);
        }
        try (JournalFixture f = JournalFixture.start(root)) {
            assertThat(f.machine.applied).isEqualTo(all);
        }
    }

    @Test
    void shouldGiveABatchLongerThanASegmentOneOfItsOwn() throws Exception {
        String large = "z".repeat(100_000);
        try (JournalFixture f = JournalFixture.start(root)) {
            f.write(Need.SYNC, large);
            f.write(Need.SYNC, "small");
            f.write(Need.SYNC, large);
            f.write(Need.SYNC, "small");
            assertThat(files(root, ".journal")).hasSize(4);
        }
        try (JournalFixture f = JournalFixture.start(root)) {
            assertThat(f.machine.applied).containsExactly(large, "small", large, "small");
            f.journal.checkpointed(checkpoint(4));
            assertThat(files(root, ".journal")).hasSize(1);
        }
    }

    @Test
    void shouldRecycleSegmentsBelowACheckpointAndReplayOnlyWhatFollows() throws Exception {
        try (JournalFixture f = JournalFixture.start(root)) {
            for (int i = 1; i <= 60; i++) {
                f.write(Need.SYNC, i + "-".repeat(1000));
            }
            assertThat(f.journal.status().bytesSinceCheckpoint()).isGreaterThan(60_000);
            f.journal.checkpointed(checkpoint(50));
            assertThat(f.journal.status().bytesSinceCheckpoint()).isBetween(10_000L, 80_000L);
            assertThat(files(root, ".journal")).hasSize(4);
            assertThat(files(root, ".spare")).hasSize(SMALL.spareSegments());
            for (int i = 61; i <= 70; i++) {
                f.write(Need.SYNC, i + "-".repeat(1000));
            }
        }
        try (JournalFixture f = JournalFixture.start(root, SMALL, restorePoint(50))) {
            assertThat(f.machine.applied).hasSize(20);
            assertThat(f.machine.positions.get(0)).isEqualTo(new Position(51, 0));
            f.journal.checkpointed(checkpoint(70));
            assertThat(f.journal.status().bytesSinceCheckpoint()).isZero();
        }
    }

    @Test
    void shouldKeepTheEpochWhenTheWholeJournalIsTrimmed() throws Exception {
        for (int run = 1; run <= 3; run++) {
            RestorePoint from = run == 1 ? RestorePoint.NEW : restorePoint(3L * (run - 1));
            try (JournalFixture f = JournalFixture.start(root, SMALL, from)) {
                assertThat(f.epoch()).isEqualTo(run);
                f.write(Need.SYNC, "epoch");
                f.write(Need.SYNC, "a".repeat(20_000));
                f.write(Need.SYNC, "b".repeat(20_000));
                f.journal.checkpointed(checkpoint(3L * run));
            }
        }
    }

    @Test
    void shouldTakeNoMoreThanItsLimitAndGoOnAfterATurn() throws Exception {
        try (JournalFixture f =
                JournalFixture.start(root, SMALL.withLengths(8192, 4096), RestorePoint.NEW)) {
            f.append(Need.SYNC, "x".repeat(3000));
            assertThatThrownBy(() -> f.append(Need.SYNC, "x".repeat(3000)))
                    .isInstanceOf(BusyException.class)
                    .hasMessageContaining("4096");
            assertThatThrownBy(() -> f.append(Need.SYNC, "x".repeat(5000)))
                    .isInstanceOf(IllegalArgumentException.class);
            f.work();
            f.write(Need.SYNC, "x".repeat(3000));
            assertThat(f.machine.applied).hasSize(2);
        }
    }

    @Test
    void shouldRefuseABatchOfAnotherEpochAndOneWithoutRecords() throws Exception {
        try (JournalFixture f = JournalFixture.start(root)) {
            assertThatThrownBy(() -> f.journal.append(JournalFixture.batch(9, Need.SYNC, "a")))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> f.journal.append(new Batch(1, 0, List.of())))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldCopyBodiesAtAppend() throws Exception {
        try (JournalFixture f = JournalFixture.start(root)) {
            Batch batch = JournalFixture.batch(1, Need.SYNC, "original");
            f.journal.append(batch);
            assertThat(batch.records().get(0).body().remaining()).isEqualTo(8);
            batch.records().get(0).body().put(0, (byte) 'X');
            f.work();
            assertThat(f.machine.applied).containsExactly("original");
        }
    }

    @Test
    void shouldTakeBatchesThatAReceiptAppends() throws Exception {
        try (JournalFixture f = JournalFixture.start(root)) {
            f.append(Need.SYNC, "a").accepted().thenRun(() -> appendQuietly(f, "b"));
            f.append(Need.SYNC, "c").applied().thenRun(() -> appendQuietly(f, "d"));
            f.work();
            assertThat(f.machine.applied).containsExactly("a", "c");
            f.work();
            assertThat(f.machine.applied).containsExactly("a", "c", "b", "d");
        }
    }

    private static void appendQuietly(JournalFixture f, String body) {
        try {
            f.append(Need.SYNC, body);
        } catch (BusyException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldEndWhatWasNotAppliedAsUnknownWhenClosed() throws Exception {
        JournalFixture f = JournalFixture.start(root);
        Receipt receipt = f.append(Need.SYNC, "a");
        f.close();
        assertUnknown(receipt);
        assertThatThrownBy(() -> f.append(Need.SYNC, "b"))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldBeDeadAfterAFailedForceAndNeverForceAgain() throws Exception {
        JournalFixture f = JournalFixture.start(root);
        f.write(Need.SYNC, "first");
        f.directory.failForce = new StoreException(StoreException.Kind.IO, "the disk is gone");
        f.directory.forces = 0;
        Receipt receipt = f.append(Need.SYNC, "a");
        assertThatThrownBy(f::work).isInstanceOf(StoreException.class);
        f.directory.failForce = null;
        assertThat(f.machine.applied).containsExactly("first");
        assertThat(receipt.accepted().toCompletableFuture()).isCompleted();
        assertThatThrownBy(() -> receipt.applied().toCompletableFuture().get())
                .hasCauseInstanceOf(UnknownOutcomeException.class);
        assertDead(f, StoreException.Kind.IO);
        assertThat(f.directory.forces).isEqualTo(1);
    }

    @Test
    void shouldBeDeadAndSayWhyWhenTheDiskIsFull() throws Exception {
        JournalFixture f = JournalFixture.start(root);
        f.write(Need.SYNC, "first");
        f.directory.failWrite = new StoreException(StoreException.Kind.DISK_FULL, "disk is full");
        Receipt written = f.append(Need.LAZY, "a");
        Receipt asked = f.append(Need.SYNC, "b");
        assertThatThrownBy(f::work).isInstanceOf(StoreException.class);
        assertUnknown(written);
        assertUnknown(asked);
        assertDead(f, StoreException.Kind.DISK_FULL);
        try (JournalFixture again = JournalFixture.start(root)) {
            assertThat(again.machine.applied).containsExactly("first");
        }
    }

    @Test
    void shouldGoOnWithoutASpareWhenTheDiskIsFullUntilOneIsNeeded() throws Exception {
        JournalFixture f = JournalFixture.start(root);
        f.directory.failPreallocate =
                new StoreException(StoreException.Kind.DISK_FULL, "disk is full");
        f.write(Need.SYNC, "a".repeat(1000));
        assertThat(f.work()).isZero();
        f.write(Need.SYNC, "b".repeat(1000));
        f.append(Need.SYNC, "c".repeat(4000));
        assertThatThrownBy(f::work)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.DISK_FULL));
        f.close();
        try (JournalFixture again = JournalFixture.start(root)) {
            assertThat(again.machine.applied).hasSize(2);
        }
    }

    private static void assertDead(JournalFixture f, StoreException.Kind kind) {
        assertThatThrownBy(() -> f.append(Need.SYNC, "later"))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContaining("dead");
        assertThatThrownBy(f::work).isInstanceOf(StoreException.class);
        f.close();
    }

    private static void assertUnknown(Receipt receipt) {
        assertThatThrownBy(() -> receipt.accepted().toCompletableFuture().get())
                .hasCauseInstanceOf(UnknownOutcomeException.class);
        assertThatThrownBy(() -> receipt.applied().toCompletableFuture().get())
                .hasCauseInstanceOf(UnknownOutcomeException.class);
    }
}
