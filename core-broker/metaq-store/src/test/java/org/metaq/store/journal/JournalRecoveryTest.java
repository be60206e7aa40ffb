package org.metaq.store.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.metaq.store.journal.JournalFixture.SMALL;
import static org.metaq.store.journal.JournalFixture.checkpoint;
import static org.metaq.store.journal.JournalFixture.copy;
import static org.metaq.store.journal.JournalFixture.files;
import static org.metaq.store.journal.JournalFixture.restorePoint;
import static org.metaq.store.journal.JournalFixture.segment;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.store.StoreException;
import org.metaq.store.StoreException.Kind;
import org.metaq.store.journal.JournalRecord.Need;
import org.metaq.store.journal.JournalRecovery.Action;
import org.metaq.store.journal.JournalRecovery.Next;
import org.metaq.store.journal.SegmentReader.Finding;

class JournalRecoveryTest {
    /** Padded length of a batch of one record with a body of 100 bytes. */
    private static final int BATCH = 160;

    @TempDir Path temp;

    @Test
    void shouldDecideEveryCaseOfTheTable() {
        String table =
                """
                VALID        NONE      no  REPLAY
                VALID        NONE      yes REPLAY
                VALID        EXPECTED  no  REPLAY
                VALID        EXPECTED  yes REPLAY
                VALID        ELSEWHERE no  REPLAY
                VALID        ELSEWHERE yes REPLAY
                DAMAGED      NONE      no  END
                DAMAGED      NONE      yes REFUSE
                DAMAGED      EXPECTED  no  CONTINUE
                DAMAGED      EXPECTED  yes CONTINUE
                DAMAGED      ELSEWHERE no  REFUSE
                DAMAGED      ELSEWHERE yes REFUSE
                OTHER_ENTRY  NONE      no  END
                OTHER_ENTRY  NONE      yes REFUSE
                OTHER_ENTRY  EXPECTED  no  CONTINUE
                OTHER_ENTRY  EXPECTED  yes CONTINUE
                OTHER_ENTRY  ELSEWHERE no  REFUSE
                OTHER_ENTRY  ELSEWHERE yes REFUSE
                OLDER_EPOCH  NONE      no  END
                OLDER_EPOCH  NONE      yes REFUSE
                OLDER_EPOCH  EXPECTED  no  CONTINUE
                OLDER_EPOCH  EXPECTED  yes CONTINUE
                OLDER_EPOCH  ELSEWHERE no  REFUSE
                OLDER_EPOCH  ELSEWHERE yes REFUSE
                """;
        Map<String, Action> expected = new HashMap<>();
        for (String line : table.lines().toList()) {
            String[] words = line.split(" +");
            expected.put(words[0] + words[1] + words[2], Action.valueOf(words[3]));
        }
        int cases = 0;
        for (Finding finding : Finding.values()) {
            for (Next next : Next.values()) {
                for (boolean isProven : new boolean[] {false, true}) {
                    String key = "" + finding + next + (isProven ? "yes" : "no");
                    assertThat(JournalRecovery.decide(finding, next, isProven))
                            .as(key)
                            .isNotNull()
                            .isEqualTo(expected.get(key));
                    cases++;
                }
            }
        }
        assertThat(expected).hasSize(cases);
    }

    @Test
    void shouldCutATailTornAtAnyByteOfTheLastBatch() throws Exception {
        Path whole = temp.resolve("whole");
        try (JournalFixture f = JournalFixture.start(whole)) {
            f.write(Need.SYNC, "epoch");
            f.write(Need.SYNC, body(2));
            f.write(Need.SYNC, body(3));
        }
        long last = SegmentHeader.LENGTH + 64 + BATCH;
        int length = BatchCodec.HEADER_LENGTH + BatchCodec.RECORD_HEADER_LENGTH + 100;
        for (int kept = 0; kept < length; kept++) {
            Path torn = temp.resolve("torn" + kept);
            copy(whole, torn);
            overwrite(segment(torn, 1), last + kept, new byte[length - kept]);
            try (JournalFixture f = JournalFixture.start(torn)) {
                assertThat(f.machine.applied).as("kept %d", kept).containsExactly("epoch", body(2));
                f.write(Need.SYNC, "epoch 2");
            }
            try (JournalFixture f = JournalFixture.start(torn)) {
                assertThat(f.machine.applied).containsExactly("epoch", body(2), "epoch 2");
            }
        }
    }

