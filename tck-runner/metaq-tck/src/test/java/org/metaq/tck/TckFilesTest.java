package org.metaq.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TckFilesTest {
    @TempDir private Path directory;

    private Path jar(String name, String entry) throws IOException {
        Path jar = directory.resolve(name);
        Files.createDirectories(jar.getParent());
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            zip.putNextEntry(new ZipEntry(entry));
        }
        return jar;
    }

    @Test
    void shouldFindAllThatAFolderHolds() throws Exception {
        Path tests = jar("jms-tck.jar", "a.class");
        Path tool = jar("lib/sigtest.jar", "com/sun/tdk/signaturetest/SignatureTest.class");
        jar("jms-tck-sources.jar", "a.java");
        jar("lib/x-javadoc.jar", "a.html");
        Path signatures = Files.createFile(directory.resolve("lib").resolve("jakarta.jms.sig_3.1"));

        TckFiles found = TckFiles.find(directory);

        assertThat(found.jars()).containsExactly(tests, tool);
        assertThat(found.signatures()).contains(signatures);
        assertThat(found.signatureTool()).contains(tool);
    }

    @Test
    void shouldTakeAJarAlone() throws Exception {
        Path tests = jar("jms-tck.jar", "a.class");

        TckFiles found = TckFiles.find(tests);

        assertThat(found.jars()).containsExactly(tests);
        assertThat(found.signatures()).isEmpty();
        assertThat(found.signatureTool()).isEmpty();
    }

    @Test
    void shouldSayWhatIsWantedWhereThereIsNoJar() {
        assertThatThrownBy(() -> TckFiles.find(directory))
                .isInstanceOf(TckException.class)
                .hasMessageContaining("no jar");
        assertThatThrownBy(() -> TckFiles.find(directory.resolve("absent")))
                .isInstanceOf(TckException.class)
                .hasMessageContaining("absent");
    }
}
