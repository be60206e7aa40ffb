package org.metaq.jms;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicConnectionFactory;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueConnectionFactory;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicConnectionFactory;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;
import org.jspecify.annotations.Nullable;
import org.metaq.client.Address;
import org.metaq.client.ClientOptions;
import org.metaq.client.ReconnectPolicy;
import org.metaq.jms.message.AllowList;
import org.metaq.jms.session.ConnectionSettings;
import org.metaq.jms.session.Contexts;
import org.metaq.jms.session.Domain;
import org.metaq.jms.session.MetaQConnection;
import org.metaq.jms.session.MetaQXAConnection;

/**
 * Makes connections of every kind to the brokers that its {@link ConnectionUri} names. Immutable;
 * serializable and referenceable, both as the URI, so that a name service can keep it (with the
 * password, if the URI has one).
 */
public final class MetaQConnectionFactory
        implements ConnectionFactory,
                QueueConnectionFactory,
                TopicConnectionFactory,
                XAConnectionFactory,
                XAQueueConnectionFactory,
                XATopicConnectionFactory,
                Referenceable,
                Serializable {
    /** Address of a {@link Reference} that holds the URI. */
    public static final String REFERENCE_URI = "uri";

    /**
     * System property with classes that object messages may hold, besides those of the URI; form as
     * the option {@code allowedClasses}.
     */
    public static final String ALLOWED_CLASSES_PROPERTY = "org.metaq.jms.allowedClasses";

    private static final String OBJECT_FACTORY = "org.metaq.jms.jndi.MetaQObjectFactory";
    private static final long serialVersionUID = 1;

    private final String uri;
    private transient @Nullable ConnectionUri parsed;

    /**
     * A factory for brokers.
     *
     * @param uri see {@link ConnectionUri}
     * @throws IllegalArgumentException if it is not such a URI
     */
    public MetaQConnectionFactory(String uri) {
        this.uri = uri;
        this.parsed = ConnectionUri.parse(uri);
    }

    /** The same without a client id; equal to this factory exactly if it has none. */
    public MetaQConnectionFactory withoutClientId() {
        return new MetaQConnectionFactory(ConnectionUri.without(uri, ConnectionOption.CLIENT_ID));
    }

    /** The parsed URI. Parsed anew after deserialization; two threads may both do that. */
    private ConnectionUri parsed() {
        ConnectionUri known = parsed;
        if (known == null) {
            known = ConnectionUri.parse(uri);
            parsed = known;
        }
        return known;
    }

    private ConnectionSettings settings(@Nullable String user, @Nullable String password)
            throws JMSException {
        ConnectionUri from = parsed();
        List<Address> brokers =
                from.servers().stream().map(s -> new Address(s.host(), s.port())).toList();
        ClientOptions client =
                ClientOptions.builder(brokers)
                        .credentials(orEmpty(user), orEmpty(password))
                        .clientId(orEmpty(from.clientId()))
                        .connectTimeoutMs(from.connectTimeoutMs())
                        .callTimeoutMs(from.callTimeoutMs())
                        .heartbeatMs(from.heartbeatMs())
                        .sendWindowBytes(from.sendWindowBytes())
                        .build();
        return new ConnectionSettings(
                client, reconnect(from), from.prefetch(), allowList(from), from.redelivery());
    }

    private static ReconnectPolicy reconnect(ConnectionUri from) {
        return new ReconnectPolicy(
                from.isReconnecting(),
                from.reconnectDelayMs(),
                from.reconnectMaxDelayMs(),
                from.reconnectTimeoutMs());
    }

    private static AllowList allowList(ConnectionUri from) throws JMSException {
        String property = System.getProperty(ALLOWED_CLASSES_PROPERTY, "");
        if (property.isBlank()) {
            return from.allowList();
        }
        try {
            return AllowList.parse(from.value(ConnectionOption.ALLOWED_CLASSES) + "," + property);
        } catch (IllegalArgumentException e) {
            JMSException failure =
                    new JMSException(
                            "system property " + ALLOWED_CLASSES_PROPERTY + ": " + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private MetaQConnection open(@Nullable String user, @Nullable String password, Domain domain)
            throws JMSException {
        return MetaQConnection.open(settings(user, password), domain);
    }

    private MetaQXAConnection openXa(
            @Nullable String user, @Nullable String password, Domain domain) throws JMSException {
        return MetaQXAConnection.open(settings(user, password), domain);
    }

    // ---- plain

    @Override
    public Connection createConnection() throws JMSException {
        return createConnection(parsed().user(), parsed().password());
    }

    @Override
    public Connection createConnection(@Nullable String user, @Nullable String password)
            throws JMSException {
        return open(user, password, Domain.UNIFIED);
    }

    @Override
    public QueueConnection createQueueConnection() throws JMSException {
        return createQueueConnection(parsed().user(), parsed().password());
    }

    @Override
    public QueueConnection createQueueConnection(@Nullable String user, @Nullable String password)
            throws JMSException {
        return open(user, password, Domain.QUEUE);
    }

    @Override
    public TopicConnection createTopicConnection() throws JMSException {
        return createTopicConnection(parsed().user(), parsed().password());
    }

    @Override
    public TopicConnection createTopicConnection(@Nullable String user, @Nullable String password)
            throws JMSException {
        return open(user, password, Domain.TOPIC);
    }

    @Override
    public JMSContext createContext() {
        return createContext(JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        return createContext(parsed().user(), parsed().password(), sessionMode);
    }

    @Override
    public JMSContext createContext(@Nullable String user, @Nullable String password) {
        return createContext(user, password, JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(
            @Nullable String user, @Nullable String password, int sessionMode) {
        return Contexts.open(() -> open(user, password, Domain.UNIFIED), sessionMode);
    }

    // ---- XA

    @Override
    public MetaQXAConnection createXAConnection() throws JMSException {
        return createXAConnection(parsed().user(), parsed().password());
    }

    @Override
    public MetaQXAConnection createXAConnection(@Nullable String user, @Nullable String password)
            throws JMSException {
        return openXa(user, password, Domain.UNIFIED);
    }

    @Override
    public XAQueueConnection createXAQueueConnection() throws JMSException {
        return createXAQueueConnection(parsed().user(), parsed().password());
    }

    @Override
    public XAQueueConnection createXAQueueConnection(
            @Nullable String user, @Nullable String password) throws JMSException {
        return openXa(user, password, Domain.QUEUE);
    }

    @Override
    public XATopicConnection createXATopicConnection() throws JMSException {
        return createXATopicConnection(parsed().user(), parsed().password());
    }

    @Override
    public XATopicConnection createXATopicConnection(
            @Nullable String user, @Nullable String password) throws JMSException {
        return openXa(user, password, Domain.TOPIC);
    }

    @Override
    public XAJMSContext createXAContext() {
        return createXAContext(parsed().user(), parsed().password());
    }

    @Override
    public XAJMSContext createXAContext(@Nullable String user, @Nullable String password) {
        return Contexts.openXa(() -> openXa(user, password, Domain.UNIFIED));
    }

    // ---- as an object

    /** What a name service stores; {@code MetaQObjectFactory} makes the factory from it. */
    @Override
    public Reference getReference() {
        return new Reference(
                MetaQConnectionFactory.class.getName(),
                new StringRefAddr(REFERENCE_URI, uri),
                OBJECT_FACTORY,
                null);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MetaQConnectionFactory that && uri.equals(that.uri);
    }

    @Override
    public int hashCode() {
        return Objects.hash(uri);
    }

    /** The URI, without the password. */
    @Override
    public String toString() {
        return "MetaQConnectionFactory[" + parsed() + "]";
    }
}
