package org.metaq.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerJarsTest {
    @TempDir Path directory;

    @Test
    void shouldFindMavenOnThePathOnly() throws IOException {
        assertThat(PeerJars.maven(Map.of("PATH", directory.toString()))).isEmpty();
        assertThat(PeerJars.maven(Map.of())).isEmpty();
        Path maven = Files.createFile(directory.resolve("mvn"));
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        assertThat(PeerJars.maven(Map.of("PATH", "/nowhere:" + directory)))
                .contains(maven.toString());
    }

    @Test
    void shouldAskMavenForTheVersionThatTheBuildNames() throws IOException {
        for (String peer : List.of("artemis", "activemq", "narayana")) {
            Path pom = directory.resolve("pom.xml");
            PeerJars.copy(peer + "-pom.xml", pom);
            assertThat(Files.readString(pom)).doesNotContain("${").containsPattern("<version>\\d");
        }
    }
}
