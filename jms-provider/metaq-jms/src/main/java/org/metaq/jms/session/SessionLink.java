package org.metaq.jms.session;

import org.metaq.client.ClientConnection;

/**
 * The connection to the broker that a session works on. It follows the JMS connection's own from
 * one to the next only when the session has let go of what it held on the old one: whatever a
 * session does with messages that came over a lost connection fails by itself. Replaced under the
 * session's lock; read under it, or by a thread that is content with the connection as it was.
 */
final class SessionLink {
    private volatile ClientConnection client;

    SessionLink(ClientConnection client) {
        this.client = client;
    }

    ClientConnection client() {
        return client;
    }

    void follow(ClientConnection next) {
        client = next;
    }
}
