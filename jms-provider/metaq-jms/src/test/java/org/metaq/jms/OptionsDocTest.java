package org.metaq.jms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OptionsDocTest {
    @Test
    void shouldDescribeEachOptionAsTheCodeHasIt() throws IOException {
        Path file = Path.of("..", "..", "docs", "jms-options.md");
        assertThat(Files.readString(file))
                .as("docs/jms-options.md; make it anew with OptionsDoc")
                .isEqualTo(OptionsDoc.text());
    }
}
