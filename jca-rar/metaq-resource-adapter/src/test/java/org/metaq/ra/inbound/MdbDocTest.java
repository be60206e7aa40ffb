package org.metaq.ra.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MdbDocTest {
    private static final String HEADING = "## All activation properties\n\n";

    /** The table of all properties, as the document has it. */
    private static String table() {
        MetaQActivationSpec defaults = new MetaQActivationSpec();
        StringBuilder text =
                new StringBuilder("| property | values | default | |\n|---|---|---|---|\n");
        for (ActivationProperty property : ActivationProperty.values()) {
            Object value = property.of(defaults);
            text.append("| `")
                    .append(property.propertyName())
                    .append("` | ")
                    .append(property.range())
                    .append(" | ")
                    .append(value == null ? "" : "`" + value + "`")
                    .append(" | ")
                    .append(property.description())
                    .append(". |\n");
        }
        return text.toString();
    }

    @Test
    void shouldDescribeEachPropertyAsTheBeanHasIt() throws IOException {
        String document = Files.readString(Path.of("..", "..", "docs", "mdb.md"));
        assertThat(document.substring(document.indexOf(HEADING) + HEADING.length()))
                .as("the table of docs/mdb.md")
                .isEqualTo(table());
    }
}
