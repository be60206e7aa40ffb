package org.metaq.samples.quickstart;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The input, UTF-8: each line is an order, numbered from 1. Only the header of the bundled file is
 * none, in a file that starts with it. Read line by line: a file may be larger than memory.
 */
final class OrderFile {
    private static final String BUNDLED = "orders.csv";

    private final @Nullable Path path;

    private OrderFile(@Nullable Path path) {
        this.path = path;
    }

    /** Ten thousand orders that come with the sample. */
    static OrderFile bundled() {
        return new OrderFile(null);
    }

    static OrderFile of(Path path) {
        return new OrderFile(path);
    }

    /** A reader before the first order; the caller closes it. */
    Lines open() throws IOException {
        Path file = path;
        String header;
        try (BufferedReader own = reader(bundledStream())) {
            header = String.valueOf(own.readLine());
        }
        return new Lines(
                reader(file == null ? bundledStream() : Files.newInputStream(file)), header);
    }

    private static InputStream bundledStream() throws IOException {
        InputStream stream = OrderFile.class.getResourceAsStream(BUNDLED);
        if (stream == null) {
            throw new IOException(BUNDLED + " is not on the class path");
        }
        return stream;
    }

    private static BufferedReader reader(InputStream stream) {
        return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return path == null ? "the bundled orders" : path.toString();
    }

    /** Orders one after the other. Confined to its thread. */
    static final class Lines implements AutoCloseable {
        private final BufferedReader reader;
        private final String header;
        private boolean isFirst = true;

        private Lines(BufferedReader reader, String header) {
            this.reader = reader;
            this.header = header;
        }

        /** The next order, or null at the end. */
        @Nullable String next() throws IOException {
            String line = reader.readLine();
            if (isFirst && header.equals(line)) {
                line = reader.readLine();
            }
            isFirst = false;
            return line;
        }

        @Override
        public void close() throws IOException {
            reader.close();
        }
    }
}
