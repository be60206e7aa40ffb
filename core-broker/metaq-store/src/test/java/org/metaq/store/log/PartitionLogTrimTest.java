package org.metaq.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.metaq.store.log.TestMessages.array;
import static org.metaq.store.log.TestMessages.message;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionLogTrimTest {
    private static final String PATH = "topics/orders-0";
    private static final int LENGTH = 100;

    /** Ten messages in each segment. */
    private static final int SEGMENT = 1000;

    @TempDir Path temp;
    private LogTestDirectory directory;
    private LogContext context;
    private PartitionLog log;
    private final List<String> dropped = new ArrayList<>();

    @BeforeEach
    void openLog() {
        directory = new LogTestDirectory(temp);
        log = open();
    }

    private PartitionLog open() {
        LogOptions options = LogOptions.defaults().withSegmentLengthMaxBytes(SEGMENT);
        context = new LogContext(directory, options);
        return PartitionLog.open(context, PATH);
    }

    private void append(int count) {
        for (int i = 0; i < count; i++) {
            long sequence = log.endSequence();
            log.append(message(sequence, LENGTH), 1000 + sequence, 0, 4, 0);
        }
        log.publish();
    }

    private int trim(long sequence) {
        return log.trim(sequence, dropped::add);
    }

    @Test
    void shouldTellEveryPublishedSegmentButTheLastAsClosed() {
        append(25);

        assertThat(log.closedSegments())
                .containsExactly(
                        new ClosedSegment(0, 1000, 0, 10), new ClosedSegment(1000, 2000, 10, 20));
        assertThat(log.lastTimestampMs(log.closedSegments().get(1))).isEqualTo(1019);
    }

    @Test
    void shouldDropWholeSegmentsBelowTheSequenceAndKeepTheRestReadable() {
        append(35);

        assertThat(trim(29)).isEqualTo(2);

        assertThat(dropped)
                .containsExactly(
                        PATH + "/00000000000000000000.meta",
                        PATH + "/00000000000000000000.index",
                        PATH + "/00000000000000001000.meta",
                        PATH + "/00000000000000001000.index");
        assertThat(log.startSequence()).isEqualTo(20);
        assertThat(log.startOffset()).isEqualTo(2000);
        assertThat(log.segmentStartOf(500)).isEqualTo(2000);
        assertThat(log.offsetOfTime(0)).isEqualTo(2000);
        assertThatThrownBy(() -> log.meta(19)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> log.read(1999, 100)).isInstanceOf(IllegalArgumentException.class);
        for (long sequence = 20; sequence < 35; sequence++) {
            assertThat(array(log.bytes(sequence))).isEqualTo(array(message(sequence, LENGTH)));
        }
        append(10);
        assertThat(array(log.bytes(44))).isEqualTo(array(message(44, LENGTH)));
        assertThat(log.cut().files()).noneMatch(file -> dropped.contains(file.path()));
    }

    @Test
    void shouldNeverDropTheLastSegmentThoughItIsFull() {
        append(20);

        assertThat(trim(Long.MAX_VALUE)).isEqualTo(1);
        assertThat(trim(Long.MAX_VALUE)).isZero();

        assertThat(log.startSequence()).isEqualTo(10);
        append(1);
        assertThat(trim(Long.MAX_VALUE)).isEqualTo(1);
        assertThat(log.startSequence()).isEqualTo(20);
    }

    @Test
    void shouldDropNothingOfAnEmptyLogNorWhatIsNotPublished() {
        assertThat(trim(Long.MAX_VALUE)).isZero();
        for (int i = 0; i < 30; i++) {
            log.append(message(i, LENGTH), 1000, 0, 4, 0);
        }

        assertThat(trim(Long.MAX_VALUE)).isZero();

        log.publish();
        assertThat(trim(Long.MAX_VALUE)).isEqualTo(2);
    }

    @Test
    void shouldKeepBytesReadableForThoseWhoHoldThemWhenTheirFileIsDeleted() {
        append(25);
        MessageBytes held = log.bytes(3, 7);

        trim(10);
        dropped.forEach(directory::delete);

        byte[] bytes = array(held);
        assertThat(bytes).hasSize(5 * LENGTH);
        assertThat(java.util.Arrays.copyOf(bytes, LENGTH)).isEqualTo(array(message(3, LENGTH)));
        assertThat(context.openFileCount()).isLessThanOrEqualTo(4);
    }

    @Test
    void shouldNotBringADeletedFileBackWhenACutFromBeforeIsForced() {
        append(25);
        LogCut before = log.cut();
        trim(10);

        // The checkpoint under way lists the files, so they are there until it is over.
        before.force();
        dropped.forEach(directory::delete);

        assertThat(directory.list(PATH)).hasSize(4);
        assertThat(log.cut().files()).hasSize(4);
    }

    @Test
    void shouldContinueBehindATrimmedHeadAfterARestart() {
        append(35);
        trim(20);
        dropped.forEach(directory::delete);
        log.close();

        log = open();

        assertThat(log.startSequence()).isEqualTo(20);
        assertThat(log.startOffset()).isEqualTo(2000);
        assertThat(log.endSequence()).isEqualTo(35);
        assertThat(array(log.bytes(20))).isEqualTo(array(message(20, LENGTH)));
    }

    @Test
    void shouldArchiveTheBytesOfASegmentAndOpenTheLogBesideThem() throws IOException {
        append(25);
        ClosedSegment first = log.closedSegments().get(0);
        ClosedSegment second = log.closedSegments().get(1);

        log.archive(first, SegmentArchive.Format.PLAIN);
        log.archive(second, SegmentArchive.Format.ZIP);
        // Again, as after a crash before the segment was dropped.
        log.archive(second, SegmentArchive.Format.ZIP);

        Path root = directory.resolve(PATH);
        assertThat(Files.readAllBytes(root.resolve("00000000000000000000.arc")))
                .isEqualTo(Files.readAllBytes(root.resolve("00000000000000000000.meta")));
        assertThat(unzipped(root.resolve("00000000000000001000.zip")))
                .isEqualTo(Files.readAllBytes(root.resolve("00000000000000001000.meta")));
        assertThat(open().endSequence()).isEqualTo(25);
    }

    private static byte[] unzipped(Path file) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(file))) {
            ZipEntry entry = zip.getNextEntry();
            assertThat(entry).isNotNull();
            assertThat(entry.getName()).isEqualTo("00000000000000001000.meta");
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            zip.transferTo(bytes);
            return bytes.toByteArray();
        }
    }
}
