package org.metaq.mdbbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MdbBenchIT {
    @Test
    void shouldMeasureBothProvidersUnderEachLoad(@TempDir Path directory) throws Exception {
        Path home = Path.of(System.getProperty("metaq.it.home"));
        Path rar = Path.of(System.getProperty("metaq.it.rar"));
        long bufferNs = Long.parseLong(MdbBench.BUFFER_NS);
        try (Site site = Site.start(home, rar, bufferNs, directory)) {
            Results results = MdbBench.run(site, 0, 1, 200, System.out);

            assertThat(results.table().lines())
                    .hasSize(2 + Load.values().length * Provider.values().length);
        }
    }
}
