package org.metaq.container;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What was appended to a file since a place in it.
 *
 * @param file may not be there yet
 * @param from offset in bytes
 */
public record LogTail(Path file, long from) {
    /** From the file's present end on. */
    public static LogTail ofNow(Path file) throws IOException {
        return new LogTail(file, Files.exists(file) ? Files.size(file) : 0);
    }

    /** The text. */
    public String text() {
        if (!Files.exists(file)) {
            return "";
        }
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(from);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether something is in the text. */
    public boolean contains(String part) {
        return text().contains(part);
    }
}
