package org.metaq.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

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

    /** A connected channel, blocking; all addresses of the name are tried, each this long. */
    SocketChannel connect(long timeoutMs) throws IOException {
        IOException last = null;
        for (InetAddress each : InetAddress.getAllByName(host)) {
            SocketChannel channel = SocketChannel.open();
            try {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                int limitMs = (int) Math.min(Integer.MAX_VALUE, timeoutMs);
                channel.socket().connect(new InetSocketAddress(each, port), limitMs);
                return channel;
            } catch (IOException e) {
                channel.close();
                last = e;
            }
        }
        throw last == null ? new IOException("no address for " + host) : last;
    }
}
