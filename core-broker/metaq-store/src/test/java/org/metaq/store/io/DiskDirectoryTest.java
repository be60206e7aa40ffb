package org.metaq.store.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.store.StoreException;
import org.metaq.store.StoreException.Kind;

class DiskDirectoryTest {
    @TempDir Path root;

    @Test
    void shouldReadWhatWasWrittenAtAnyPosition() {
        DiskDirectory directory = DiskDirectory.open(root.resolve("a/b"));
        try (StoreFile file = directory.open("file")) {
            file.write(bytes("hello"), 3);
            file.write(new ByteBuffer[] {bytes(" wo"), bytes("rld")}, 8);
            file.force(true);
            assertThat(file.length()).isEqualTo(14);
            ByteBuffer read = ByteBuffer.allocate(100);
            assertThat(file.read(read, 3)).isEqualTo(11);
            assertThat(text(read)).isEqualTo("hello world");
            assertThat(file.read(ByteBuffer.allocate(1), 14)).isZero();
            file.truncate(5);
            file.truncate(50);
            assertThat(file.length()).isEqualTo(5);
        }
    }

    @Test
    void shouldTellTheLengthOfAFileWithoutMakingIt() {
        DiskDirectory directory = DiskDirectory.open(root);
        try (StoreFile file = directory.open("file")) {
            file.write(bytes("abc"), 0);
        }
        assertThat(directory.length("file")).isEqualTo(3);
        assertThat(directory.length("none")).isEqualTo(-1);
        assertThat(directory.length("none/none")).isEqualTo(-1);
        assertThat(directory.exists("none")).isFalse();
    }

    @Test
    void shouldPreallocateRealBlocksAndKeepWhatIsThere() throws Exception {
        DiskDirectory directory = DiskDirectory.open(root);
        try (StoreFile file = directory.open("file")) {
            file.write(bytes("abc"), 0);
            file.preallocate(3 * 1024 * 1024 + 5);
            file.preallocate(10);
            assertThat(file.length()).isEqualTo(3 * 1024 * 1024 + 5);
            ByteBuffer read = ByteBuffer.allocate(4);
            file.read(read, 0);
            assertThat(text(read)).isEqualTo("abc\0");
        }
        Object blocks = Files.getAttribute(root.resolve("file"), "unix:size");
        assertThat(blocks).isEqualTo(3L * 1024 * 1024 + 5);
    }

    @Test
    void shouldPutADirectoryElsewhereAndReachItByItsPath() throws Exception {
        DiskDirectory directory = DiskDirectory.open(root.resolve("data"));
        Path place = root.resolve("other/disk");

        directory.createDirectoryAt("topics/a-0", place.toString());
        directory.createDirectoryAt("topics/a-0", root.resolve("ignored").toString());
        directory.createDirectories("topics/a-0");
        directory.open("topics/a-0/file").close();
        directory.forceDirectory("topics/a-0");

        assertThat(place.resolve("a-0/file")).exists();
        assertThat(root.resolve("ignored")).doesNotExist();
        assertThat(directory.list("topics/a-0")).containsExactly("file");
        assertThat(directory.whereIs("topics/a-0"))
                .isEqualTo(place.toRealPath().resolve("a-0").toString());
        assertThat(directory.usableBytes()).isPositive();

        directory.delete("topics/a-0");
        assertThat(directory.list("topics")).containsExactly("a-0");
        assertThat(place.resolve("a-0")).isEmptyDirectory();
    }

    @Test
    void shouldNotUseADirectoryThatIsThereAlreadyForOneOfItsOwn() {
        Path place = root.resolve("place");

        DiskDirectory.open(root.resolve("one")).createDirectoryAt("a", place.toString());
        DiskDirectory two = DiskDirectory.open(root.resolve("two"));
        two.createDirectoryAt("a", place.toString());
        two.open("a/file").close();

        assertThat(place.resolve("a")).isEmptyDirectory();
        assertThat(place.resolve("a.2/file")).exists();
    }

