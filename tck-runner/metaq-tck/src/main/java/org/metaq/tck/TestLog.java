package org.metaq.tck;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Takes what a JVM prints, into a file per test; the file of a test that passed is deleted, and
 * what is printed between tests is dropped. Thread-safe: by a lock.
 */
final class TestLog extends OutputStream {
    private final Path directory;
    private final ReentrantLock lock = new ReentrantLock();
    private Path file;
    private OutputStream out = OutputStream.nullOutputStream();

    /**
     * A log with no test.
     *
     * @param directory of the files
     */
    TestLog(Path directory) {
        this.directory = directory;
        this.file = directory;
    }

    /** File of a test. */
    static Path file(Path directory, TestId test) {
        return directory.resolve(test + ".log");
    }

    /** Sends all that this JVM prints here. Before anything else keeps the streams. */
    void takeStandardStreams() {
        PrintStream stream = new PrintStream(this, true, StandardCharsets.UTF_8);
        System.setOut(stream);
        System.setErr(stream);
    }

    void begin(TestId test) throws IOException {
        lock.lock();
        try {
            out.close();
            file = file(directory, test);
            Files.createDirectories(directory);
            out = new BufferedOutputStream(Files.newOutputStream(file));
        } finally {
            lock.unlock();
        }
    }

    void end(boolean isKept) throws IOException {
        lock.lock();
        try {
            out.close();
            out = OutputStream.nullOutputStream();
            if (!isKept) {
                Files.deleteIfExists(file);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void write(int b) throws IOException {
        lock.lock();
        try {
            out.write(b);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        lock.lock();
        try {
            out.write(bytes, offset, length);
        } finally {
            lock.unlock();
        }
    }

    /** Who looks at the file of a test that hangs sees what it printed. */
    @Override
    public void flush() throws IOException {
        lock.lock();
        try {
            out.flush();
        } finally {
            lock.unlock();
        }
    }
}
