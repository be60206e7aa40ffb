package org.metaq.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.common.Invariants;
import org.metaq.store.StoreException;
import org.metaq.store.io.FileLength;

class SpillFileTest {
    @TempDir Path temp;
    private LogTestDirectory directory;
    private LogContext context;

    @BeforeEach
    void openDirectory() {
        directory = new LogTestDirectory(temp);
        context = new LogContext(directory, new LogOptions(1 << 20, 8, 1024, 2, 4));
    }

    private static List<byte[]> entries(SpillFile spill) {
        List<byte[]> entries = new ArrayList<>();
        spill.forEach(entry -> entries.add(TestMessages.array(entry)));
        return entries;
    }

    private static void assertSame(SpillFile spill, List<byte[]> expected) {
        List<byte[]> found = entries(spill);
        assertThat(found).hasSize(expected.size());
        for (int i = 0; i < found.size(); i++) {
            assertThat(found.get(i)).isEqualTo(expected.get(i));
        }
    }

    @Test
    void shouldGiveBackEntriesOfAnyLengthInOrder() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        SpillFile spill = SpillFile.create(context, SpillFile.path(7));
        List<byte[]> expected = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            byte[] entry = new byte[random.nextInt(random.nextInt(10) == 0 ? 9000 : 300)];
            random.nextBytes(entry);
            expected.add(entry);
            spill.append(ByteBuffer.wrap(entry));
            if (random.nextInt(40) == 0) {
                spill.flush();
            }
            if (random.nextInt(80) == 0) {
                assertThat(entries(spill)).as("seed %d", seed).hasSize(expected.size());
            }
        }
        assertSame(spill, expected);
        assertThat(context.buffers().takenCount()).isZero();
    }

    @Test
    void shouldHoldAtMostABufferInMemory() {
        SpillFile spill = SpillFile.create(context, SpillFile.path(1));
        for (int i = 0; i < 64; i++) {
            spill.append(ByteBuffer.allocate(56));
        }
        assertThat(spill.length()).isEqualTo(16 + 64 * 64);
        assertThat(directory.writeCount.get()).isEqualTo(4);
        spill.flush();
        assertThat(directory.writeCount.get()).isEqualTo(5);
        assertThat(directory.length("spill/1.spill")).isEqualTo(spill.length());
    }

    @Test
    void shouldWorkWhenNoBufferIsFree() {
        SpillFile one = SpillFile.create(context, SpillFile.path(1));
        SpillFile two = SpillFile.create(context, SpillFile.path(2));
        SpillFile three = SpillFile.create(context, SpillFile.path(3));
        three.append(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertSame(three, List.of(new byte[] {1, 2, 3}));
        assertThat(entries(one)).isEmpty();
        assertThat(entries(two)).isEmpty();
    }

    @Test
    void shouldContinueFromACutAfterRestart() throws IOException {
        SpillFile spill = SpillFile.create(context, SpillFile.path(7));
        spill.append(ByteBuffer.wrap(new byte[] {1}));
        LogCut cut = spill.cut();
        spill.append(ByteBuffer.wrap(new byte[5000]));
        cut.force();
        assertThat(directory.forceCount.get()).isEqualTo(2);
        spill.flush();
        spill.close();
        FileLength file = cut.files().get(0);
        assertThat(file).isEqualTo(new FileLength("spill/7.spill", 16 + 9));
        try (var open = directory.open(file.path())) {
            open.truncate(file.length());
        }

        SpillFile again = SpillFile.open(context, file.path(), file.length());
        again.append(ByteBuffer.wrap(new byte[] {2, 2}));
        assertSame(again, List.of(new byte[] {1}, new byte[] {2, 2}));
        again.force();
        again.delete();
        assertThat(directory.list("spill")).isEmpty();
    }

    @Test
    void shouldRefuseFilesOfAnotherLengthAndFilesThatAreThereAlready() {
        assertThatThrownBy(() -> SpillFile.open(context, "spill/9.spill", 20))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("spill/9.spill must be there with 20 bytes");
        SpillFile spill = SpillFile.create(context, SpillFile.path(9));
        spill.flush();
        assertThatThrownBy(() -> SpillFile.open(context, "spill/9.spill", 20))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("must be 20 bytes long, but has 16");
        assertThatThrownBy(() -> SpillFile.create(context, "spill/9.spill"))
                .isInstanceOf(Invariants.InvariantViolation.class);
    }

    @Test
    void shouldNoticeEveryFlippedByte() throws IOException {
        SpillFile spill = SpillFile.create(context, SpillFile.path(4));
        spill.append(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        spill.append(ByteBuffer.wrap(new byte[] {}));
        spill.append(ByteBuffer.wrap(new byte[] {4}));
        spill.flush();
        spill.close();
        byte[] bytes = Files.readAllBytes(directory.resolve("spill/4.spill"));
        for (int i = 0; i < bytes.length; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= 1;
            Files.write(directory.resolve("spill/4.spill"), damaged);
            assertThatThrownBy(
                            () -> entries(SpillFile.open(context, "spill/4.spill", bytes.length)))
                    .as("byte %d", i)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("spill/4.spill");
        }
        Files.write(directory.resolve("spill/4.spill"), Arrays.copyOf(bytes, bytes.length - 1));
        assertThatThrownBy(
                        () -> entries(SpillFile.open(context, "spill/4.spill", bytes.length - 1)))
                .isInstanceOf(StoreException.class);
    }
}
