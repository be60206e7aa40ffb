package org.metaq.ra.broker;

import jakarta.jms.JMSException;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.ConnectionOption;
import org.metaq.jms.ConnectionUri;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.session.MetaQXAConnection;

/**
 * Where the brokers are and who connects. Immutable.
 *
 * @param uri see {@link ConnectionUri}; a user and password in it are the default
 * @param user who connects; empty: whom the URI names, or nobody
 * @param password of the user; empty: none
 */
public record BrokerAccess(String uri, String user, String password) {
    /** A broker on this machine at its usual port. */
    public static final String DEFAULT_URI = "metaq://localhost:" + ConnectionUri.DEFAULT_PORT;

    /**
     * Checks the URI.
     *
     * @throws IllegalArgumentException if it is none; says what is wrong, never the password
     */
    public BrokerAccess {
        var unused = ConnectionUri.parse(uri);
    }

    /**
     * The same with what is given in place of its own. Null and empty are not given: servers pass
     * an empty user where none is configured. A user that a new URI names goes before its own.
     */
    public BrokerAccess with(
            @Nullable String newUri, @Nullable String newUser, @Nullable String newPassword) {
        String brokers = newUri == null || newUri.isEmpty() ? uri : newUri;
        if (newUser != null && !newUser.isEmpty()) {
            return new BrokerAccess(brokers, newUser, newPassword == null ? "" : newPassword);
        }
        boolean isUserInUri = !brokers.equals(uri) && ConnectionUri.parse(brokers).user() != null;
        return isUserInUri
                ? new BrokerAccess(brokers, "", "")
                : new BrokerAccess(brokers, user, password);
    }

    /**
     * The factory of its connections.
     *
     * @param defaults options that a connection has where the URI does not say otherwise
     */
    public MetaQConnectionFactory factory(Map<ConnectionOption, String> defaults) {
        Map<ConnectionOption, String> all = new EnumMap<>(ConnectionOption.class);
        all.putAll(defaults);
        return new MetaQConnectionFactory(ConnectionUri.withDefaults(uri, all));
    }

    /**
     * The same with a client id in place of the one that the URI may have.
     *
     * @param clientId empty: none
     */
    public BrokerAccess withClientId(String clientId) {
        String without = ConnectionUri.without(uri, ConnectionOption.CLIENT_ID);
        return new BrokerAccess(
                clientId.isEmpty()
                        ? without
                        : ConnectionUri.withDefaults(
                                without, Map.of(ConnectionOption.CLIENT_ID, clientId)),
                user,
                password);
    }

    /** Whether its connections have a client id, which one at a time can have. */
    public boolean hasClientId() {
        return ConnectionUri.parse(uri).clientId() != null;
    }

    /**
     * Connects for distributed transactions.
     *
     * @throws jakarta.jms.InvalidClientIDException if another connection has the client id
     * @throws JMSException if there is no connection
     */
    public MetaQXAConnection connect() throws JMSException {
        MetaQConnectionFactory factory = factory(Map.of());
        return user.isEmpty()
                ? factory.createXAConnection()
                : factory.createXAConnection(user, password);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return ConnectionUri.parse(uri) + (user.isEmpty() ? "" : " as " + user);
    }
}
