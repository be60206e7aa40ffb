package org.metaq.ra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RaXmlDocTest {
    @Test
    void shouldDescribeEachPropertyAsTheDescriptorDoes() throws IOException {
        String page = Files.readString(Path.of("..", "..", "docs", "resource-adapter.md"));
        for (RaXml.Bean bean : RaXml.read().beans()) {
            assertThat(page)
                    .as("the table of %s; make it anew with RaXmlDoc", bean.className())
                    .contains(RaXmlDoc.table(bean));
        }
    }
}
