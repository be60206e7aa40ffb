package org.metaq.broker;

import java.util.HashMap;
import java.util.Map;

/** Which open connection has which client id. Confined to the writer thread. */
final class ClientIds {
    private final Map<String, BrokerConnection> byId = new HashMap<>();

    /** Gives the connection this id, if it is free; the empty id always is. */
    boolean claim(BrokerConnection connection, String clientId) {
        if (clientId.isEmpty()) {
            return true;
        }
        if (byId.putIfAbsent(clientId, connection) != null) {
            return false;
        }
        connection.clientId = clientId;
        return true;
    }

    void release(BrokerConnection connection) {
        byId.remove(connection.clientId, connection);
    }
}
