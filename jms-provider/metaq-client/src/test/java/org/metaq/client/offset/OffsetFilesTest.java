package org.metaq.client.offset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.client.cluster.Partition;
import org.metaq.client.cluster.TopicPartition;

/** Offsets as text and in a file. */
class OffsetFilesTest {
    private static final TopicPartition FIRST =
            new TopicPartition("queue@a%3Db", new Partition(0, 1));
    private static final TopicPartition SECOND = new TopicPartition("b", new Partition(1, 0));

    @TempDir private Path directory;

    @Test
    void shouldReadAllFormsOfAnOffset() {
        assertThat(GroupOffset.parse("-5468931864850829312-14470"))
                .isEqualTo(new GroupOffset(-5468931864850829312L, 14470));
        assertThat(GroupOffset.parse("17-0")).isEqualTo(new GroupOffset(17, 0));
        assertThat(GroupOffset.parse(" 14470\n"))
                .isEqualTo(new GroupOffset(GroupOffset.NO_MESSAGE, 14470));
        assertThat(GroupOffset.parse(new GroupOffset(-1, 5).toString()))
                .isEqualTo(new GroupOffset(-1, 5));
        assertThatThrownBy(() -> GroupOffset.parse("a-b")).hasMessageContaining("'a-b'");
        assertThatThrownBy(() -> Partition.parse("12")).hasMessageContaining("'12'");
    }

    @Test
    void shouldKeepOffsetsAcrossARestart() throws Exception {
        Path file = directory.resolve("deep/offsets.properties");
        try (FileOffsetStorage storage = new FileOffsetStorage(file)) {
            assertThat(storage.load("g", FIRST)).isNull();
            storage.store("g", Map.of(FIRST, new GroupOffset(-7, 40)));
            storage.store("g", Map.of(SECOND, new GroupOffset(8, 60)));
            storage.store("other", Map.of(FIRST, new GroupOffset(9, 80)));
        }
        try (FileOffsetStorage storage = new FileOffsetStorage(file)) {
            assertThat(storage.load("g", FIRST)).isEqualTo(new GroupOffset(-7, 40));
            assertThat(storage.load("g", SECOND)).isEqualTo(new GroupOffset(8, 60));
            assertThat(storage.load("other", FIRST)).isEqualTo(new GroupOffset(9, 80));
        }
        assertThat(Files.readString(file)).contains("g/b/1-0=8-60");
    }

    @Test
    void shouldKeepTheOldFileWhenTheNewOneWasNotFinished() throws Exception {
        Path file = directory.resolve("offsets");
        try (FileOffsetStorage storage = new FileOffsetStorage(file)) {
            storage.store("g", Map.of(FIRST, new GroupOffset(1, 20)));
        }
        Files.writeString(directory.resolve("offsets.new"), "g/queue@a%3Db/0-1=");
        try (FileOffsetStorage storage = new FileOffsetStorage(file)) {
            assertThat(storage.load("g", FIRST)).isEqualTo(new GroupOffset(1, 20));
            storage.store("g", Map.of(FIRST, new GroupOffset(2, 40)));
        }
        assertThat(directory.resolve("offsets.new")).doesNotExist();
    }

    @Test
    void shouldRefuseAFileThatIsInUseOrMakesNoSense() throws Exception {
        Path file = directory.resolve("offsets");
        try (FileOffsetStorage first = new FileOffsetStorage(file)) {
            assertThatThrownBy(() -> new FileOffsetStorage(file))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in use");
            assertThat(first.load("g", FIRST)).isNull();
        }
        Files.writeString(file, "g/b/1-0=nothing");
        try (FileOffsetStorage storage = new FileOffsetStorage(file)) {
            assertThatThrownBy(() -> storage.load("g", SECOND))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("nothing");
        }
    }
}
