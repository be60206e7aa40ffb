package org.metaq.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A script that sets a server up, as users have it, with other places put in. Immutable.
 *
 * @param text its lines
 */
public record Script(String text) {
    /** Reads a script. */
    public static Script of(Path file) throws IOException {
        return new Script(Files.readString(file));
    }

    /**
     * This script with other text wherever some text is.
     *
     * @throws IllegalArgumentException if the text is nowhere, so that no script stays half as it
     *     was
     */
    public Script with(String old, String replacement) {
        if (!text.contains(old)) {
            throw new IllegalArgumentException("there is no '" + old + "' in the script:\n" + text);
        }
        return new Script(text.replace(old, replacement));
    }

    /** This script and more lines before one of its lines. */
    public Script withBefore(String line, String lines) {
        return with(line, lines + "\n" + line);
    }

    /** Writes it to a file, which is replaced. */
    Path writeTo(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        return Files.writeString(file, text);
    }
}
