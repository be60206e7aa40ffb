package org.metaq.mdbbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MdbBenchIT {
    @Test
    void shouldMeasureBothProvidersUnderEachLoad(@TempDir Path directory) throws Exception {
        Results results =
                MdbBench.run(
                        Path.of(System.getProperty("metaq.it.home")),
                        Path.of(System.getProperty("metaq.it.rar")),
                        directory,
                        0,
                        1,
                        200,
                        System.out);

        assertThat(results.table().lines())
                .hasSize(2 + Load.values().length * Provider.values().length);
    }
}
