package org.metaq.samples.quickstart;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Command lines of the JVMs that the quickstart starts. They run from the folders of a distribution
 * where the script {@code metaq} says that there is one, else with this JVM's class path.
 */
final class Jvms {
    /** Set by the script: directory of the distribution. */
    private static final String HOME = "metaq.home";

    /** Set to true by the script if it writes to a terminal; Java cannot tell in every version. */
    private static final String TERMINAL = "metaq.terminal";

    /** Options for each JVM, as for the script. */
    private static final String OPTIONS = "METAQ_OPTS";

    private static final String LOG_FILE = "quickstart.log";
    private static final String LOG_CONFIGURATION = "logback.configurationFile";
    private static final String LOG_CONFIGURATION_FILE =
            "org/metaq/samples/quickstart/logback-quickstart.xml";

    private Jvms() {}

    /** This JVM logs to a file: the screen is for progress. Before the first logger is made. */
    static void logTo(Path file) {
        System.setProperty(LOG_CONFIGURATION, LOG_CONFIGURATION_FILE);
        System.setProperty(LOG_FILE, file.toString());
    }

    /** Whether the standard output is a terminal, where a line can be written over. */
    static boolean isTerminal() {
        return Boolean.getBoolean(TERMINAL);
    }

    /** A broker; it logs on its error stream. */
    static List<String> broker(Path data, int port) {
        List<String> command = java("lib");
        command.add("-XX:+ExitOnOutOfMemoryError");
        command.add("org.metaq.server.BrokerMain");
        command.addAll(List.of("--data", data.toString(), "--bind", "127.0.0.1"));
        command.addAll(List.of("--port", Integer.toString(port)));
        return command;
    }

    /** The worker. */
    static List<String> worker(Path log, List<String> arguments) {
        List<String> command = java("tools");
        command.add("-D" + LOG_CONFIGURATION + "=" + LOG_CONFIGURATION_FILE);
        command.add("-D" + LOG_FILE + "=" + log);
        command.add(QuickstartWorker.class.getName());
        command.addAll(arguments);
        return command;
    }

    private static List<String> java(String folder) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        String options = System.getenv(OPTIONS);
        if (options != null && !options.isBlank()) {
            command.addAll(List.of(options.strip().split("\\s+")));
        }
        String home = System.getProperty(HOME);
        command.add("-cp");
        command.add(
                home == null
                        ? System.getProperty("java.class.path")
                        : home + File.separator + folder + File.separator + "*");
        return command;
    }
}
