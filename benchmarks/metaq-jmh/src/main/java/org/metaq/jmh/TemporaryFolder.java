package org.metaq.jmh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder for one benchmark below {@code java.io.tmpdir}, which thus decides on the disk that is
 * measured.
 */
final class TemporaryFolder implements AutoCloseable {
    private final Path path;

    TemporaryFolder() throws IOException {
        path = Files.createTempDirectory("metaq-jmh");
    }

    Path path() {
        return path;
    }

    /** Deletes it with all that is in it. */
    @Override
    public void close() throws IOException {
        List<Path> found;
        try (Stream<Path> all = Files.walk(path)) {
            found = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : found) {
            Files.delete(each);
        }
    }
}
