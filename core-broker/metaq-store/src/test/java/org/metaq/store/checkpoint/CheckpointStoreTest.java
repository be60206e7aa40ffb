package org.metaq.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.common.Invariants;
import org.metaq.store.StoreException;
import org.metaq.store.io.FileLength;
import org.metaq.store.journal.Checkpoint;
import org.metaq.store.journal.Position;
import org.metaq.store.journal.RestorePoint;
import org.metaq.store.log.LogTestDirectory;

class CheckpointStoreTest {
    private static final String A = "topics/a-0/00000000000000000000.meta";
    private static final String B = "topics/b-0/00000000000000000000.meta";
    private static final String SPILL = "spill/7.spill";

    @TempDir Path temp;
    private LogTestDirectory disk;
    private CrashingDirectory directory;
    private CheckpointStore store;

    @BeforeEach
    void openStore() {
        disk = new LogTestDirectory(temp);
        directory = new CrashingDirectory(disk);
        store = new CheckpointStore(directory);
        assertThat(store.load()).isEqualTo(RestorePoint.NEW);
    }

    private void write(String path, String content) {
        Path file = disk.resolve(path);
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private String content(String path) throws IOException {
        return Files.readString(disk.resolve(path));
    }

    private static ByteBuffer state(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(RestorePoint point) {
        return StandardCharsets.UTF_8.decode(point.state().duplicate()).toString();
    }

    private Checkpoint begin(long entry, FileLength... files) {
        return store.begin(
                new Position(entry, 2), 3, state("state " + entry), List.of(files), () -> {});
    }

    private RestorePoint reload() {
        store = new CheckpointStore(directory);
        return store.load();
    }

    @Test
    void shouldCutListedFilesAndDeleteTheOthersWhenLoaded() throws IOException {
        write(A, "aaaa");
        write(SPILL, "s1");
        begin(17, new FileLength(A, 4), new FileLength(SPILL, 2)).finish();
        write(A, "aaaabbbb");
        write("topics/a-0/00000000000000000008.meta", "c");
        write(B, "b");
        write("spill/8.spill", "x");

        RestorePoint point = reload();

        assertThat(point.at()).isEqualTo(new Position(17, 2));
        assertThat(point.epoch()).isEqualTo(3);
        assertThat(text(point)).isEqualTo("state 17");
        assertThat(content(A)).isEqualTo("aaaa");
        assertThat(disk.list("topics")).containsExactly("a-0");
        assertThat(disk.list("topics/a-0")).containsExactly("00000000000000000000.meta");
        assertThat(disk.list("spill")).containsExactly("7.spill");
    }

    @Test
    void shouldTellTheLoadedFilesOfADirectoryOnce() {
        write(A, "aaaabbbb");
        write(SPILL, "s1");
        begin(17, new FileLength(SPILL, 2), new FileLength(A, 4)).finish();

        reload();

        assertThat(store.takeLoaded("topics/a-0")).containsExactly(new FileLength(A, 4));
        assertThat(store.takeLoaded("topics/a-0")).isNull();
        assertThat(store.takeLoaded("topics/c-0")).isNull();
    }

    @Test
    void shouldEmptyTheViewsFoldersWithoutACheckpoint() {
        write(A, "aaaa");
        write(SPILL, "s1");
        write("journal/x", "j");

        assertThat(reload()).isEqualTo(RestorePoint.NEW);

        assertThat(disk.list("topics")).isEmpty();
        assertThat(disk.list("spill")).isEmpty();
        assertThat(disk.exists("journal/x")).isTrue();
    }

    @Test
    void shouldForceAllBeforeTheManifestGetsItsName() {
        write(A, "aaaa");
        directory.changes.clear();
        Checkpoint checkpoint =
                store.begin(
                        new Position(5, 0),
                        1,
                        state("s"),
                        List.of(new FileLength(A, 4)),
                        () -> directory.changes.add("views"));
        assertThat(directory.changes).isEmpty();
        checkpoint.finish();

        String path = "checkpoints/00000000000000000005";
        assertThat(directory.changes)
                .containsExactly(
                        "views",
                        "force directory 'topics'",
                        "delete " + path,
                        "createDirectories " + path,
                        "create " + path + "/state",
                        "write " + path + "/state",
                        "force " + path + "/state",
                        "create " + path + "/MANIFEST.tmp",
                        "write " + path + "/MANIFEST.tmp",
                        "force " + path + "/MANIFEST.tmp",
                        "force directory '" + path + "'",
                        "force directory 'checkpoints'",
                        "force directory ''",
                        "rename " + path + "/MANIFEST.tmp " + path + "/MANIFEST",
                        "force directory '" + path + "'");
    }

    @Test
    void shouldKeepAValidCheckpointWhereverItCrashes() throws IOException {
        boolean isFinished = false;
        int crashCount = 0;
        for (int changes = 0; !isFinished; changes++) {
            disk.delete("checkpoints");
            reload();
            write(A, "a");
            begin(1, new FileLength(A, 1)).finish();
            write(A, "aa");
            write(B, "b");

            directory.crashAfter(changes);
            Checkpoint checkpoint = begin(2, new FileLength(A, 2), new FileLength(B, 1));
            try {
                checkpoint.finish();
                isFinished = true;
            } catch (StoreException e) {
                crashCount++;
            }
            directory.crashAfter(Integer.MAX_VALUE);

            RestorePoint point = reload();
            boolean isNew = point.at().entry() == 2;
            assertThat(isNew || !isFinished).isTrue();
            assertThat(text(point)).isEqualTo(isNew ? "state 2" : "state 1");
            assertThat(content(A)).isEqualTo(isNew ? "aa" : "a");
            assertThat(disk.exists(B)).isEqualTo(isNew);
            assertThat(disk.list("checkpoints")).hasSize(1);
        }
        assertThat(crashCount).isGreaterThan(15);
    }

    @Test
    void shouldRetryAtTheSameEntryAfterAFailure() {
        write(A, "a");
        begin(1, new FileLength(A, 1)).finish();
        for (int changes = 0; changes < 14; changes++) {
            directory.crashAfter(changes);
            Checkpoint failing = begin(2, new FileLength(A, 1));
            assertThatThrownBy(failing::finish).isInstanceOf(StoreException.class);
        }
        directory.crashAfter(Integer.MAX_VALUE);
        begin(2, new FileLength(A, 1)).finish();
        assertThat(text(reload())).isEqualTo("state 2");
    }

    @Test
    void shouldRefuseMissingAndShortFilesAndChangeNothing() throws IOException {
        write(A, "aaaa");
        write(B, "bbbb");
        begin(1, new FileLength(A, 2), new FileLength(B, 4)).finish();

        write(B, "bbb");
        assertThatThrownBy(this::reload)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.CORRUPT))
                .hasMessageContaining(
                        B + " must have 4 bytes for the newest checkpoint, but has 3");
        disk.delete(B);
        assertThatThrownBy(this::reload)
                .hasMessageContaining(B + " must have 4 bytes")
                .hasMessageContaining("is missing");
        assertThat(content(A)).isEqualTo("aaaa");
    }

