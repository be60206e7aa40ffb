package org.metaq.server.config;

import java.nio.file.Path;

/** Paths as {@code server.ini} writes them. */
final class HomePath {
    private HomePath() {}

    /** A leading {@code ~} is the home directory of who runs the broker, as in a shell. */
    static Path of(String text) {
        if (text.equals("~") || text.startsWith("~/")) {
            return Path.of(System.getProperty("user.home") + text.substring(1));
        }
        return Path.of(text);
    }
}
