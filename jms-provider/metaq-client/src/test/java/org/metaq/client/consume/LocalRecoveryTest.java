package org.metaq.client.consume;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.client.cluster.Partition;
import org.metaq.protocol.ProtocolException;

/** Rejected messages on the disk. */
class LocalRecoveryTest {
    private static final ReceivedMessage MESSAGE =
            new ReceivedMessage(
                    "orders",
                    new Partition(3, 1),
                    4711,
                    4746,
                    -5468931864850829312L,
                    1,
                    "größe",
                    "payload".getBytes(UTF_8));

    @TempDir private Path directory;

    private static byte[] golden() throws IOException {
        try (InputStream in =
                LocalRecoveryTest.class.getResourceAsStream("/formats/rejected-message/v1.hex")) {
            String text = new String(in.readAllBytes(), UTF_8);
            return HexFormat.of().parseHex(text.replaceAll("(?m)#.*$|\\s", ""));
        }
    }

    private static ReceivedMessage at(long offset) {
        return new ReceivedMessage(
                "orders", new Partition(3, 1), offset, offset + 25, offset, 0, null, new byte[5]);
    }

    private static Rejection rejection(ReceivedMessage message) {
        return new Rejection("g", message, 7, new IllegalStateException("no"));
    }

    @Test
    void shouldKeepTheFormat() throws Exception {
        Path file = directory.resolve("a.message");
        RecoveryFile.write(file, MESSAGE);
        assertThat(Files.readAllBytes(file)).isEqualTo(golden());
        Files.write(file, golden());
        assertThat(RecoveryFile.read(file)).usingRecursiveComparison().isEqualTo(MESSAGE);
    }

    @Test
    void shouldRefuseEveryDamagedByte() throws Exception {
        byte[] good = golden();
        Path file = directory.resolve("a.message");
        for (int i = 0; i < good.length; i++) {
            byte[] bad = good.clone();
            bad[i] ^= 0x40;
            Files.write(file, bad);
            // The version is for people; who may read is what counts.
            if (i < 4 || i >= 8) {
                assertThatThrownBy(() -> RecoveryFile.read(file))
                        .as("byte %s", i)
                        .isInstanceOf(ProtocolException.class);
            }
            Files.write(file, Arrays.copyOf(good, i));
            assertThatThrownBy(() -> RecoveryFile.read(file))
                    .as("cut to %s", i)
                    .isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void shouldDeliverTheOthersWhenOneIsDamaged() throws Exception {
        LocalRecovery earlier = new LocalRecovery(directory);
        for (long offset : new long[] {1000, 200, 30}) {
            earlier.reject(rejection(at(offset)));
        }
        Path damaged = directory.resolve("g/orders/3-1-200.message");
        Files.write(damaged, new byte[] {1, 2, 3});
        List<Long> delivered = new CopyOnWriteArrayList<>();
        LocalRecovery recovery = new LocalRecovery(directory, 0, 10);
        recovery.start("g", message -> delivered.add(message.offset()));
        await().until(() -> delivered.size() == 2);
        await().until(() -> Files.notExists(directory.resolve("g/orders/3-1-1000.message")));
        recovery.close();
        assertThat(delivered).containsExactly(30L, 1000L);
        assertThat(damaged).doesNotExist();
        assertThat(directory.resolve("g/orders/3-1-200.message.damaged")).exists();
    }

    @Test
    void shouldKeepWhatFailsAgainAndLeaveOtherGroupsAlone() throws Exception {
        LocalRecovery earlier = new LocalRecovery(directory);
        earlier.reject(rejection(at(10)));
        earlier.reject(new Rejection("other", at(20), 7, new IllegalStateException("no")));
        List<Long> attempts = new CopyOnWriteArrayList<>();
        LocalRecovery recovery = new LocalRecovery(directory, 0, 5);
        recovery.start(
                "g",
                message -> {
                    attempts.add(message.offset());
                    throw new IOException("not yet");
                });
        await().until(() -> attempts.size() >= 3);
        recovery.close();
        assertThat(attempts).containsOnly(10L);
        assertThat(directory.resolve("g/orders/3-1-10.message")).exists();
        assertThat(directory.resolve("other/orders/3-1-20.message")).exists();
        assertThatThrownBy(() -> recovery.start("g", message -> {}))
                .isInstanceOf(IllegalStateException.class);
    }
}
