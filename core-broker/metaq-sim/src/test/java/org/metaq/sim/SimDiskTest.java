package org.metaq.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.metaq.sim.SimDisk.Phase;
import org.metaq.store.StoreException;
import org.metaq.store.io.StoreFile;

class SimDiskTest {
    private static final int SECTORS = 8;
    private static final int LENGTH = SECTORS * SimInode.SECTOR;

    private final SimDisk disk = new SimDisk();

    private static ByteBuffer filled(int value, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            bytes.put((byte) value);
        }
        return bytes.flip();
    }

    /** The file's bytes at the start of each sector, as text; "-" if there is no such file. */
    private static String sectors(SimDisk disk, String path) {
        if (!disk.exists(path)) {
            return "-";
        }
        StoreFile file = disk.open(path);
        StringBuilder text = new StringBuilder();
        for (long at = 0; at < file.length(); at += SimInode.SECTOR) {
            ByteBuffer one = ByteBuffer.allocate(1);
            file.read(one, at);
            text.append(one.get(0));
        }
        return text.toString();
    }

    private Set<String> afterPowerLosses(String path) {
        Set<String> seen = new HashSet<>();
        for (int seed = 0; seed < 200; seed++) {
            seen.add(
                    sectors(
                            disk.copy().afterPowerLoss(new Random(seed * Simulation.SEED_FACTOR)),
                            path));
        }
        return seen;
    }

    private StoreFile durableFile(String path) {
        StoreFile file = disk.open(path);
        file.write(filled(1, LENGTH), 0);
        file.force(true);
        disk.forceDirectory("");
        return file;
    }

    @Test
    void shouldKeepWhatWasForcedThroughAPowerLoss() {
        durableFile("a");
        assertThat(afterPowerLosses("a")).containsExactly("11111111");
    }

    @Test
    void shouldLoseKeepAndTearWhatWasNotForced() {
        durableFile("a").write(filled(2, LENGTH), 0);
        Set<String> seen = afterPowerLosses("a");
        assertThat(seen).contains("11111111", "22222222").hasSizeGreaterThan(50);
        assertThat(seen).anyMatch(text -> text.startsWith("1") && text.endsWith("2"));
        assertThat(seen).allMatch(text -> text.matches("[12]{8}"));
    }

    @Test
    void shouldShowAnyVersionOfASectorThatWasWrittenOften() {
        StoreFile file = durableFile("a");
        for (int value = 2; value <= 4; value++) {
            file.write(filled(value, SimInode.SECTOR), 0);
        }
        assertThat(afterPowerLosses("a"))
                .containsExactlyInAnyOrder("11111111", "21111111", "31111111", "41111111");
    }

    @Test
    void shouldKeepEverythingWhenOnlyTheProcessIsKilledButForceNothing() {
        durableFile("a").write(filled(2, LENGTH), 0);
        SimDisk next = disk.afterKill();
        assertThat(sectors(next, "a")).isEqualTo("22222222");
        Set<String> seen = new HashSet<>();
        for (int seed = 0; seed < 50; seed++) {
            seen.add(
                    sectors(
                            next.copy().afterPowerLoss(new Random(seed * Simulation.SEED_FACTOR)),
                            "a"));
        }
        assertThat(seen).contains("11111111");
    }

    @Test
    void shouldForgetANewFileWhoseDirectoryWasNotForced() {
        StoreFile file = disk.open("a");
        file.write(filled(1, LENGTH), 0);
        file.force(true);
        assertThat(afterPowerLosses("a")).containsExactlyInAnyOrder("-", "11111111");
    }

    @Test
    void shouldRenameAsAWhole() {
        durableFile("new");
        StoreFile old = durableFile("old");
        old.write(filled(7, LENGTH), 0);
        old.force(false);
        disk.rename("new", "old");
        assertThat(sectors(disk, "old")).isEqualTo("11111111");
        assertThat(afterPowerLosses("old")).containsExactlyInAnyOrder("77777777", "11111111");
        disk.forceDirectory("");
        assertThat(afterPowerLosses("old")).containsExactly("11111111");
        assertThat(afterPowerLosses("new")).containsExactly("-");
    }

    @Test
    void shouldBringBackADeletedFileUnlessTheDirectoryWasForced() {
        durableFile("a");
        disk.delete("a");
        assertThat(afterPowerLosses("a")).containsExactlyInAnyOrder("-", "11111111");
        disk.forceDirectory("");
        assertThat(afterPowerLosses("a")).containsExactly("-");
    }

    @Test
    void shouldLoseATruncationAndALengthThatWereNotForced() {
        StoreFile file = durableFile("a");
        file.truncate(SimInode.SECTOR);
        assertThat(afterPowerLosses("a")).contains("1", "11111111");
        file.force(true);
        assertThat(afterPowerLosses("a")).containsExactly("1");
    }

    @Test
    void shouldLoseAllBelowADirectoryThatIsLost() {
        disk.createDirectories("d/e");
        disk.open("d/e/a").force(true);
        disk.forceDirectory("d/e");
        disk.forceDirectory("d");
        for (int seed = 0; seed < 50; seed++) {
            SimDisk next = disk.copy().afterPowerLoss(new Random(seed * Simulation.SEED_FACTOR));
            assertThat(next.exists("d/e/a")).isEqualTo(next.exists("d"));
        }
        disk.forceDirectory("");
        assertThat(disk.copy().afterPowerLoss(new Random(1)).list("d/e")).containsExactly("a");
    }

    @Test
    void shouldStopAtTheChosenPointAndStayStopped() {
        StoreFile file = durableFile("a");
        long next = disk.points() + 1;
        disk.failAt(next, Phase.HALF);
        assertThatThrownBy(() -> file.write(filled(2, LENGTH), 0))
                .isInstanceOf(SimCrash.class)
                .hasMessageContaining("crash point " + next);
        assertThatThrownBy(() -> file.force(true)).isInstanceOf(SimCrash.class);
        assertThat(sectors(disk.afterKill(), "a")).isEqualTo("22221111");
    }

    @Test
    void shouldDoTheOperationOrNotAsThePhaseSays() {
        SimDisk before = disk.copy();
        before.failAt(1, Phase.BEFORE);
        assertThatThrownBy(() -> before.open("a")).isInstanceOf(SimCrash.class);
        assertThat(before.afterKill().exists("a")).isFalse();
        SimDisk after = disk.copy();
        after.failAt(1, Phase.AFTER);
        assertThatThrownBy(() -> after.open("a")).isInstanceOf(SimCrash.class);
        assertThat(after.afterKill().exists("a")).isTrue();
    }

    @Test
    void shouldBeFullFromTheChosenPointOn() {
        StoreFile file = durableFile("a");
        disk.fullAt(disk.points() + 2);
        file.write(filled(2, LENGTH), 0);
        assertThatThrownBy(() -> file.write(filled(3, LENGTH), 0))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.DISK_FULL));
        assertThat(sectors(disk, "a")).isEqualTo("22222222");
    }

    @Test
    void shouldFlipABitOfForcedBytes() {
        durableFile("a");
        disk.flip("a", 0, 4);
        assertThat(afterPowerLosses("a")).containsExactly("51111111");
        assertThat(disk.files()).containsExactly("a");
        assertThat(disk.lengthOf("a")).isEqualTo(LENGTH);
    }
}
