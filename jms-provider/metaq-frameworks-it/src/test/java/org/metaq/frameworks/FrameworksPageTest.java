package org.metaq.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/frameworks.md} are the code of the tests beside this one. */
class FrameworksPageTest {
    private static final Path PAGE = Path.of("../../docs/frameworks.md");
    private static final Path SOURCES = Path.of("src/test/java/org/metaq/frameworks");
    private static final Pattern EXAMPLE = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

    @Test
    void shouldShowNothingThatNoTestRuns() throws IOException {
        StringBuilder sources = new StringBuilder();
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (Path file : files.filter(f -> f.toString().endsWith("IT.java")).toList()) {
                sources.append(flat(Files.readString(file))).append('\n');
            }
        }
        Matcher examples = EXAMPLE.matcher(Files.readString(PAGE));
        List<String> missing = new ArrayList<>();
        int count = 0;
        while (examples.find()) {
            count++;
            String example = flat(examples.group(1));
            if (sources.indexOf(example) < 0) {
                missing.add(example);
            }
        }
        assertThat(count).isEqualTo(8);
        assertThat(missing).isEmpty();
    }

    /** Without the indentation and the empty lines. */
    private static String flat(String text) {
        return text.replaceAll("(?m)^\\s+", "").trim();
    }
}
