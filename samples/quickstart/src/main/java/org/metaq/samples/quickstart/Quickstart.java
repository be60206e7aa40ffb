package org.metaq.samples.quickstart;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Main class of {@code metaq quickstart [FILE]}: every line of a file is an order. Exit status: 0
 * if each order is one row and one confirmation in the end, 1 if not, 2 for a wrong command line.
 */
public final class Quickstart {
    private static final int STATUS_FAILED = 1;
    private static final int STATUS_USAGE = 2;

    private Quickstart() {}

    /** Runs it and ends the process. */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length > 1 || (args.length == 1 && args[0].startsWith("-"))) {
            System.err.println("usage: quickstart [FILE]   each line of FILE is an order");
            System.exit(args[0].equals("--help") ? 0 : STATUS_USAGE);
        }
        OrderFile orders = args.length == 0 ? OrderFile.bundled() : OrderFile.of(Path.of(args[0]));
        System.exit(run(orders, Files.createTempDirectory("metaq-quickstart-"), System.out));
    }

    /**
     * Runs it.
     *
     * @param directory for everything that is written; deleted, unless it fails
     * @param out where progress and result go
     * @return exit status
     */
    static int run(OrderFile orders, Path directory, PrintStream out)
            throws IOException, InterruptedException {
        Jvms.logTo(directory.resolve("quickstart.log"));
        try (Scenario scenario = new Scenario(orders, directory, out)) {
            List<String> differences = scenario.run();
            if (!differences.isEmpty()) {
                differences.forEach(out::println);
                out.println("logs and data are in " + directory);
                return STATUS_FAILED;
            }
        } catch (FailedException e) {
            out.println("quickstart FAILED: " + e.getMessage());
            out.println("logs and data are in " + directory);
            return STATUS_FAILED;
        }
        delete(directory);
        return 0;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
