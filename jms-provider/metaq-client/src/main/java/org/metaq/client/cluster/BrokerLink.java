package org.metaq.client.cluster;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.metaq.client.Address;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.client.ClientOptions;
import org.metaq.protocol.ErrorCode;

/**
 * The connection to one address, made when it is needed and again when it was lost. After a failed
 * attempt it waits before the next, longer each time, and refuses meanwhile. Thread-safe: one lock,
 * held while connecting, so that others wait for the same attempt.
 */
final class BrokerLink implements AutoCloseable {
    private static final long BACK_OFF_MIN_MS = 50;
    private static final long BACK_OFF_MAX_MS = 5_000;

    private final Address address;
    private final ClientOptions options;

    private volatile @Nullable ClientConnection connection;
    private @Nullable ClientException failure;
    private long backOffMs = BACK_OFF_MIN_MS;
    private long failedNs;
    private boolean isClosed;

    BrokerLink(Address address, ClientOptions options) {
        this.address = address;
        this.options = options;
    }

    Address address() {
        return address;
    }

    /**
     * The open connection.
     *
     * @throws ClientException CONNECTION_LOST if it cannot be made, or the last attempt to was not
     *     long enough ago; or the broker's refusal
     */
    ClientConnection connection() throws ClientException {
        ClientConnection current = connection;
        return current != null && current.isOpen() ? current : connect();
    }

    private synchronized ClientConnection connect() throws ClientException {
        ClientConnection current = connection;
        if (current != null && current.isOpen()) {
            return current;
        }
        if (isClosed) {
            throw ClientException.of(ErrorCode.CONNECTION_LOST, "the cluster is closed");
        }
        ClientException last = failure;
        long sinceMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - failedNs);
        if (last != null && sinceMs < backOffMs) {
            throw ClientException.of(
                    last.code(),
                    last.getMessage() + "; next attempt in " + (backOffMs - sinceMs) + " ms");
        }
        try {
            ClientConnection made = ClientConnection.connect(options);
            connection = made;
            failure = null;
            backOffMs = BACK_OFF_MIN_MS;
            return made;
        } catch (ClientException e) {
            backOffMs = last == null ? BACK_OFF_MIN_MS : Math.min(BACK_OFF_MAX_MS, backOffMs * 2);
            failure = e;
            failedNs = System.nanoTime();
            throw e;
        }
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        ClientConnection current = connection;
        if (current != null) {
            current.close();
        }
    }
}
