package org.metaq.store.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.metaq.store.journal.JournalFixture.SMALL;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.store.journal.JournalRecord.Need;

/** The flush policies, by counting forces of the segments. */
class ForcePolicyTest {
    private static final long MS = 1_000_000L;

    @TempDir Path root;

    @Test
    void shouldForceTheFirstBatchOfAnEpochWhateverItNeeds() throws Exception {
        try (JournalFixture f = JournalFixture.start(root, with(0, 100, 100), RestorePoint.NEW)) {
            f.write(Need.LAZY, "epoch");
            assertThat(f.directory.forces).isEqualTo(1);
        }
    }

    @Test
    void shouldWriteLazyRecordsAndNeverForceThem() throws Exception {
        try (JournalFixture f = started(with(1, 0, 100))) {
            for (int i = 0; i < 10; i++) {
                Receipt receipt = f.append(Need.LAZY, "a");
                f.work();
                assertThat(receipt.applied().toCompletableFuture()).isCompleted();
                f.nowNs += 10_000 * MS;
            }
            assertThat(f.directory.writes).isEqualTo(10);
            assertThat(f.directory.forces).isZero();
        }
    }

    @Test
    void shouldForceSyncRecordsUnderAnyPolicyAndLazyOnesWithThem() throws Exception {
        try (JournalFixture f = started(with(0, 1000, 1000))) {
            f.append(Need.LAZY, "a");
            f.append(Need.SYNC, "b");
            f.append(Need.LAZY, "c");
            f.work();
            assertThat(f.directory.writes).isEqualTo(1);
            assertThat(f.directory.forces).isEqualTo(1);
        }
    }

    @Test
    void shouldForceEachSendBeforeItsAnswerWhenTheThresholdIsZeroOrLess() throws Exception {
        for (int threshold : new int[] {0, -1}) {
            Path own = root.resolve("t" + threshold);
            try (JournalFixture f =
                    JournalFixture.start(own, with(0, threshold, 100), RestorePoint.NEW)) {
                f.write(Need.SYNC, "epoch");
                f.directory.forces = 0;
                f.write(Need.SEND_POLICY, "a");
                f.write(Need.SEND_POLICY, "b");
                assertThat(f.directory.forces).isEqualTo(2);
            }
        }
    }

    @Test
    void shouldForceSendsWhenTheThresholdIsReached() throws Exception {
        try (JournalFixture f = started(with(0, 3, 1000))) {
            f.write(Need.SEND_POLICY, "a");
            f.write(Need.SEND_POLICY, "b");
            assertThat(f.directory.forces).isZero();
            f.write(Need.SEND_POLICY, "c");
            assertThat(f.directory.forces).isEqualTo(1);
            f.write(Need.SEND_POLICY, "d", "e");
            assertThat(f.directory.forces).isEqualTo(1);
            f.write(Need.SEND_POLICY, "f");
            assertThat(f.directory.forces).isEqualTo(2);
        }
    }

    @Test
    void shouldForceSendsWhenTheIntervalHasPassedSinceTheFirstAlsoWhenIdle() throws Exception {
        try (JournalFixture f = started(with(0, 1000, 50))) {
            f.write(Need.SEND_POLICY, "a");
            f.nowNs += 30 * MS;
            f.write(Need.SEND_POLICY, "b");
            f.nowNs += 19 * MS;
            assertThat(f.work()).isZero();
            assertThat(f.directory.forces).isZero();
            f.nowNs += MS;
            assertThat(f.work()).isPositive();
            assertThat(f.directory.forces).isEqualTo(1);
            f.nowNs += 1000 * MS;
            assertThat(f.work()).isZero();
            assertThat(f.directory.forces).isEqualTo(1);
        }
    }

    @Test
    void shouldForceTransactionsAsFlushTxLogAtCommitSays() throws Exception {
        try (JournalFixture f = started(with(1, 1000, 50))) {
            f.write(Need.TRANSACTION_POLICY, "a");
            assertThat(f.directory.forces).isEqualTo(1);
        }
        try (JournalFixture f = started(with(0, 1000, 50))) {
            f.write(Need.TRANSACTION_POLICY, "a");
            f.nowNs += 100_000 * MS;
            f.work();
            assertThat(f.directory.forces).isZero();
        }
        try (JournalFixture f = started(with(2, 1000, 50))) {
            f.write(Need.TRANSACTION_POLICY, "a");
            f.nowNs += 999 * MS;
            f.work();
            assertThat(f.directory.forces).isZero();
            f.nowNs += MS;
            f.work();
            assertThat(f.directory.forces).isEqualTo(1);
        }
    }

    @Test
    void shouldForceOnTimeAcrossTheOverflowOfTheClock() throws Exception {
        try (JournalFixture f = started(with(2, 1000, 50))) {
            f.nowNs = Long.MAX_VALUE - 500 * MS;
            f.write(Need.TRANSACTION_POLICY, "a");
            assertThat(f.directory.forces).isZero();
            f.nowNs += 1000 * MS;
            f.work();
            assertThat(f.directory.forces).isEqualTo(1);
        }
    }

    private JournalFixture started(JournalOptions options) throws BusyException {
        JournalFixture f = JournalFixture.start(root, options, RestorePoint.NEW);
        f.write(Need.SYNC, "epoch");
        f.nowNs += 100 * MS;
        for (int work = f.work(); work > 0; work = f.work()) {
            // Until the spare is ready.
        }
        f.directory.writes = 0;
        f.directory.forces = 0;
        return f;
    }

    private static JournalOptions with(int transactions, int threshold, long intervalMs) {
        return SMALL.withPolicies(transactions, threshold, intervalMs);
    }
}
