package org.metaq.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExclusionsTest {
    @TempDir private Path directory;

    private Path file(String text) throws Exception {
        return Files.writeString(directory.resolve("exclusions.txt"), text);
    }

    @Test
    void shouldReadNamesAndReasons() throws Exception {
        Exclusions exclusions =
                Exclusions.read(file("# why\n\n core.a.B.c\tbecause of it\ncore.a.B.d so\n"));

        assertThat(exclusions.reasons())
                .isEqualTo(Map.of("core.a.B.c", "because of it", "core.a.B.d", "so"));
        assertThat(exclusions.contains(new TestId("com.sun.ts.tests.jms.core.a.B", "c"))).isTrue();
        assertThat(exclusions.contains(new TestId("com.sun.ts.tests.jms.core.a.B", "x"))).isFalse();
    }

    @Test
    void shouldRefuseAnExclusionWithoutAReason() throws Exception {
        Path file = file("# none\ncore.a.B.c \n");
        assertThatThrownBy(() -> Exclusions.read(file))
                .isInstanceOf(TckException.class)
                .hasMessageContaining("line 2")
                .hasMessageContaining("core.a.B.c")
                .hasMessageContaining("reason");
    }

    @Test
    void shouldRefuseToRunWithoutTheFile() {
        assertThatThrownBy(() -> Exclusions.read(directory.resolve("absent")))
                .isInstanceOf(TckException.class)
                .hasMessageContaining("absent");
    }
}
