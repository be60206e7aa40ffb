package org.metaq.ra.broker;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.ConnectionOption;
import org.metaq.jms.ConnectionUri;
import org.metaq.jms.MetaQConnectionFactory;

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
     * an empty user where none is configured.
     */
    public BrokerAccess with(
            @Nullable String newUri, @Nullable String newUser, @Nullable String newPassword) {
        String brokers = newUri == null || newUri.isEmpty() ? uri : newUri;
        if (newUser == null || newUser.isEmpty()) {
            return new BrokerAccess(brokers, user, password);
        }
        return new BrokerAccess(brokers, newUser, newPassword == null ? "" : newPassword);
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

    /** Without the password. */
    @Override
    public String toString() {
        return ConnectionUri.parse(uri) + (user.isEmpty() ? "" : " as " + user);
    }
}
