package org.metaq.architecture.broken.broker.state;

/** Is not deterministic, and meets files by itself. */
public class ReadsTheClock {
    java.nio.file.Path file;

    long now() {
        return System.nanoTime();
    }
}