    @Test
    void shouldRefuseAManifestOrStateWithAnyFlippedByte() throws IOException {
        write(A, "aaaa");
        begin(1, new FileLength(A, 2)).finish();
        for (String name : List.of("MANIFEST", "state")) {
            Path file = disk.resolve("checkpoints/00000000000000000001/" + name);
            byte[] bytes = Files.readAllBytes(file);
            for (int i = 0; i < bytes.length; i++) {
                byte[] damaged = bytes.clone();
                damaged[i] ^= 4;
                Files.write(file, damaged);
                assertThatThrownBy(this::reload)
                        .as("%s, byte %d", name, i)
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.CORRUPT));
            }
            Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length - 1));
            assertThatThrownBy(this::reload).isInstanceOf(StoreException.class);
            Files.write(file, bytes);
        }
        assertThat(text(reload())).isEqualTo("state 1");
    }

    @Test
    void shouldDeleteWhatACheckpointListsOnlyWhenTheNextIsDurable() {
        write(A, "a");
        write(SPILL, "s");
        begin(1, new FileLength(A, 1), new FileLength(SPILL, 1)).finish();

        store.deleteWhenUnneeded(SPILL);
        store.deleteWhenUnneeded("topics/a-0");
        write(B, "b");
        store.deleteWhenUnneeded("topics/b-0");
        assertThat(disk.exists(B)).isFalse();
        assertThat(disk.exists(SPILL)).isTrue();

        Checkpoint next = begin(2, new FileLength(A, 1));
        assertThat(disk.exists(SPILL)).isTrue();
        next.finish();
        assertThat(disk.exists(SPILL)).isFalse();
        assertThat(disk.exists(A)).isTrue();
        begin(3).finish();
        assertThat(disk.exists("topics/a-0")).isFalse();
    }

    @Test
    void shouldKeepWhatAFailedCheckpointListsAsItMayBeDurable() {
        write(A, "a");
        directory.crashAfter(13);
        Checkpoint failing = begin(1, new FileLength(A, 1));
        assertThatThrownBy(failing::finish).hasMessageContaining("force directory");
        directory.crashAfter(Integer.MAX_VALUE);

        store.deleteWhenUnneeded("topics/a-0");
        assertThat(disk.exists(A)).isTrue();
        begin(2).finish();
        assertThat(disk.exists(A)).isFalse();
    }

    @Test
    void shouldAllowOneCheckpointAtATimeAndNoneThatGoesBack() {
        Checkpoint first = begin(4);
        assertThatThrownBy(() -> begin(5)).isInstanceOf(IllegalStateException.class);
        first.finish();
        assertThatThrownBy(first::finish).isInstanceOf(Invariants.InvariantViolation.class);
        assertThatThrownBy(() -> begin(3)).isInstanceOf(IllegalArgumentException.class);
        directory.changes.clear();
        begin(4).finish();
        assertThat(directory.changes).isEmpty();
        begin(5).finish();
        assertThat(disk.list("checkpoints")).containsExactly("00000000000000000005");
    }

    @Test
    void shouldRefusePathsOutsideTheViewsFolders() {
        for (String path :
                List.of("journal/x", "topics", "topics/../x", "topics/a b", "topics//x", "/x")) {
            assertThatThrownBy(() -> begin(1, new FileLength(path, 1)))
                    .as(path)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        begin(1).finish();
    }

    @Test
    void shouldKeepArchivesOfSegmentsAndDeleteTheSegmentsThatNoCheckpointLists()
            throws IOException {
        String archive = "topics/a-0/00000000000000000000.arc";
        String zip = "topics/gone-0/00000000000000000000.zip";
        String kept = "topics/a-0/00000000000000000008.meta";
        write(A, "aaaa");
        write(kept, "bbbb");
        begin(17, new FileLength(kept, 4)).finish();
        write(archive, "aaaa");
        write(archive + ".tmp", "aa");
        write(zip, "zip");
        write("topics/gone-0/00000000000000000008.meta", "gone");

        reload();

        assertThat(disk.list("topics/a-0"))
                .containsExactly("00000000000000000000.arc", "00000000000000000008.meta");
        assertThat(disk.list("topics/gone-0")).containsExactly("00000000000000000000.zip");
        assertThat(content(archive)).isEqualTo("aaaa");
    }

    @Test
    void shouldDeleteATrimmedSegmentOnceWhereverTheMachineStops() throws IOException {
        String next = "topics/a-0/00000000000000000008.meta";
        for (int changes = 0; ; changes++) {
            disk.delete("topics");
            disk.delete("checkpoints");
            directory = new CrashingDirectory(disk);
            reload();
            write(A, "aaaa");
            write(next, "bbbb");
            begin(17, new FileLength(A, 4), new FileLength(next, 4)).finish();
            directory.crashAfter(changes);
            boolean isCrashed = false;
            try {
                // The log dropped its first segment: needed, until a checkpoint is without it.
                store.deleteWhenUnneeded(A);
                assertThat(content(A)).isEqualTo("aaaa");
                begin(18, new FileLength(next, 4)).finish();
            } catch (StoreException e) {
                isCrashed = true;
            }
            directory = new CrashingDirectory(disk);

            boolean isNewest = reload().at().entry() == 18;

            assertThat(disk.exists(A)).isEqualTo(!isNewest);
            assertThat(content(next)).isEqualTo("bbbb");
            if (!isCrashed) {
                assertThat(isNewest).isTrue();
                return;
            }
        }
    }
}
