package org.metaq.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.store.StoreException;
import org.metaq.store.io.DiskDirectory;

class StoreIdTest {
    @TempDir Path root;

    @Test
    void shouldStayTheSameForADirectoryAndDifferFromAnother() {
        String id = StoreId.of(DiskDirectory.open(root.resolve("a")));
        assertThat(StoreId.of(DiskDirectory.open(root.resolve("a")))).isEqualTo(id);
        assertThat(StoreId.of(DiskDirectory.open(root.resolve("b")))).isNotEqualTo(id);
    }

    @Test
    void shouldNotCountWhatACrashLeftOfItsMaking() throws Exception {
        Files.writeString(
                root.resolve("store-id.new"), "half of a very long name that was cut off");
        String id = StoreId.of(DiskDirectory.open(root));
        assertThat(Files.readString(root.resolve("store-id"))).isEqualTo(id + "\n");
    }

    @Test
    void shouldRefuseAFileThatHoldsSomethingElse() throws Exception {
        Files.writeString(root.resolve("store-id"), "");
        assertThatThrownBy(() -> StoreId.of(DiskDirectory.open(root)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("store-id");
    }
}
