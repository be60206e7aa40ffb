package org.metaq.container;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Starts processes, and waits for what they do. */
final class Command {
    private static final long POLL_MS = 50;

    private Command() {}

    /** The command line of a JVM like this one, without a main class. */
    static List<String> java(List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        return command;
    }

    /** Starts a process whose output is appended to a file; it is killed with this JVM. */
    static Process start(List<String> command, Path directory, Path output, String input)
            throws IOException {
        Files.createDirectories(output.toAbsolutePath().getParent());
        Process process =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                        .start();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(process::destroyForcibly, "kill-" + process.pid()));
        try (Writer in = process.outputWriter(StandardCharsets.UTF_8)) {
            in.write(input);
        }
        return process;
    }

    /**
     * Runs a process to its end.
     *
     * @return its output
     * @throws IOException if it takes too long or its exit status is not 0; the message has its
     *     output
     */
    static String run(List<String> command, Path directory, Duration max)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile("metaq-command-", ".log");
        try {
            Process process = start(command, directory, output, "");
            boolean ended = process.waitFor(max.toMillis(), TimeUnit.MILLISECONDS);
            process.destroyForcibly().waitFor();
            String said = Files.readString(output);
            if (!ended || process.exitValue() != 0) {
                throw new IOException(
                        (ended ? "status " + process.exitValue() : "no end within " + max)
                                + " of "
                                + command
                                + ":\n"
                                + said);
            }
            return said;
        } finally {
            Files.delete(output);
        }
    }

    /** Waits until something is so; false if it is not in time. */
    static boolean await(BooleanSupplier condition, Duration max) throws InterruptedException {
        long end = System.nanoTime() + max.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        return true;
    }
}
