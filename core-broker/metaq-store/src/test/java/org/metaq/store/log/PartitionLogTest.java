package org.metaq.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.metaq.store.log.TestMessages.array;
import static org.metaq.store.log.TestMessages.message;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.common.Invariants;
import org.metaq.store.StoreException;
import org.metaq.store.io.FileLength;

class PartitionLogTest {
    private static final String PATH = "topics/orders-0";

    @TempDir Path temp;
    private LogTestDirectory directory;

    @BeforeEach
    void openDirectory() {
        directory = new LogTestDirectory(temp);
    }

    private PartitionLog open(long segmentLengthMaxBytes) {
        return open(LogOptions.defaults().withSegmentLengthMaxBytes(segmentLengthMaxBytes));
    }

    private PartitionLog open(LogOptions options) {
        return PartitionLog.open(new LogContext(directory, options), PATH);
    }

    private static void append(PartitionLog log, int count, int length) {
        for (int i = 0; i < count; i++) {
            long sequence = log.endSequence();
            log.append(message(sequence, length), 1000 + sequence, 0, (int) (sequence % 10), 1);
        }
    }

    private static void assertHolds(PartitionLog log, long from, long to, int length) {
        for (long sequence = from; sequence < to; sequence++) {
            assertThat(log.meta(sequence))
                    .isEqualTo(
                            new MessageMeta(
                                    sequence * length,
                                    length,
                                    1000 + sequence,
                                    0,
                                    (int) (sequence % 10),
                                    1));
            assertThat(array(log.bytes(sequence))).isEqualTo(array(message(sequence, length)));
        }
    }

