package org.metaq.interop;

import java.io.IOException;

/** A server process that is tested: ours, or MetaQ's own. Not thread-safe. */
interface MetaqServer extends AutoCloseable {
    /** Port on 127.0.0.1, the same after a restart. */
    int port();

    /** Kills it as {@code kill -9} does. */
    void kill9() throws InterruptedException;

    /** Starts it again on the same data and port. */
    void restart() throws IOException, InterruptedException;

    /** Its log so far. */
    String log() throws IOException;

    @Override
    void close() throws InterruptedException;
}
