package org.metaq.store.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.store.StoreException;
import org.metaq.store.journal.JournalRecord.Need;

class BatchCodecTest {
    private static final Batch BATCH =
            new Batch(
                    3,
                    1_700_000_000_000L,
                    List.of(
                            record(1, "", Need.LAZY),
                            record(-2, "send", Need.SEND_POLICY),
                            record(300, "commit", Need.TRANSACTION_POLICY),
                            record(32767, "x".repeat(1000), Need.SYNC)));

    private final BatchCodec codec = new BatchCodec();

    @TempDir Path temp;

    @Test
    void shouldReadWhatItWrote() {
        ByteBuffer bytes = encoded();
        assertThat(codec.isHeader(bytes, 16, 10, 4096)).isTrue();
        assertThat(codec.isBodyWhole(bytes, 16)).isTrue();
        assertThat(BatchCodec.entry(bytes, 16)).isEqualTo(12);
        assertThat(BatchCodec.forcedEntry(bytes, 16)).isEqualTo(11);
        assertThat(BatchCodec.epoch(bytes, 16)).isEqualTo(3);
        assertThat(BatchCodec.decode(bytes, 16)).isEqualTo(BATCH);
    }

    @Test
    void shouldBeABatchAtItsPlaceOnly() {
        ByteBuffer bytes = encoded();
        assertThat(codec.isHeader(bytes, 16, 11, 4096)).isFalse();
        assertThat(codec.isHeader(bytes, 16, 10, 4104)).isFalse();
    }

    @Test
    void shouldNoticeEveryFlippedBit() {
        ByteBuffer bytes = encoded();
        int length = BatchCodec.length(bytes, 16);
        for (int bit = 0; bit < length * 8; bit++) {
            int at = 16 + bit / 8;
            byte old = bytes.get(at);
            bytes.put(at, (byte) (old ^ 1 << bit % 8));
            assertThat(codec.isHeader(bytes, 16, 10, 4096) && codec.isBodyWhole(bytes, 16))
                    .as("bit %d", bit)
                    .isFalse();
            bytes.put(at, old);
        }
    }

    @Test
    void shouldRefuseContentThatDoesNotAddUpThoughItsChecksumDoes() {
        for (int[] wrong :
                new int[][] {
                    {BatchCodec.RECORD_COUNT_OFFSET, 0},
                    {BatchCodec.RECORD_COUNT_OFFSET, Integer.MAX_VALUE},
                    {BatchCodec.RECORD_COUNT_OFFSET, 3},
                    {BatchCodec.RECORD_COUNT_OFFSET, 5},
                    {BatchCodec.HEADER_LENGTH + BatchCodec.RECORD_LENGTH_OFFSET, -1},
                    {BatchCodec.HEADER_LENGTH + BatchCodec.RECORD_LENGTH_OFFSET, 1 << 30},
                    {BatchCodec.HEADER_LENGTH, 0x00010400},
                }) {
            ByteBuffer bytes = encoded();
            bytes.putInt(16 + wrong[0], wrong[1]);
            assertThatThrownBy(() -> BatchCodec.decode(bytes, 16))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.CORRUPT))
                    .hasMessageContaining("entry 12");
        }
    }

    @Test
    void shouldNotBelieveAShortLengthWhateverItsChecksum() {
        ByteBuffer bytes = encoded().putInt(16 + BatchCodec.LENGTH_OFFSET, 51);
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(16).putLong(0, 10).putLong(8, 4096));
        crc.update(
                bytes.slice(
                        16 + BatchCodec.LENGTH_OFFSET,
                        BatchCodec.HEADER_LENGTH - BatchCodec.LENGTH_OFFSET));
        bytes.putInt(16 + BatchCodec.HEADER_CRC_OFFSET, (int) crc.getValue());
        assertThat(codec.isHeader(bytes, 16, 10, 4096)).isFalse();
    }

    /**
     * Files that version 1 wrote must be read for ever, and written the same as long as it is v1.
     */
    @Test
    void shouldReadAndWriteTheGoldenFileOfVersion1() throws Exception {
        byte[] golden = golden();
        ByteBuffer written = ByteBuffer.allocate(golden.length);
        written.put(new SegmentHeader(1, 0).encode());
        Batch first = new Batch(1, 1_700_000_000_000L, List.of(record(1, "epoch", Need.SYNC)));
        Batch second =
                new Batch(
                        1,
                        1_700_000_000_001L,
                        List.of(
                                record(2, "lazy", Need.LAZY),
                                record(3, "send", Need.SEND_POLICY),
                                record(4, "commit", Need.TRANSACTION_POLICY)));
        codec.encode(first, 1, 0, 1, 4096, written, 4096);
        codec.encode(second, 2, 1, 1, 4160, written, 4160);
        assertThat(HexFormat.of().formatHex(written.array()))
                .isEqualTo(HexFormat.of().formatHex(golden));

        Files.createDirectories(temp.resolve("journal"));
        Files.write(JournalFixture.segment(temp, 1), golden);
        try (JournalFixture f = JournalFixture.start(temp)) {
            assertThat(f.machine.applied).containsExactly("epoch", "lazy", "send", "commit");
            assertThat(f.epoch()).isEqualTo(2);
            f.write(Need.SYNC, "more");
        }
    }

    /** Hex, 32 bytes a line; "*" and a count stand for so many zeroes. */
    private static byte[] golden() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
        try (InputStream in = BatchCodecTest.class.getResourceAsStream("/formats/journal/v1.hex")) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                if (line.startsWith("*")) {
                    bytes.put(new byte[Integer.parseInt(line.substring(1).strip())]);
                } else if (!line.startsWith("#")) {
                    bytes.put(HexFormat.of().parseHex(line.strip()));
                }
            }
        }
        byte[] all = new byte[bytes.position()];
        bytes.get(0, all);
        return all;
    }

    private ByteBuffer encoded() {
        ByteBuffer bytes = ByteBuffer.allocate(2048);
        codec.encode(BATCH, 12, 11, 10, 4096, bytes, 16);
        return bytes;
    }

    private static JournalRecord record(int type, String body, Need need) {
        ByteBuffer bytes = ByteBuffer.wrap(body.getBytes(StandardCharsets.ISO_8859_1));
        return new JournalRecord((short) type, bytes, need);
    }
}
