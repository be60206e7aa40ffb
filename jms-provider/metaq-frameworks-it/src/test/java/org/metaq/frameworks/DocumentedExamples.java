package org.metaq.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The examples of a page, and the sources that they must be a part of. */
final class DocumentedExamples {
    private static final Path ROOT = Path.of("../..");
    private static final Pattern EXAMPLE = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

    private DocumentedExamples() {}

    /**
     * Fails if an example is in no source.
     *
     * @param page from the root of the repository
     * @param count how many examples it has
     * @param suffix of the names of the sources
     * @param directories of the sources, from the root of the repository
     */
    static void requireFrom(String page, int count, String suffix, String... directories)
            throws IOException {
        StringBuilder sources = new StringBuilder();
        for (String directory : directories) {
            try (Stream<Path> files = Files.list(ROOT.resolve(directory))) {
                for (Path file : files.filter(f -> f.toString().endsWith(suffix)).toList()) {
                    sources.append(flat(Files.readString(file))).append('\n');
                }
            }
        }
        List<String> examples =
                EXAMPLE.matcher(Files.readString(ROOT.resolve(page)))
                        .results()
                        .map((MatchResult example) -> flat(example.group(1)))
                        .toList();
        assertThat(examples)
                .hasSize(count)
                .allSatisfy(example -> assertThat(sources.toString()).contains(example));
    }

    /** Without the indentation and the empty lines. */
    private static String flat(String text) {
        return text.replaceAll("(?m)^\\s+", "").trim();
    }
}
