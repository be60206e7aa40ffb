package org.metaq.client;

import java.util.List;

/**
 * How to reach a broker and how patient to be. Immutable.
 *
 * @param brokers addresses to try in order, not empty
 * @param user empty: the broker's default identity
 * @param password may be empty; never printed
 * @param clientId JMS client id; empty for none
 * @param connectTimeoutMs longest wait for a TCP connection, and again for the reply to {@code
 *     open}, &gt;= 1
 * @param callTimeoutMs longest wait of a call for its reply, and of a send for room, &gt;= 1
 * @param heartbeatMs after this long without a write a heartbeat is sent; after three times as long
 *     without a byte from the broker the connection is lost; 0: no heartbeats, a silent broker is
 *     never noticed
 * @param sendWindowBytes most bytes of message bodies without a reply, &gt;= 1; one larger message
 *     still goes alone
 * @param key secret of this client by which a later connection takes the place of this one at the
 *     broker; never printed; empty for none
 */
public record ClientOptions(
        List<Address> brokers,
        String user,
        String password,
        String clientId,
        long connectTimeoutMs,
        long callTimeoutMs,
        long heartbeatMs,
        int sendWindowBytes,
        String key) {
    /**
     * Copies the list and checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of its range
     */
    public ClientOptions {
        brokers = List.copyOf(brokers);
        if (brokers.isEmpty()) {
            throw new IllegalArgumentException("no broker address");
        }
        checkRange("connectTimeoutMs", connectTimeoutMs, 1);
        checkRange("callTimeoutMs", callTimeoutMs, 1);
        checkRange("heartbeatMs", heartbeatMs, 0);
        checkRange("sendWindowBytes", sendWindowBytes, 1);
    }

    private static void checkRange(String name, long value, long min) {
        if (value < min) {
            throw new IllegalArgumentException(name + " must be >= " + min + ", not " + value);
        }
    }

    /** Defaults for these addresses. */
    public static ClientOptions of(Address... brokers) {
        return builder(List.of(brokers)).build();
    }

    /** Starts from the defaults. */
    public static Builder builder(List<Address> brokers) {
        return new Builder(brokers);
    }

    /** Starts from these options. */
    public Builder toBuilder() {
        return new Builder(brokers)
                .credentials(user, password)
                .clientId(clientId)
                .connectTimeoutMs(connectTimeoutMs)
                .callTimeoutMs(callTimeoutMs)
                .heartbeatMs(heartbeatMs)
                .sendWindowBytes(sendWindowBytes)
                .key(key);
    }

    /** All but the secrets. */
    @Override
    public String toString() {
        return "ClientOptions["
                + brokers
                + ", user="
                + user
                + ", clientId="
                + clientId
                + ", connectTimeoutMs="
                + connectTimeoutMs
                + ", callTimeoutMs="
                + callTimeoutMs
                + ", heartbeatMs="
                + heartbeatMs
                + ", sendWindowBytes="
                + sendWindowBytes
                + ']';
    }

    /**
     * Collects options. Defaults: no user, password or client id, 10 s to connect, 60 s per call,
     * 10 s heartbeat, 4 MiB window. Confined to its user.
     */
    public static final class Builder {
        private final List<Address> brokers;
        private String user = "";
        private String password = "";
        private String clientId = "";
        private long connectTimeoutMs = 10_000;
        private long callTimeoutMs = 60_000;
        private long heartbeatMs = 10_000;
        private int sendWindowBytes = 4 * 1024 * 1024;
        private String key = "";

        private Builder(List<Address> brokers) {
            this.brokers = brokers;
        }

        /** Sets {@link ClientOptions#user} and {@link ClientOptions#password}. */
        public Builder credentials(String newUser, String newPassword) {
            user = newUser;
            password = newPassword;
            return this;
        }

        /** Sets {@link ClientOptions#clientId}. */
        public Builder clientId(String value) {
            clientId = value;
            return this;
        }

        /** Sets {@link ClientOptions#connectTimeoutMs}. */
        public Builder connectTimeoutMs(long value) {
            connectTimeoutMs = value;
            return this;
        }

        /** Sets {@link ClientOptions#callTimeoutMs}. */
        public Builder callTimeoutMs(long value) {
            callTimeoutMs = value;
            return this;
        }

        /** Sets {@link ClientOptions#heartbeatMs}. */
        public Builder heartbeatMs(long value) {
            heartbeatMs = value;
            return this;
        }

        /** Sets {@link ClientOptions#sendWindowBytes}. */
        public Builder sendWindowBytes(int value) {
            sendWindowBytes = value;
            return this;
        }

        /** Sets {@link ClientOptions#key}. */
        public Builder key(String value) {
            key = value;
            return this;
        }

        /**
         * The options.
         *
         * @throws IllegalArgumentException if a value is out of its range
         */
        public ClientOptions build() {
            return new ClientOptions(
                    brokers,
                    user,
                    password,
                    clientId,
                    connectTimeoutMs,
                    callTimeoutMs,
                    heartbeatMs,
                    sendWindowBytes,
                    key);
        }
    }
}
