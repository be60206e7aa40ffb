package org.metaq.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.store.checkpoint.CheckpointStore;
import org.metaq.store.io.FileLength;
import org.metaq.store.journal.Position;
import org.metaq.store.journal.RestorePoint;

/**
 * Files that this release writes are, byte for byte, those kept under {@code formats/}, and it
 * reads those. The kept files are never regenerated; a new version adds its own.
 */
class FormatGoldenTest {
    private static final String LOG = "topics/orders-0";
    private static final String SEGMENT = LOG + "/00000000000000000000";

    @TempDir Path temp;

    private static byte[] golden(String name) {
        String path = "/formats/" + name + "/v1.hex";
        try (InputStream in = FormatGoldenTest.class.getResourceAsStream(path)) {
            String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            return HexFormat.of().parseHex(text.replaceAll("#[^\n]*|\\s", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ByteBuffer message(String body, long id) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        ByteBuffer message = ByteBuffer.allocate(20 + bytes.length);
        int checksum = org.metaq.common.Checksums.messageChecksum(ByteBuffer.wrap(bytes));
        message.putInt(bytes.length).putInt(checksum).putLong(id).putInt(0).put(bytes);
        return message.flip();
    }

    private byte[] written(String path) throws IOException {
        return Files.readAllBytes(temp.resolve(path));
    }

    private void put(String path, byte[] content) throws IOException {
        Files.createDirectories(temp.resolve(path).getParent());
        Files.write(temp.resolve(path), content);
    }

    private LogContext context() {
        return new LogContext(new LogTestDirectory(temp), LogOptions.defaults());
    }

    @Test
    void shouldWriteSegmentAndIndexAsKept() throws IOException {
        PartitionLog log = PartitionLog.open(context(), LOG);
        log.append(message("hello", 1), 1_700_000_000_000L, 0, 4, MessageMeta.FLAG_PERSISTENT);
        log.append(message("", -2), 1_700_000_000_001L, 1_700_000_060_001L, 9, 0x80);
        log.publish();

        assertThat(written(SEGMENT + ".meta")).isEqualTo(golden("partition-log"));
        assertThat(written(SEGMENT + ".index")).isEqualTo(golden("index"));
    }

    @Test
    void shouldReadSegmentAndIndexAsKept() throws IOException {
        put(SEGMENT + ".meta", golden("partition-log"));
        put(SEGMENT + ".index", golden("index"));

        PartitionLog log = PartitionLog.open(context(), LOG);

        assertThat(log.endSequence()).isEqualTo(2);
        assertThat(log.meta(0)).isEqualTo(new MessageMeta(0, 25, 1_700_000_000_000L, 0, 4, 1));
        assertThat(log.meta(1))
                .isEqualTo(
                        new MessageMeta(25, 20, 1_700_000_000_001L, 1_700_000_060_001L, 9, 0x80));
        assertThat(TestMessages.array(log.bytes(0)))
                .isEqualTo(TestMessages.array(message("hello", 1)));
    }

    @Test
    void shouldWriteAndReadASpillFileAsKept() throws IOException {
        SpillFile spill = SpillFile.create(context(), SpillFile.path(7));
        spill.append(ByteBuffer.wrap("first".getBytes(StandardCharsets.UTF_8)));
        spill.append(ByteBuffer.allocate(0));
        spill.flush();
        assertThat(written("spill/7.spill")).isEqualTo(golden("spill"));

        put("spill/8.spill", golden("spill"));
        List<String> entries = new ArrayList<>();
        SpillFile.open(context(), "spill/8.spill", golden("spill").length)
                .forEach(e -> entries.add(StandardCharsets.UTF_8.decode(e).toString()));
        assertThat(entries).containsExactly("first", "");
    }

    @Test
    void shouldWriteAndReadACheckpointAsKept() throws IOException {
        put(SEGMENT + ".meta", golden("partition-log"));
        put(SEGMENT + ".index", golden("index"));
        List<FileLength> files =
                List.of(
                        new FileLength(SEGMENT + ".meta", 45),
                        new FileLength(SEGMENT + ".index", 96));
        byte[] state = "state".getBytes(StandardCharsets.UTF_8);
        String path = "checkpoints/00000000000000001234/";
        new CheckpointStore(new LogTestDirectory(temp))
                .begin(new Position(1234, 5), 3, ByteBuffer.wrap(state), files, () -> {})
                .finish();
        assertThat(written(path + "MANIFEST")).isEqualTo(golden("checkpoint"));

        put(path + "MANIFEST", golden("checkpoint"));
        RestorePoint point = new CheckpointStore(new LogTestDirectory(temp)).load();
        assertThat(point.at()).isEqualTo(new Position(1234, 5));
        assertThat(point.epoch()).isEqualTo(3);
        assertThat(point.state()).isEqualTo(ByteBuffer.wrap(state));
    }
}
