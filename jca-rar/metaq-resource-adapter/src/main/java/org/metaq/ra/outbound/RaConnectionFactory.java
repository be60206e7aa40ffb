package org.metaq.ra.outbound;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicConnectionFactory;
import jakarta.resource.Referenceable;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ConnectionManager;
import java.io.Serializable;
import javax.naming.Reference;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.session.JmsErrors;
import org.metaq.ra.broker.BrokerAccess;
import org.metaq.ra.broker.BrokerSource;

/**
 * The connection factory of applications: its connections come from the server's pool. Thread-safe;
 * equal if they lead to equal managed connections of the same pool.
 */
public final class RaConnectionFactory
        implements ConnectionFactory,
                QueueConnectionFactory,
                TopicConnectionFactory,
                BrokerSource,
                Referenceable,
                Serializable {
    private static final long serialVersionUID = 1;

    private final MetaQManagedConnectionFactory factory;
    private final ConnectionManager manager;
    private @Nullable Reference reference;

    /**
     * For a server.
     *
     * @param factory of the managed connections
     * @param manager the server's pool, serializable as Jakarta Connectors asks for
     */
    RaConnectionFactory(MetaQManagedConnectionFactory factory, ConnectionManager manager) {
        this.factory = factory;
        this.manager = manager;
    }

    private ConnectionHandle allocate(@Nullable String user, @Nullable String password)
            throws JMSException {
        ConnectionRequest request =
                user == null || user.isEmpty()
                        ? null
                        : new ConnectionRequest(user, password == null ? "" : password);
        try {
            return (ConnectionHandle) manager.allocateConnection(factory, request);
        } catch (ResourceException e) {
            throw Failures.of(e);
        }
    }

    @Override
    public Connection createConnection() throws JMSException {
        return allocate(null, null);
    }

    @Override
    public Connection createConnection(@Nullable String user, @Nullable String password)
            throws JMSException {
        return allocate(user, password);
    }

    @Override
    public QueueConnection createQueueConnection() throws JMSException {
        return allocate(null, null);
    }

    @Override
    public QueueConnection createQueueConnection(@Nullable String user, @Nullable String password)
            throws JMSException {
        return allocate(user, password);
    }

    @Override
    public TopicConnection createTopicConnection() throws JMSException {
        return allocate(null, null);
    }

    @Override
    public TopicConnection createTopicConnection(@Nullable String user, @Nullable String password)
            throws JMSException {
        return allocate(user, password);
    }

    @Override
    public JMSContext createContext() {
        return createContext(null, null);
    }

    /** The mode says nothing here, as with {@link Connection#createSession(int)}. */
    @Override
    public JMSContext createContext(int sessionMode) {
        return createContext(null, null);
    }

    @Override
    public JMSContext createContext(
            @Nullable String user, @Nullable String password, int sessionMode) {
        return createContext(user, password);
    }

    @Override
    public JMSContext createContext(@Nullable String user, @Nullable String password) {
        try {
            return allocate(user, password).asContext();
        } catch (JMSException e) {
            throw JmsErrors.unchecked(e);
        }
    }

    /** The broker that it leads to; an activation that names this factory uses it. */
    @Override
    public BrokerAccess brokerAccess() {
        return factory.brokerAccess();
    }

    // ---- as an object

    @Override
    public void setReference(@Nullable Reference newReference) {
        reference = newReference;
    }

    /** What the server has set; null: nothing yet. */
    @Override
    public @Nullable Reference getReference() {
        return reference;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RaConnectionFactory that
                && factory.equals(that.factory)
                && manager.equals(that.manager);
    }

    @Override
    public int hashCode() {
        return factory.hashCode();
    }

    @Override
    public String toString() {
        return "RaConnectionFactory[" + factory + "]";
    }
}
