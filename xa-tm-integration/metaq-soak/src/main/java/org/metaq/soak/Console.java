package org.metaq.soak;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;

/**
 * What an {@link Actor}'s process is told on its standard input, line by line. When the input ends
 * its parent is gone, and so it goes too. Thread-safe.
 */
public final class Console {
    private static final BlockingQueue<String> ORDERS = new LinkedBlockingQueue<>();

    private Console() {}

    /**
     * Starts to read, on a thread of its own; once in a process.
     *
     * @param command takes a line at once, on that thread, and returns true; or returns false, and
     *     the line is an order, which is kept
     */
    public static void start(Predicate<String> command) {
        Thread thread = new Thread(() -> read(command), "console");
        thread.setDaemon(true);
        thread.start();
    }

    /** The next order; waits for it. */
    public static String nextOrder() throws InterruptedException {
        return ORDERS.take();
    }

    private static void read(Predicate<String> command) {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (!command.test(line)) {
                    ORDERS.add(line);
                }
            }
        } catch (IOException e) {
            System.err.println("console: " + e);
        }
        Runtime.getRuntime().halt(1);
    }
}