    @Test
    void shouldSayWhichDiskIsMissingWhenALinkLeadsNowhere() throws Exception {
        DiskDirectory directory = DiskDirectory.open(root.resolve("data"));
        directory.createDirectoryAt("a", root.resolve("place").toString());
        Files.delete(root.resolve("place/a"));

        assertThatThrownBy(() -> directory.createDirectoryAt("a", root.toString()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("place/a, which is not there; mount that disk");
    }

    @Test
    void shouldListSortedRenameOverAndDeleteTrees() {
        DiskDirectory directory = DiskDirectory.open(root);
        assertThat(directory.list("none")).isEmpty();
        directory.createDirectories("d/e");
        for (String name : new String[] {"c", "a", "b"}) {
            directory.open("d/" + name).close();
        }
        assertThat(directory.list("d")).containsExactly("a", "b", "c", "e");
        directory.rename("d/a", "d/b");
        directory.forceDirectory("d");
        directory.forceDirectory("");
        assertThat(directory.list("d")).containsExactly("b", "c", "e");
        directory.delete("d");
        directory.delete("d");
        assertThat(directory.exists("d")).isFalse();
        assertThat(directory.usableBytes()).isPositive();
    }

    @Test
    void shouldRefusePathsThatLeaveTheDirectory() {
        DiskDirectory directory = DiskDirectory.open(root.resolve("inner"));
        assertThatThrownBy(() -> directory.open("../outside"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> directory.delete("/outside"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldNameFileAndKindWhenTheOperatingSystemFails() throws Exception {
        DiskDirectory directory = DiskDirectory.open(root);
        Files.createFile(root.resolve("plain"));
        assertThatThrownBy(() -> directory.open("plain/file"))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.IO))
                .hasMessageContaining("plain/file")
                .hasMessageContaining("check the disk");
        StoreException full =
                DiskDirectory.failure(
                        "write", root, root, new IOException("No space left on device"));
        assertThat(full.kind()).isEqualTo(Kind.DISK_FULL);
        assertThat(full).hasMessageContaining("free space on the disk");
    }

    @Test
    void shouldReadAndWriteThroughAnInterruptAndKeepTheFlag() {
        DiskDirectory directory = DiskDirectory.open(root);
        try (StoreFile file = directory.open("file")) {
            file.write(bytes("abc"), 0);
            Thread.currentThread().interrupt();
            ByteBuffer read = ByteBuffer.allocate(3);
            file.read(read, 0);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(text(read)).isEqualTo("abc");
            Thread.currentThread().interrupt();
            file.write(bytes("xyz"), 0);
            assertThat(Thread.interrupted()).isTrue();
            file.read(read.clear(), 0);
            assertThat(text(read)).isEqualTo("xyz");
        }
        StoreFile closed = directory.open("file");
        closed.close();
        assertThatThrownBy(closed::length).hasMessageContaining("it is closed");
    }

    @Test
    void shouldKeepASecondBrokerOfTheSameProcessOut() {
        DiskDirectory directory = DiskDirectory.open(root);
        try (DirectoryLock held = directory.lock()) {
            assertThat(held).isNotNull();
            for (int i = 0; i < 2; i++) {
                assertLocked(ProcessHandle.current().pid());
            }
        }
        DiskDirectory.open(root).lock().close();
    }

    @Test
    void shouldKeepASecondProcessOutUntilTheFirstEndsHoweverItEnds() throws Exception {
        Process other =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                LockHolder.class.getName(),
                                root.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (BufferedReader output =
                new BufferedReader(
                        new InputStreamReader(other.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(output.readLine()).isEqualTo("locked");
            assertLocked(other.pid());
            // A refused attempt must not have taken the lock from the other.
            assertLocked(other.pid());
        } finally {
            other.destroyForcibly().waitFor();
        }
        DiskDirectory.open(root).lock().close();
    }

    private void assertLocked(long pid) {
        assertThatThrownBy(() -> DiskDirectory.open(root).lock())
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LOCKED))
                .hasMessageContaining(root.toString())
                .hasMessageContaining("process " + pid);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String text(ByteBuffer buffer) {
        return StandardCharsets.ISO_8859_1.decode(buffer.duplicate().flip()).toString();
    }

    /** Main class of the other process: locks the directory and waits to be killed. */
    static final class LockHolder {
        private LockHolder() {}

        public static void main(String[] arguments) throws IOException {
            try (DirectoryLock held = DiskDirectory.open(Path.of(arguments[0])).lock()) {
                System.out.println(held == null ? "nothing" : "locked");
                System.in.read();
            }
        }
    }
}
