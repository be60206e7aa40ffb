package org.metaq.broker;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which open connection has which key. Confined to the writer thread. */
final class ConnectionKeys {
    private final Map<String, BrokerConnection> byKey = new HashMap<>();

    /** The connection that has this key, which a client made up; null: none, or no key. */
    @Nullable BrokerConnection holder(String key) {
        return byKey.get(key);
    }

    /** Gives a connection its key; nobody has it. */
    void claim(BrokerConnection connection, String key) {
        if (!key.isEmpty()) {
            connection.key = key;
            byKey.put(key, connection);
        }
    }

    void release(BrokerConnection connection) {
        byKey.remove(connection.key, connection);
    }
}
