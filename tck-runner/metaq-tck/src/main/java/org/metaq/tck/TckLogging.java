package org.metaq.tck;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.logging.ConsoleHandler;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Has the TCK print all that it logs. It has two logs: the JDK's, and one of its own which keeps
 * everything for a test harness, the causes of failures above all, until it is told to print.
 * Stateless.
 */
final class TckLogging {
    private static final String OWN_LOG = "com.sun.ts.lib.util.TestUtil";
    private static final Logger JDK_LOG = Logger.getLogger("com.sun.ts");

    private TckLogging() {}

    /**
     * From now on the TCK prints to that stream, and to the standard error stream of this moment.
     */
    static void printTo(PrintStream out) {
        ConsoleHandler handler = new ConsoleHandler();
        handler.setLevel(Level.ALL);
        JDK_LOG.setUseParentHandlers(false);
        JDK_LOG.setLevel(Level.ALL);
        JDK_LOG.addHandler(handler);
        PrintWriter writer = new PrintWriter(out, true, StandardCharsets.UTF_8);
        Properties settings = new Properties();
        settings.setProperty("line.separator", System.lineSeparator());
        try {
            Class<?> log = Class.forName(OWN_LOG);
            log.getMethod("initNoLogging", Properties.class).invoke(null, settings);
            log.getMethod("setCurrentTest", String.class, PrintWriter.class, PrintWriter.class)
                    .invoke(null, "", writer, writer);
        } catch (ReflectiveOperationException e) {
            out.println("the TCK's own log is not shown: " + e);
        }
    }
}
