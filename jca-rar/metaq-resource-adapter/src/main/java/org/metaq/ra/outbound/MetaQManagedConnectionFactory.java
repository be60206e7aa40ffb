package org.metaq.ra.outbound;

import jakarta.jms.JMSException;
import jakarta.resource.NotSupportedException;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ConnectionManager;
import jakarta.resource.spi.ConnectionRequestInfo;
import jakarta.resource.spi.IllegalStateException;
import jakarta.resource.spi.ManagedConnection;
import jakarta.resource.spi.ManagedConnectionFactory;
import jakarta.resource.spi.ResourceAdapter;
import jakarta.resource.spi.ResourceAdapterAssociation;
import jakarta.resource.spi.ValidatingManagedConnectionFactory;
import jakarta.resource.spi.security.PasswordCredential;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import javax.security.auth.Subject;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.ConnectionUri;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.session.MetaQXAConnection;
import org.metaq.ra.broker.BrokerAccess;
import org.metaq.ra.broker.BrokerSource;

/**
 * Makes the managed connections of one pool. A bean: its properties, which are those of {@code
 * ra.xml}, are set before its first use. What it does not say the resource adapter says.
 *
 * <p>Thread-safe once it is configured. Equal if class, properties and resource adapter are.
 */
public class MetaQManagedConnectionFactory
        implements ManagedConnectionFactory,
                ResourceAdapterAssociation,
                ValidatingManagedConnectionFactory,
                BrokerSource {
    /** Sessions that share a connection, where nothing else is said. */
    public static final int DEFAULT_SESSIONS_PER_CONNECTION = 16;

    /** The most sessions that can share a connection. */
    public static final int SESSIONS_PER_CONNECTION_MAX = 1000;

    private static final long serialVersionUID = 1;

    private String connectionUri = "";
    private String userName = "";
    private String password = "";
    private String clientId = "";
    private int sessionsPerConnection = DEFAULT_SESSIONS_PER_CONNECTION;
    private @Nullable ResourceAdapter resourceAdapter;
    private transient @Nullable PrintWriter logWriter;

    /** Guarded by this; made at the first use, when the properties are known. */
    private transient @Nullable PhysicalConnections connections;

    /** With the properties of the resource adapter, until it is told others. */
    public MetaQManagedConnectionFactory() {}

    // ---- properties

    /** See {@link #setConnectionUri}. */
    public String getConnectionUri() {
        return connectionUri;
    }

    /**
     * Where the brokers are, a {@link ConnectionUri}.
     *
     * @param connectionUri null or empty, the default: the resource adapter's
     * @throws IllegalArgumentException if it is no such URI
     */
    public void setConnectionUri(@Nullable String connectionUri) {
        String given = orEmpty(connectionUri);
        if (!given.isEmpty()) {
            var unused = ConnectionUri.parse(given);
        }
        this.connectionUri = given;
    }

    /** See {@link #setUserName}. */
    public String getUserName() {
        return userName;
    }

    /**
     * Who connects, where neither the server nor the application says it.
     *
     * @param userName null or empty, the default: the resource adapter's
     */
    public void setUserName(@Nullable String userName) {
        this.userName = orEmpty(userName);
    }

    /** The same as {@link #getUserName}. */
    public String getUser() {
        return getUserName();
    }

    /** The same as {@link #setUserName}: what {@code @JMSConnectionFactoryDefinition} sets. */
    public void setUser(@Nullable String user) {
        setUserName(user);
    }

    /** See {@link #setPassword}. */
    public String getPassword() {
        return password;
    }

    /**
     * The password of {@link #setUserName}.
     *
     * @param password null or empty, the default: none
     */
    public void setPassword(@Nullable String password) {
        this.password = orEmpty(password);
    }

    /** See {@link #setClientId}. */
    public String getClientId() {
        return clientId;
    }

    /**
     * The client id, which only one connection to a broker can have: all managed connections of
     * this factory share that one.
     *
     * @param clientId null or empty, the default: the one of the connection URI, if it has one
     */
    public void setClientId(@Nullable String clientId) {
        this.clientId = orEmpty(clientId);
    }

    /** See {@link #setSessionsPerConnection}. */
    public Integer getSessionsPerConnection() {
        return sessionsPerConnection;
    }

    /**
     * How many managed connections, which are a session each, may share a connection to the broker.
     * Fewer spread large loads over more connections. Without effect if there is a client id.
     *
     * @param sessionsPerConnection 1..1000; default 16
     * @throws IllegalArgumentException if it is out of that range
     */
    public void setSessionsPerConnection(Integer sessionsPerConnection) {
        if (sessionsPerConnection < 1 || sessionsPerConnection > SESSIONS_PER_CONNECTION_MAX) {
            throw new IllegalArgumentException(
                    "sessionsPerConnection="
                            + sessionsPerConnection
                            + " is not in 1 to "
                            + SESSIONS_PER_CONNECTION_MAX);
        }
        this.sessionsPerConnection = sessionsPerConnection;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    @Override
    public @Nullable ResourceAdapter getResourceAdapter() {
        return resourceAdapter;
    }

    /**
     * By the server, once.
     *
     * @throws IllegalStateException if there is one already
     * @throws ResourceException if it is not MetaQ's
     */
    @Override
    public void setResourceAdapter(ResourceAdapter resourceAdapter) throws ResourceException {
        if (!(resourceAdapter instanceof BrokerSource)) {
            throw new ResourceException("not the resource adapter of MetaQ: " + resourceAdapter);
        }
        if (this.resourceAdapter != null && !resourceAdapter.equals(this.resourceAdapter)) {
            throw new IllegalStateException("the factory has a resource adapter already");
        }
        this.resourceAdapter = resourceAdapter;
    }

    // ---- connections

    /**
     * Whom to connect to, and as whom: the server's credentials, else the application's, else the
     * configured ones.
     */
    BrokerAccess access(@Nullable Subject subject, @Nullable ConnectionRequestInfo request) {
        BrokerAccess configured =
                clientId.isEmpty() ? brokerAccess() : brokerAccess().withClientId(clientId);
        PasswordCredential credential = credential(subject);
        if (credential != null) {
            return configured.with(
                    null, credential.getUserName(), new String(credential.getPassword()));
        }
        if (request instanceof ConnectionRequest wanted) {
            return configured.with(null, wanted.user(), wanted.password());
        }
        return configured;
    }

    /**
     * Whom to connect to, as it is configured here or at the resource adapter; without the client
     * id of this factory, which is for its own connection.
     *
     * @throws java.lang.IllegalStateException if the server has not yet set the resource adapter
     */
    @Override
    public BrokerAccess brokerAccess() {
        return source().brokerAccess().with(connectionUri, userName, password);
    }

    @Override
    public MetaQXAConnection connect(BrokerAccess access) throws JMSException {
        return source().connect(access);
    }

    private BrokerSource source() {
        if (!(resourceAdapter instanceof BrokerSource source)) {
            throw new java.lang.IllegalStateException(
                    "the connection factory has no resource adapter yet");
        }
        return source;
    }

    /** That of the server for this factory; servers pass an empty user where none is configured. */
    private @Nullable PasswordCredential credential(@Nullable Subject subject) {
        if (subject == null) {
            return null;
        }
        return subject.getPrivateCredentials(PasswordCredential.class).stream()
                .filter(each -> equals(each.getManagedConnectionFactory()))
                .filter(each -> !orEmpty(each.getUserName()).isEmpty())
                .findFirst()
                .orElse(null);
    }

    @Override
    public ManagedConnection createManagedConnection(
            @Nullable Subject subject, @Nullable ConnectionRequestInfo request)
            throws ResourceException {
        return MetaQManagedConnection.open(this, access(subject, request), connections());
    }

    private synchronized PhysicalConnections connections() {
        PhysicalConnections known = connections;
        if (known == null) {
            known = new PhysicalConnections(this::connect, sessionsPerConnection);
            connections = known;
        }
        return known;
    }

    /** Connections to brokers that are open for this factory. */
    int connectionCount() {
        return connections().count();
    }

    @Override
    @SuppressWarnings("rawtypes") // as Jakarta Connectors has it
    public @Nullable ManagedConnection matchManagedConnections(
            Set candidates, @Nullable Subject subject, @Nullable ConnectionRequestInfo request) {
        BrokerAccess wanted = access(subject, request);
        for (Object candidate : candidates) {
            if (candidate instanceof MetaQManagedConnection connection
                    && connection.access().equals(wanted)) {
                return connection;
            }
        }
        return null;
    }

    /** Those whose connection is lost. They would be made good at their next use, too. */
    @Override
    @SuppressWarnings("rawtypes") // as Jakarta Connectors has it
    public Set<Object> getInvalidConnections(Set candidates) {
        Set<Object> invalid = new HashSet<>();
        for (Object candidate : candidates) {
            if (candidate instanceof MetaQManagedConnection connection
                    && !connection.isConnected()) {
                invalid.add(connection);
            }
        }
        return invalid;
    }

    @Override
    public Object createConnectionFactory(ConnectionManager manager) {
        return new RaConnectionFactory(this, manager);
    }

    /**
     * There is no use without a server.
     *
     * @throws NotSupportedException always
     */
    @Override
    public Object createConnectionFactory() throws NotSupportedException {
        throw new NotSupportedException(
                "the resource adapter is for application servers; elsewhere use "
                        + MetaQConnectionFactory.class.getName());
    }

    /** Kept for the server; messages go to the log. */
    @Override
    public void setLogWriter(@Nullable PrintWriter out) {
        logWriter = out;
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return logWriter;
    }

    // ---- as an object

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MetaQManagedConnectionFactory that
                && getClass() == that.getClass()
                && connectionUri.equals(that.connectionUri)
                && userName.equals(that.userName)
                && password.equals(that.password)
                && clientId.equals(that.clientId)
                && sessionsPerConnection == that.sessionsPerConnection
                && Objects.equals(resourceAdapter, that.resourceAdapter);
    }

    /** Of the properties only, so that it stays the same when the resource adapter is set. */
    @Override
    public int hashCode() {
        return Objects.hash(
                getClass(), connectionUri, userName, password, clientId, sessionsPerConnection);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return getClass().getSimpleName()
                + "["
                + (connectionUri.isEmpty() ? "" : ConnectionUri.parse(connectionUri))
                + (userName.isEmpty() ? "" : " as " + userName)
                + (clientId.isEmpty() ? "" : ", client id " + clientId)
                + "]";
    }
}
