package org.metaq.bench;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A broker that can be started. */
interface Server {
    /** Short name, as results have it. */
    String name();

    /** What it promises of a persistent message, and by which settings. */
    String durability();

    /** How its broker is run: memory and other options. */
    String brokerOptions();

    /**
     * Starts a broker that serves.
     *
     * @param directory for its data and log: an empty one, or that of a broker which was stopped
     * @throws BenchException if it does not get ready
     */
    Broker start(Path directory) throws BenchException, InterruptedException;

    /**
     * A broker that serves.
     *
     * @param process null if somebody else runs it
     * @param pid process id; 0 if not known
     * @param uri by which a client finds it
     */
    record Broker(@Nullable ForkedProcess process, long pid, String uri) implements AutoCloseable {
        /** One that was started here. */
        Broker(ForkedProcess process, String uri) {
            this(process, process.pid(), uri);
        }

        /** Stops it, if it was started here. */
        @Override
        public void close() {
            if (process != null) {
                process.close();
            }
        }
    }
}
