package org.metaq.ra.outbound;

import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import org.metaq.ra.broker.BrokerAccess;

/**
 * The connections that the managed connections of a factory share. A connection is closed when its
 * last user leaves; one that is lost takes no more users. Thread-safe: its own monitor, not held
 * while connecting or closing.
 */
final class PhysicalConnections {
    private final PhysicalConnection.Opener opener;
    private final int usersMax;

    /** Guarded by this. Those with users. */
    private final List<PhysicalConnection> connections = new ArrayList<>();

    /**
     * No connection yet.
     *
     * @param usersMax how many may share one that has no client id, at least 1
     */
    PhysicalConnections(PhysicalConnection.Opener opener, int usersMax) {
        this.opener = opener;
        this.usersMax = usersMax;
    }

    /**
     * An open connection for a user, who must release it.
     *
     * @throws JMSException if there is none
     */
    PhysicalConnection acquire(BrokerAccess access, PhysicalConnection.User user)
            throws JMSException {
        PhysicalConnection place = place(access, user);
        boolean isOpen = false;
        try {
            var unused = place.connection();
            isOpen = true;
            return place;
        } finally {
            if (!isOpen) {
                release(place, user);
            }
        }
    }

    private synchronized PhysicalConnection place(
            BrokerAccess access, PhysicalConnection.User user) {
        int shareMax = access.hasClientId() ? Integer.MAX_VALUE : usersMax;
        PhysicalConnection place = null;
        for (PhysicalConnection each : connections) {
            if (each.access().equals(access) && each.isUsable() && each.users().size() < shareMax) {
                place = each;
                break;
            }
        }
        if (place == null) {
            place = new PhysicalConnection(access, opener);
            connections.add(place);
        }
        place.users().add(user);
        return place;
    }

    /** Takes a user from a connection, whether it is open or lost. */
    void release(PhysicalConnection connection, PhysicalConnection.User user) {
        synchronized (this) {
            connection.users().remove(user);
            if (!connection.users().isEmpty()) {
                return;
            }
            connections.remove(connection);
        }
        connection.close();
    }

    /** Connections with users. */
    synchronized int count() {
        return connections.size();
    }
}