    @Test
    void shouldShowNothingBeforePublishAndAllAfterIt() {
        PartitionLog log = open(1000);
        append(log, 30, 100);

        assertThat(log.endSequence()).isEqualTo(30);
        assertThat(log.publishedEndSequence()).isZero();
        assertThatThrownBy(() -> log.meta(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> log.bytes(29)).isInstanceOf(IllegalArgumentException.class);
        assertThat(log.read(0, 100)).isNull();

        log.publish();

        assertThat(log.publishedEndSequence()).isEqualTo(30);
        assertThat(log.publishedEndOffset()).isEqualTo(3000);
        assertHolds(log, 0, 30, 100);
    }

    @Test
    void shouldRollWhenASegmentReachedItsLengthAfterAnAppend() {
        // MetaQ's own numbers: a limit of 2000 with messages of 120 bytes rolls at 2040 and 4080.
        PartitionLog log = open(2000);
        append(log, 40, 120);
        log.publish();

        assertThat(directory.list(PATH))
                .containsExactly(
                        "00000000000000000000.index",
                        "00000000000000000000.meta",
                        "00000000000000002040.index",
                        "00000000000000002040.meta",
                        "00000000000000004080.index",
                        "00000000000000004080.meta");
        assertHolds(log, 0, 40, 120);
        assertThat(log.segmentStartOf(2039)).isZero();
        assertThat(log.segmentStartOf(2040)).isEqualTo(2040);
        assertThat(log.segmentStartOf(4799)).isEqualTo(4080);
        assertThat(log.segmentStartOf(4800)).isEqualTo(4800);
        assertThat(log.segmentStartOf(-5)).isZero();
    }

    @Test
    void shouldReadRawBytesUpToTheEndOfTheSegment() {
        PartitionLog log = open(2000);
        append(log, 20, 120);
        log.publish();

        assertThat(array(log.read(120, 120))).isEqualTo(array(message(1, 120)));
        assertThat(log.read(1920, 1000).length()).isEqualTo(120);
        assertThat(array(log.read(2040, 1000))).hasSize(360).startsWith(array(message(17, 120)));
        assertThat(log.read(2400, 1000)).isNull();
        assertThat(log.read(9999, 1000)).isNull();
        assertThatThrownBy(() -> log.read(-1, 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> log.read(0, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldHandOutRunsOfMessagesThatLieInOneSegment() {
        PartitionLog log = open(2000);
        append(log, 20, 120);
        log.publish();

        assertThat(log.bytes(3, 9).length()).isEqualTo(7 * 120);
        assertThat(array(log.bytes(3, 9))).startsWith(array(message(3, 120)));
        assertThat(log.bytes(15, 19).length()).isEqualTo(2 * 120);
        assertThat(log.bytes(17, 19).length()).isEqualTo(3 * 120);
        assertThatThrownBy(() -> log.bytes(4, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> log.bytes(4, 20)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldJoinTheBytesOfMessagesThatLieBehindEachOtherInOneFile() {
        PartitionLog log = open(500);
        append(log, 10, 100);
        log.publish();

        MessageBytes joined = log.bytes(1).followedBy(log.bytes(2));
        assertThat(joined).isNotNull();
        assertThat(array(joined)).isEqualTo(array(log.bytes(1, 2)));
        assertThat(log.bytes(1).followedBy(log.bytes(3))).isNull();
        assertThat(log.bytes(2).followedBy(log.bytes(1))).isNull();
        long lastOfItsSegment = 4;
        assertThat(log.bytes(lastOfItsSegment).followedBy(log.bytes(5))).isNull();
        // a joined pair holds the file by itself
        MessageBytes left = log.bytes(6);
        joined = left.followedBy(log.bytes(7));
        left.release();
        log.close();
        assertThat(joined).isNotNull();
        assertThat(joined.length()).isEqualTo(200);
        joined.copyTo(java.nio.ByteBuffer.allocate(200));
    }

    @Test
    void shouldWriteABatchWithOneCallForMessagesAndOneForTheIndex() {
        PartitionLog log = open(1 << 30);
        append(log, 1, 1044);
        log.publish();
        int before = directory.writeCount.get();

        append(log, 64, 1044);
        log.publish();

        assertThat(directory.writeCount.get() - before).isEqualTo(2);
        assertThat(directory.forceCount.get()).isZero();
    }

    @Test
    void shouldReadTheIndexByPagesWhenScannedInOrder() {
        PartitionLog log = open(1 << 30);
        append(log, 2000, 40);
        log.publish();
        log.dropPages();
        int before = directory.readCount.get();

        assertHoldsMeta(log, 2000, 40);

        assertThat(directory.readCount.get() - before).isLessThanOrEqualTo(2000 / 256 + 1);
    }

    private static void assertHoldsMeta(PartitionLog log, int count, int length) {
        for (long sequence = 0; sequence < count; sequence++) {
            assertThat(log.meta(sequence).offset()).isEqualTo(sequence * length);
        }
    }

    @Test
    void shouldNotTouchFilesForMetaOfRecentMessages() {
        PartitionLog log = open(1 << 30);
        append(log, 200, 40);
        log.publish();

        assertHoldsMeta(log, 200, 40);

        assertThat(directory.readCount.get()).isZero();
    }

    @Test
    void shouldWriteMessagesLongerThanTheBuffer() {
        PartitionLog log = open(1 << 30);
        ByteBuffer direct = ByteBuffer.allocateDirect(300_000);
        direct.put(message(2, 300_000)).flip();

        log.append(message(0, 1000), 1000, 0, 0, 1);
        log.append(message(1, 300_000), 1001, 0, 1, 1);
        log.append(direct, 1002, 0, 2, 1);
        log.append(message(3, 500), 1003, 0, 3, 1);
        log.publish();

        assertThat(array(log.bytes(0))).isEqualTo(array(message(0, 1000)));
        assertThat(array(log.bytes(1))).isEqualTo(array(message(1, 300_000)));
        assertThat(array(log.bytes(2))).isEqualTo(array(message(2, 300_000)));
        assertThat(array(log.bytes(3))).isEqualTo(array(message(3, 500)));
        assertThat(direct.remaining()).isEqualTo(300_000);
    }

    @Test
    void shouldWriteAtOnceWhenAllBuffersAreTaken() {
        LogContext context = new LogContext(directory, new LogOptions(1 << 20, 8, 1024, 1, 4));
        PartitionLog first = PartitionLog.open(context, "topics/a-0");
        PartitionLog second = PartitionLog.open(context, "topics/b-0");
        append(first, 3, 100);
        append(second, 3, 100);
        assertThat(context.buffers().takenCount()).isEqualTo(1);
        first.publish();
        second.publish();

        assertThat(context.buffers().takenCount()).isZero();
        assertHolds(first, 0, 3, 100);
        assertHolds(second, 0, 3, 100);
    }

    @Test
    void shouldRefuseWhatIsNotOneMessage() {
        PartitionLog log = open(1000);
        ByteBuffer cut = message(1, 100).limit(99);
        assertThatThrownBy(() -> log.append(cut, 0, 0, 4, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> log.append(ByteBuffer.allocate(19), 0, 0, 4, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> log.append(message(1, 100), 0, 0, 10, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> log.append(message(1, 100), 0, 0, 4, 256))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(log.endSequence()).isZero();
        log.append(message(1, 20), 0, Long.MAX_VALUE, 9, 255);
        log.publish();
        assertThat(log.meta(0)).isEqualTo(new MessageMeta(0, 20, 0, Long.MAX_VALUE, 9, 255));
    }

    @Test
    void shouldContinueWhereItStoodWhenReopened() {
        PartitionLog log = open(2000);
        append(log, 25, 120);
        log.publish();
        log.close();

        PartitionLog again = open(2000);
        assertThat(again.endSequence()).isEqualTo(25);
        assertThat(again.endOffset()).isEqualTo(3000);
        assertHolds(again, 0, 25, 120);
        append(again, 25, 120);
        again.publish();
        assertHolds(again, 0, 50, 120);
        assertThat(directory.list(PATH)).hasSize(6);
    }

    @Test
    void shouldStartANewSegmentWhenReopenedAtTheEndOfAFullOne() {
        PartitionLog log = open(1200);
        append(log, 10, 120);
        log.publish();
        log.close();

        PartitionLog again = open(1200);
        append(again, 1, 120);
        again.publish();
        assertHolds(again, 0, 11, 120);
        assertThat(directory.list(PATH)).contains("00000000000000001200.meta");
    }

    @Test
    void shouldAppendTheSameAgainAfterTheFilesWereCut() {
        PartitionLog log = open(2000);
        append(log, 22, 120);
        log.publish();
        List<FileLength> files = log.cut().files();
        append(log, 40, 120);
        log.publish();
        append(log, 3, 120);
        log.close();

        cutTo(files);
        PartitionLog again = open(2000);
        assertThat(again.endSequence()).isEqualTo(22);
        assertHolds(again, 0, 22, 120);
        append(again, 40, 120);
        again.publish();
        assertHolds(again, 0, 62, 120);
    }

    private void cutTo(List<FileLength> files) {
        for (String name : directory.list(PATH)) {
            String path = PATH + "/" + name;
            long length =
                    files.stream()
                            .filter(file -> file.path().equals(path))
                            .mapToLong(FileLength::length)
                            .findAny()
                            .orElse(-1);
            if (length < 0) {
                directory.delete(path);
            } else {
                try (var file = directory.open(path)) {
                    file.truncate(length);
                }
            }
        }
    }

    @Test
    void shouldRefuseFilesCutAtAnyLengthButMessageBorders() throws IOException {
        PartitionLog log = open(1 << 30);
        append(log, 3, 50);
        log.publish();
        log.close();
        byte[] dataBytes =
                Files.readAllBytes(directory.resolve(PATH + "/00000000000000000000.meta"));
        byte[] indexBytes =
                Files.readAllBytes(directory.resolve(PATH + "/00000000000000000000.index"));

        for (int length = 0; length < dataBytes.length; length++) {
            assertOpensIfWhole(dataBytes, length, indexBytes, indexBytes.length);
        }
        for (int length = 0; length < indexBytes.length; length++) {
            assertOpensIfWhole(dataBytes, dataBytes.length, indexBytes, length);
        }
        for (int count = 0; count <= 3; count++) {
            assertOpensIfWhole(dataBytes, count * 50, indexBytes, 32 + count * 32);
        }
    }

    private void assertOpensIfWhole(
            byte[] dataBytes, int dataLength, byte[] indexBytes, int indexLength)
            throws IOException {
        String path = PATH + "/00000000000000000000.";
        Files.write(directory.resolve(path + "meta"), Arrays.copyOf(dataBytes, dataLength));
        Files.write(directory.resolve(path + "index"), Arrays.copyOf(indexBytes, indexLength));
        int count = (indexLength - 32) / 32;
        if (count > 0 && indexLength % 32 == 0 && dataLength == count * 50) {
            PartitionLog whole = open(1 << 30);
            assertThat(whole.endSequence()).isEqualTo(count);
            assertHolds(whole, 0, count, 50);
            whole.close();
        } else {
            assertCorrupt(path);
        }
    }

    private void assertCorrupt(String named) {
        assertThatThrownBy(() -> open(1 << 30))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.CORRUPT))
                .hasMessageContaining(named)
                .hasMessageContaining("must");
    }

    @Test
    void shouldRefuseMissingAndForeignFiles() throws IOException {
        PartitionLog log = open(2000);
        append(log, 40, 120);
        log.publish();
        log.close();
        Path index = directory.resolve(PATH + "/00000000000000002040.index");
        Path data = directory.resolve(PATH + "/00000000000000002040.meta");
        byte[] indexBytes = Files.readAllBytes(index);

        Files.delete(index);
        assertCorrupt("must hold an index for each segment");
        Files.delete(data);
        assertCorrupt("00000000000000004080.meta must start at 2040");

        Files.write(directory.resolve(PATH + "/notes.txt"), indexBytes);
        assertThatThrownBy(() -> open(2000)).hasMessageContaining("notes.txt");
    }

    @Test
    void shouldRefuseADamagedOrNewerIndexHeader() throws IOException {
        PartitionLog log = open(2000);
        append(log, 4, 120);
        log.publish();
        log.close();
        Path index = directory.resolve(PATH + "/00000000000000000000.index");
        byte[] bytes = Files.readAllBytes(index);
        for (int i = 0; i < 32; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= 0x10;
            Files.write(index, damaged);
            assertCorrupt("00000000000000000000.index");
        }
        ByteBuffer newer = ByteBuffer.wrap(bytes).putShort(4, (short) 2).putShort(6, (short) 2);
        newer.putInt(28, org.metaq.common.Checksums.crc32c(newer.duplicate().limit(28)));
        Files.write(index, newer.array());
        assertThatThrownBy(() -> open(2000))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.VERSION));
    }

    @Test
    void shouldNoticeADamagedEntryWhenItIsRead() throws IOException {
        PartitionLog log = open(1 << 30);
        append(log, 4, 120);
        log.publish();
        log.close();
        Path index = directory.resolve(PATH + "/00000000000000000000.index");
        byte[] bytes = Files.readAllBytes(index);
        bytes[32 + 32 + 24] = 0x7F;
        Files.write(index, bytes);

        PartitionLog again = open(1 << 30);
        assertThatThrownBy(() -> again.meta(3))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("entry 1");
        assertThatThrownBy(() -> again.bytes(1)).isInstanceOf(StoreException.class);
    }

    @Test
    void shouldListEveryFileButForceOnlyWhatChanged() {
        PartitionLog log = open(2000);
        assertThat(log.cut().files()).isEmpty();
        append(log, 40, 120);
        log.publish();
        LogCut cut = log.cut();
        assertThat(cut.files())
                .contains(new FileLength(PATH + "/00000000000000002040.meta", 2040))
                .contains(new FileLength(PATH + "/00000000000000002040.index", 32 + 17 * 32))
                .hasSize(6);
        append(log, 1, 120);
        log.publish();

        cut.force();
        assertThat(directory.forceCount.getAndSet(0)).isEqualTo(6 + 1);
        log.cut().force();
        assertThat(directory.forceCount.getAndSet(0)).isEqualTo(2);
        log.cut().force();
        assertThat(directory.forceCount.get()).isZero();
    }

    private List<LogCut> cutsOfLogs(int count) {
        LogContext context = new LogContext(directory, LogOptions.defaults());
        List<LogCut> cuts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            PartitionLog log = PartitionLog.open(context, "topics/orders-" + i);
            append(log, 3, 120);
            log.publish();
            cuts.add(log.cut());
        }
        return cuts;
    }

    @Test
    void shouldForceAsManyLogsAtOnceAsTheDirectorySays() {
        directory.forcesAtOnce = 4;
        CountDownLatch together = new CountDownLatch(4);
        directory.inForce =
                () -> {
                    together.countDown();
                    try {
                        assertThat(together.await(10, TimeUnit.SECONDS)).isTrue();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                };
        LogCut.forceAll(directory, cutsOfLogs(10));
        assertThat(directory.forceCount.get()).isEqualTo(10 * 3);
        assertThat(together.getCount()).isZero();
    }

    @Test
    void shouldForceOneLogAfterTheOtherWhereTheDirectorySaysSo() {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        directory.inForce = () -> threads.add(Thread.currentThread());
        LogCut.forceAll(directory, cutsOfLogs(10));
        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void shouldTellWhenOneOfManyForcesFails() {
        directory.forcesAtOnce = 4;
        StoreException failure = new StoreException(StoreException.Kind.IO, "no disk");
        AtomicInteger count = new AtomicInteger();
        directory.inForce =
                () -> {
                    if (count.incrementAndGet() == 7) {
                        throw failure;
                    }
                };
        List<LogCut> cuts = cutsOfLogs(10);
        assertThatThrownBy(() -> LogCut.forceAll(directory, cuts)).isSameAs(failure);
    }

    @Test
    void shouldRefuseACutOfWhatIsNotPublished() {
        PartitionLog log = open(2000);
        append(log, 1, 120);
        assertThatThrownBy(log::cut).isInstanceOf(Invariants.InvariantViolation.class);
    }

    @Test
    void shouldKeepBytesReadableWhenTheLogIsClosedAndDeleted() {
        PartitionLog log = open(2000);
        append(log, 5, 120);
        log.publish();
        MessageBytes held = log.bytes(3);
        log.close();
        directory.delete(PATH);

        assertThat(array(held)).isEqualTo(array(message(3, 120)));
        assertThatThrownBy(() -> held.copyTo(ByteBuffer.allocate(120)))
                .isInstanceOf(IllegalStateException.class);
        assertThat(directory.openCount.get()).isEqualTo(directory.closeCount.get());
    }

    @Test
    void shouldCopyAPartOfAMessageThatIsLongerThanTheBuffer() {
        PartitionLog log = open(2000);
        MemoryLog memory = new MemoryLog("m");
        append(log, 2, 120);
        memory.append(message(0, 120), 1, 0, 4, 0);
        memory.append(message(1, 120), 1, 0, 4, 0);
        log.publish();
        memory.publish();
        byte[] whole = array(message(1, 120));
        for (MessageBytes bytes : List.of(log.bytes(1), memory.bytes(1))) {
            ByteBuffer part = ByteBuffer.allocate(50);
            bytes.copyTo(30, part);
            assertThat(part.array()).isEqualTo(Arrays.copyOfRange(whole, 30, 80));
            bytes.copyTo(100, part.clear());
            assertThat(part.position()).as("no more than there is").isEqualTo(20);
            bytes.copyTo(120, part);
            assertThat(part.position()).isEqualTo(20);
            bytes.release();
        }
    }

    @Test
    void shouldShareFilesAndBuffersBetweenLogsOfDifferentSegments() {
        LogContext context = new LogContext(directory, new LogOptions(2000, 4, 4096, 4, 3));
        PartitionLog longer = PartitionLog.open(context, "topics/a-0");
        PartitionLog shorter =
                PartitionLog.open(context.withSegmentLengthMaxBytes(200), "delayed/a-0");
        append(longer, 10, 120);
        append(shorter, 10, 120);
        longer.publish();
        shorter.publish();
        assertThat(longer.closedSegments()).isEmpty();
        assertThat(shorter.closedSegments()).hasSize(4);
        assertHolds(shorter, 0, 10, 120);
        assertThat(context.openFileCount()).isLessThanOrEqualTo(4);
    }

    @Test
    void shouldKeepFewFilesAndPagesWhenManyLogsAreUsed() {
        LogContext context = new LogContext(directory, new LogOptions(2000, 6, 4096, 4, 3));
        List<PartitionLog> logs = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            logs.add(PartitionLog.open(context, "topics/t" + i + "-0"));
        }
        for (int round = 0; round < 3; round++) {
            for (PartitionLog log : logs) {
                append(log, 7, 120);
            }
            logs.forEach(PartitionLog::publish);
        }
        for (PartitionLog log : logs) {
            assertHolds(log, 0, 21, 120);
        }
        assertThat(context.openFileCount()).isLessThanOrEqualTo(6);
        assertThat(directory.openCount.get() - directory.closeCount.get()).isLessThanOrEqualTo(6);
        assertThat(context.pages().holderCount()).isLessThanOrEqualTo(3);
    }

    @Test
    void shouldLetReadersSeeWholePublishedMessagesWhileTheWriterAppends() throws Exception {
        LogContext context = new LogContext(directory, new LogOptions(20_000, 4, 4096, 2, 1));
        PartitionLog log = PartitionLog.open(context, PATH);
        PartitionLog other = PartitionLog.open(context, "topics/other-0");
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicBoolean isDone = new AtomicBoolean();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int seed = i;
            Thread reader =
                    new Thread(
                            () -> {
                                java.util.Random random = new java.util.Random(seed);
                                while (!isDone.get()) {
                                    readSome(log, random);
                                }
                            });
            reader.setUncaughtExceptionHandler((thread, e) -> failure.compareAndSet(null, e));
            readers.add(reader);
            reader.start();
        }
        for (int batch = 0; batch < 2000; batch++) {
            append(log, batch % 7 + 1, 100);
            append(other, 1, 100);
            log.publish();
            other.publish();
        }
        isDone.set(true);
        for (Thread reader : readers) {
            reader.join();
        }
        assertThat(failure.get()).isNull();
        assertHolds(log, 0, log.endSequence(), 100);
    }

    private static void readSome(PartitionLog log, java.util.Random random) {
        long end = log.publishedEndSequence();
        if (end > 0) {
            long back = random.nextInt((int) Math.min(end, random.nextBoolean() ? 10 : 3000));
            long sequence = end - 1 - back;
            assertThat(array(log.bytes(sequence))).isEqualTo(array(message(sequence, 100)));
            byte[] raw = array(log.read(sequence * 100, 250));
            assertThat(raw).startsWith(array(message(sequence, 100)));
        }
    }
}
