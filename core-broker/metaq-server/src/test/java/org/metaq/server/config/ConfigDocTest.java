package org.metaq.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigDocTest {
    @Test
    void shouldDescribeEachKeyAsTheCodeHasIt() throws IOException {
        Path file = Path.of("..", "..", "docs", "configuration.md");
        assertThat(Files.readString(file))
                .as("docs/configuration.md; make it anew with ConfigDoc")
                .isEqualTo(ConfigDoc.text());
    }
}
