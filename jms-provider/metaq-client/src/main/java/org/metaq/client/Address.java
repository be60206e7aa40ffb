package org.metaq.client;

/**
 * Where a broker listens. Immutable.
 *
 * @param host name or literal address, not empty
 * @param port 1..65535
 */
public record Address(String host, int port) {
    /** Port of a broker that names none. */
    public static final int DEFAULT_PORT = 8123;

    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if the host is empty or the port out of range
     */
    public Address {
        if (host.isEmpty() || port < 1 || port > 65_535) {
            throw new IllegalArgumentException("not an address: '" + host + "':" + port);
        }
    }

    /** {@code host:port}; a literal IPv6 address stands in brackets. */
    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? '[' + host + "]:" + port : host + ':' + port;
    }
}
