package org.metaq.tck;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** How JVMs are started and ended: with this one's Java. Stateless. */
final class Java {
    private static final int STOP_TIMEOUT_S = 20;

    private Java() {}

    /**
     * Starts one. It talks on its standard output; its error stream goes to a file.
     *
     * @param options of the JVM
     * @param directory where it runs
     * @param log its error stream is appended to it
     * @throws TckException if it does not start
     */
    static Process start(
            List<String> options,
            List<Path> classPath,
            String main,
            List<String> arguments,
            Path directory,
            Path log)
            throws TckException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-cp");
        command.add(
                classPath.stream()
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator)));
        command.add(main);
        command.addAll(arguments);
        try {
            return new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new TckException("cannot start " + main + ": " + e, e);
        }
    }

    /** Tells a process to stop, and kills it if it does not. */
    static void stop(Process process) throws InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_TIMEOUT_S, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }
}