    @Test
    void shouldRefuseToStartWhenAnyBitOfWhatWasForcedIsFlipped() throws Exception {
        Path whole = temp.resolve("whole");
        try (JournalFixture f = JournalFixture.start(whole)) {
            f.write(Need.SYNC, "epoch");
            for (int i = 2; i <= 4; i++) {
                f.write(Need.SYNC, body(i));
            }
        }
        long start = SegmentHeader.LENGTH + 64;
        int length = BatchCodec.HEADER_LENGTH + BatchCodec.RECORD_HEADER_LENGTH + 100;
        for (int at = 0; at < length; at++) {
            Path flipped = temp.resolve("flipped" + at);
            copy(whole, flipped);
            flip(segment(flipped, 1), start + at, 1 << at % 8);
            assertCorrupt(
                    flipped,
                    RestorePoint.NEW,
                    "entry 2 ",
                    "position " + start,
                    "entry ",
                    ".journal");
        }
    }

    @Test
    void shouldRefuseToStartWhenASegmentHeaderIsDamaged() throws Exception {
        Path whole = temp.resolve("whole");
        try (JournalFixture f = JournalFixture.start(whole)) {
            f.write(Need.SYNC, "epoch");
        }
        for (int at = 0; at < SegmentHeader.LENGTH; at += 3) {
            Path flipped = temp.resolve("flipped" + at);
            copy(whole, flipped);
            flip(segment(flipped, 1), at, 0x10);
            assertCorrupt(flipped, RestorePoint.NEW, "position 0", "header is damaged");
        }
    }

    @Test
    void shouldRefuseToStartWhenDamageIsFollowedByANextSegment() throws Exception {
        try (JournalFixture f = JournalFixture.start(temp)) {
            for (int i = 1; i <= 40; i++) {
                f.write(Need.LAZY, body(i));
            }
        }
        List<String> names = files(temp, ".journal");
        assertThat(names).hasSizeGreaterThan(1);
        long lastOfFirst = Long.parseLong(names.get(1).substring(0, 20)) - 1;
        long position = SegmentHeader.LENGTH + (lastOfFirst - 1) * BATCH;
        flip(segment(temp, 1), position + 80, 1);
        assertCorrupt(
                temp,
                RestorePoint.NEW,
                "position " + position,
                "entry " + lastOfFirst,
                "the next segment shows that it was durable");
    }

    @Test
    void shouldRefuseToStartWhenEntriesBetweenCheckpointAndJournalAreMissing() throws Exception {
        try (JournalFixture f = JournalFixture.start(temp)) {
            for (int i = 1; i <= 100; i++) {
                f.write(Need.SYNC, body(i));
            }
            f.journal.checkpointed(checkpoint(90));
        }
        assertCorrupt(temp, restorePoint(20), "ends at entry 20", "missing");
        assertCorrupt(temp, RestorePoint.NEW, "ends at entry 0", "missing");
    }

    @Test
    void shouldRefuseToStartWhenASegmentInTheMiddleIsMissing() throws Exception {
        try (JournalFixture f = JournalFixture.start(temp)) {
            for (int i = 1; i <= 100; i++) {
                f.write(Need.SYNC, body(i));
            }
        }
        List<String> names = files(temp, ".journal");
        assertThat(names).hasSizeGreaterThan(3);
        Files.delete(temp.resolve("journal").resolve(names.get(2)));
        assertCorrupt(temp, RestorePoint.NEW, "is damaged or missing");
    }

    @Test
    void shouldRefuseToStartWhenThereIsACheckpointAndNoJournal() {
        assertCorrupt(temp, restorePoint(5), "holds no segment", "entry 5");
    }

