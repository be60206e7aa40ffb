package org.metaq.samples.quickstart;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that tells on its standard output what it does, a line at a time. Its error stream is
 * appended to a file. Confined to its thread.
 */
final class ChildJvm implements AutoCloseable {
    private final String name;
    private final Process process;
    private final Path errorFile;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Thread reader;

    private ChildJvm(String name, Process process, Path errorFile) {
        this.name = name;
        this.process = process;
        this.errorFile = errorFile;
        this.reader = new Thread(this::read, "quickstart-" + name);
        reader.setDaemon(true);
    }

    static ChildJvm start(String name, List<String> command, Path errorFile) throws IOException {
        Process process =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.appendTo(errorFile.toFile()))
                        .start();
        ChildJvm child = new ChildJvm(name, process, errorFile);
        child.reader.start();
        return child;
    }

    private void read() {
        try (BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            // Killed: the pipe broke. Whoever waits for a line sees that the process is gone.
            lines.add("");
        }
    }

    /**
     * The next line, or null if none comes in time.
     *
     * @throws FailedException if the process is gone and said nothing more
     */
    @Nullable String line(long timeoutMs) throws FailedException, InterruptedException {
        boolean wasAlive = process.isAlive();
        String line = lines.poll(timeoutMs, TimeUnit.MILLISECONDS);
        if (line == null && !wasAlive) {
            throw new FailedException(
                    "the "
                            + name
                            + " ended with status "
                            + process.exitValue()
                            + "; see "
                            + errorFile);
        }
        return line;
    }

    long pid() {
        return process.pid();
    }

    /** Kills it as {@code kill -9} does, and waits until it is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        reader.join();
    }

    /**
     * Waits until it ends by itself.
     *
     * @return exit status, or -1 if it does not
     */
    int awaitEnd(long timeoutMs) throws InterruptedException {
        return process.waitFor(timeoutMs, TimeUnit.MILLISECONDS) ? process.exitValue() : -1;
    }

    /** Kills it if it still runs. */
    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
