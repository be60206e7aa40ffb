package org.metaq.server;

import java.io.IOException;
import picocli.CommandLine.Option;

/** The options of a command that say to which broker it is. */
final class AdminAddress {
    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "Address of the broker; it takes this from a loopback address only.")
    private String host = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "8123",
            description = "TCP port of the broker.")
    private int port = 8123;

    /**
     * Connects.
     *
     * @throws IOException if the broker cannot be reached; names the address
     */
    AdminClient connect() throws IOException {
        try {
            return new AdminClient(host, port);
        } catch (IOException e) {
            throw new IOException(host + ":" + port + ": " + e.getMessage(), e);
        }
    }
}