    @Test
    void shouldRefuseAJournalThatANewerReleaseWrote() throws Exception {
        try (JournalFixture f = JournalFixture.start(temp)) {
            f.write(Need.SYNC, "epoch");
        }
        ByteBuffer block = new SegmentHeader(1, 0).encode();
        block.putInt(SegmentHeader.VERSION_OFFSET, 3).putInt(SegmentHeader.OLDEST_READER_OFFSET, 2);
        java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        crc.update(block.array(), 0, SegmentHeader.CRC_OFFSET);
        crc.update(
                block.array(),
                SegmentHeader.FIRST_ENTRY_OFFSET,
                SegmentHeader.LENGTH - SegmentHeader.FIRST_ENTRY_OFFSET);
        block.putInt(SegmentHeader.CRC_OFFSET, (int) crc.getValue());
        overwrite(segment(temp, 1), 0, block.array());
        assertThatThrownBy(() -> JournalFixture.start(temp))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.VERSION))
                .hasMessageContaining("version 2");
    }

    @Test
    void shouldTakeHalfMadeFilesForNothing() throws Exception {
        try (JournalFixture f = JournalFixture.start(temp)) {
            f.write(Need.SYNC, "epoch");
        }
        Files.createFile(segment(temp, 2));
        Files.write(temp.resolve("journal/00000000000000000077.spare"), new byte[0]);
        Files.write(temp.resolve("journal/00000000000000000078.spare"), new byte[5000]);
        Files.write(temp.resolve("journal/00000000000000000079.spare"), new byte[50_000]);
        try (JournalFixture f = JournalFixture.start(temp)) {
            assertThat(f.machine.applied).containsExactly("epoch");
            for (int i = 0; i < 100; i++) {
                f.write(Need.SYNC, body(i));
            }
        }
        try (JournalFixture f = JournalFixture.start(temp)) {
            assertThat(f.machine.applied).hasSize(101);
        }
        Path fresh = temp.resolve("fresh");
        Files.createDirectories(fresh.resolve("journal"));
        Files.createFile(segment(fresh, 1));
        try (JournalFixture f = JournalFixture.start(fresh)) {
            assertThat(f.machine.applied).isEmpty();
        }
    }

    @Test
    void shouldGoOnBehindTheCheckpointWhenTheJournalEndsBeforeIt() throws Exception {
        try (JournalFixture f = JournalFixture.start(temp)) {
            f.write(Need.SYNC, "epoch");
            f.write(Need.LAZY, body(2));
            f.write(Need.LAZY, body(3));
        }
        // The power went: what was never forced is not there, but the checkpoint has it.
        overwrite(segment(temp, 1), SegmentHeader.LENGTH + 64, new byte[2 * BATCH]);
        try (JournalFixture f = JournalFixture.start(temp, SMALL, restorePoint(3))) {
            assertThat(f.machine.applied).isEmpty();
            assertThat(f.epoch()).isEqualTo(2);
            f.write(Need.SYNC, "four");
            assertThat(f.machine.positions).containsExactly(new Position(4, 0));
        }
        assertThat(files(temp, ".journal")).containsExactly("00000000000000000004.journal");
        try (JournalFixture f = JournalFixture.start(temp, SMALL, restorePoint(3))) {
            assertThat(f.machine.applied).containsExactly("four");
        }
    }

    /**
     * Every sort of file that a trimmed segment leaves behind is full of batches with a right CRC.
     */
    @Test
    void shouldNeverTakeBatchesOfARecycledSegmentForNewOnes() throws Exception {
        JournalOptions one = new JournalOptions(8192, 1, 1, 0, 1, 1 << 20);
        List<String> expected = new ArrayList<>();
        long restored = 0;
        for (int run = 0; run < 12; run++) {
            RestorePoint from = restored == 0 ? RestorePoint.NEW : restorePoint(restored);
            try (JournalFixture f = JournalFixture.start(temp, one, from)) {
                assertThat(f.machine.applied).as("run %d", run).isEqualTo(expected);
                for (int i = 0; i < 37; i++) {
                    f.write(Need.SYNC, body(run * 100 + i));
                }
                restored = f.journal.status().applied().entry() - 3;
                f.journal.checkpointed(checkpoint(restored));
                expected = f.machine.applied;
                expected = List.copyOf(expected.subList(expected.size() - 3, expected.size()));
            }
        }
        assertThat(files(temp, ".spare")).hasSize(1);
    }

    /**
     * The tail is torn at N; N+1 of the old epoch survives. A new N of the same length is written,
     * then the broker dies. The old N+1 must not be taken for its successor.
     */
    @Test
    void shouldNotTakeTheOldSuccessorBehindANewBatchOfTheSameLength() throws Exception {
        tearSecondOfThree(temp);
        try (JournalFixture f = JournalFixture.start(temp)) {
            assertThat(f.machine.applied).containsExactly(body(1));
            f.write(Need.SYNC, body(20));
        }
        try (JournalFixture f = JournalFixture.start(temp)) {
            assertThat(f.machine.applied).containsExactly(body(1), body(20));
        }
    }

    /**
     * As before, but the new N is torn as well: the epoch of the run that wrote it cannot be seen
     * in the journal, only behind its end. It must not be given again.
     */
    @Test
    void shouldNotGiveAnEpochAgainThatIsSeenOnlyBehindTheEnd() throws Exception {
        tearSecondOfThree(temp);
        try (JournalFixture f = JournalFixture.start(temp)) {
            assertThat(f.epoch()).isEqualTo(2);
            f.append(Need.LAZY, body(20));
            f.append(Need.LAZY, body(30));
            f.work();
        }
        tear(temp, 2);
        try (JournalFixture f = JournalFixture.start(temp)) {
            assertThat(f.machine.applied).containsExactly(body(1));
            assertThat(f.epoch()).isEqualTo(3);
            f.write(Need.SYNC, body(40));
        }
        try (JournalFixture f = JournalFixture.start(temp)) {
            assertThat(f.machine.applied).containsExactly(body(1), body(40));
        }
    }

    /** Random crashes: within what was not forced, any 16 bytes may be missing. */
    @Test
    void shouldKeepAPrefixThatHoldsAllThatWasForcedThroughManyCrashes() throws Exception {
        for (long seed = 0; seed < 40; seed++) {
            crashManyTimes(temp.resolve("seed" + seed), new java.util.Random(seed), seed);
        }
    }

    private static void crashManyTimes(Path root, java.util.Random random, long seed)
            throws Exception {
        List<String> durable = new ArrayList<>();
        for (int run = 0; run < 12; run++) {
            try (JournalFixture f = JournalFixture.start(root)) {
                List<String> found = List.copyOf(f.machine.applied);
                assertThat(found.subList(0, Math.min(durable.size(), found.size())))
                        .as("seed %d run %d", seed, run)
                        .isEqualTo(durable);
                f.write(Need.SYNC, "epoch " + seed + " " + run);
                for (int i = random.nextInt(6); i > 0; i--) {
                    f.write(Need.SYNC, body(random.nextInt(1000)));
                }
                durable = List.copyOf(f.machine.applied);
                Path last = root.resolve("journal").resolve(lastSegment(root));
                byte[] before = Files.readAllBytes(last);
                int segments = files(root, ".journal").size();
                for (int i = random.nextInt(5); i > 0; i--) {
                    f.append(Need.LAZY, body(random.nextInt(1000)));
                }
                f.work();
                // A roll forces what is before it; then only what is not torn here is looked at.
                if (files(root, ".journal").size() == segments) {
                    tearAnywhere(last, before, random);
                }
            }
        }
    }

    private static void tearAnywhere(Path last, byte[] before, java.util.Random random)
            throws IOException {
        byte[] now = Files.readAllBytes(last);
        for (int at = 0; at < now.length; at += 16) {
            if (random.nextInt(8) == 0) {
                System.arraycopy(before, at, now, at, 16);
            }
        }
        overwrite(last, 0, now);
    }

    private static String lastSegment(Path root) throws IOException {
        List<String> names = files(root, ".journal");
        return names.get(names.size() - 1);
    }

    /** Three batches of the same length in one epoch, the second torn, the first forced. */
    private static void tearSecondOfThree(Path root) throws Exception {
        try (JournalFixture f = JournalFixture.start(root)) {
            f.write(Need.SYNC, body(1));
            f.append(Need.LAZY, body(2));
            f.append(Need.LAZY, body(3));
            f.work();
        }
        tear(root, 2);
    }

    private static void tear(Path root, int entry) throws IOException {
        overwrite(segment(root, 1), SegmentHeader.LENGTH + (entry - 1L) * BATCH + 70, new byte[20]);
    }

    private static String body(int number) {
        String start = number + ":";
        return start + "b".repeat(100 - start.length());
    }

    private static void assertCorrupt(Path root, RestorePoint from, String... texts) {
        assertThatThrownBy(() -> JournalFixture.start(root, SMALL, from))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT))
                .hasMessageContainingAll(texts);
    }

    private static void overwrite(Path file, long position, byte[] bytes) throws IOException {
        try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
            access.seek(position);
            access.write(bytes);
        }
    }

    private static void flip(Path file, long position, int mask) throws IOException {
        try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
            access.seek(position);
            int old = access.read();
            access.seek(position);
            access.write(old ^ mask);
        }
    }
}
