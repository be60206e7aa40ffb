package org.metaq.jms.session;

import jakarta.jms.ConnectionConsumer;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.client.ReconnectingConnection;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection: one to the broker, and the sessions on it. Thread-safe: what changes is volatile or
 * concurrent, and {@code lifecycle} orders start, stop and close; no lock is held while sessions
 * are called, because their listeners may call back.
 */
public class MetaQConnection implements QueueConnection, TopicConnection {
    private static final Logger LOG = LoggerFactory.getLogger(MetaQConnection.class);

    private final ConnectionSettings settings;
    private final Domain domain;
    private final ReconnectingConnection link;
    private final String name;
    private final Destinations destinations;
    private final FailureReport failures;
    private final List<MetaQSession> sessions = new CopyOnWriteArrayList<>();
    private final AtomicInteger sessionNumbers = new AtomicInteger();
    private final AtomicInteger consumerIds = new AtomicInteger();
    private final AtomicInteger partitionTurns = new AtomicInteger();
    private final LostSends lostSends = new LostSends();
    private final Object lifecycle = new Object();

    // Written under lifecycle, read by any thread.
    private volatile boolean isStarted;
    private volatile boolean isClosed;
    private volatile boolean isUsed;
    private volatile String clientId;

    /** Connects. */
    MetaQConnection(ConnectionSettings settings, Domain domain) throws JMSException {
        this.settings = settings;
        this.domain = domain;
        this.link = connect(settings, new Recovery());
        this.name = link.current().connectionId();
        this.clientId = settings.client().clientId();
        this.destinations = new Destinations(this);
        this.failures = new FailureReport(name);
    }

    /**
     * Connects and opens a connection that is stopped.
     *
     * @throws jakarta.jms.JMSSecurityException if the broker refuses user or password
     * @throws InvalidClientIDException if the client id is in use
     * @throws JMSException if no broker can be reached
     */
    public static MetaQConnection open(ConnectionSettings settings, Domain domain)
            throws JMSException {
        MetaQConnection opened = new MetaQConnection(settings, domain);
        opened.watch();
        return opened;
    }

    private static ReconnectingConnection connect(
            ConnectionSettings settings, ReconnectingConnection.Listener listener)
            throws JMSException {
        try {
            return ReconnectingConnection.connect(
                    settings.client(), settings.reconnect(), listener);
        } catch (ClientException e) {
            throw JmsErrors.of("connect to " + settings.client().brokers(), e);
        }
    }

    /** Notices from now on when the connection is lost. */
    final void watch() {
        link.watch();
    }

    /**
     * Whether it has a broker, or will have one again: false once it is closed, or lost for good.
     * May be true for as long as nobody has noticed the loss.
     */
    public final boolean isConnected() {
        return !isClosed && (client().isOpen() || isRecoverable());
    }

    // ---- for sessions

    /** Something that a connection to the broker does. */
    @FunctionalInterface
    interface ClientCall<T> {
        T over(ClientConnection client) throws ClientException;
    }

    /** The connection to the broker in use; lost, perhaps. */
    ClientConnection client() {
        return link.current();
    }

    /**
     * A connection to the broker that lives; waits for it if it is made anew.
     *
     * @throws ClientException if there will be none
     */
    ClientConnection awaitClient() throws ClientException {
        return link.await();
    }

    /** Whether a lost connection is, or would be, followed by another. */
    boolean isRecoverable() {
        return link.isRecoverable();
    }

    /** Whether its close has begun. */
    boolean isClosed() {
        return isClosed;
    }

    /** How long a call may wait for a connection, milliseconds. */
    long patienceMs() {
        return link.patienceMs();
    }

    /**
     * Does what may be done twice, again on the next connection if this one is lost meanwhile.
     *
     * @throws ClientException as the call does, or if there will be no connection
     */
    <T> T repeatable(ClientCall<T> call) throws ClientException {
        while (true) {
            try {
                return call.over(awaitClient());
            } catch (ClientException e) {
                if (!e.isConnectionLost() || !isRecoverable()) {
                    throw e;
                }
                LOG.debug("{}: again on the next connection: {}", name, e.getMessage());
            }
        }
    }

    /** Its first connection id, unique for good: names threads and branches. */
    String name() {
        return name;
    }

    ConnectionSettings settings() {
        return settings;
    }

    Domain domain() {
        return domain;
    }

    Destinations destinations() {
        return destinations;
    }

    int nextConsumerId() {
        return consumerIds.incrementAndGet();
    }

    /** A turn in the round of partitions; &gt;= 0. */
    int nextPartitionTurn() {
        return partitionTurns.getAndIncrement() & Integer.MAX_VALUE;
    }

    /** Non-persistent messages of its sessions that may be lost. */
    LostSends lostSends() {
        return lostSends;
    }

    /** What names this connection's messages to noLocal consumers. */
    String origin() {
        return clientId.isEmpty() ? client().connectionId() : clientId;
    }

    boolean hasClientId() {
        return !clientId.isEmpty();
    }

    void remove(MetaQSession session) {
        sessions.remove(session);
    }

    /** Tells the exception listener, on a thread of its own. */
    void report(JMSException failure) {
        failures.report(failure);
    }

    /** The client id may no longer be set (Jakarta Messaging 3.1 §6.1.2). */
    void markUsed() {
        isUsed = true;
    }

    /** What a lost connection, and the next, mean for what is on it. */
    private final class Recovery implements ReconnectingConnection.Listener {
        @Override
        public void lost(ClientException why) {
            if (!isClosed) {
                LOG.warn("connection {} lost: {}", name, why.getMessage());
            }
            sessions.forEach(session -> session.core().connectionLost());
        }

        @Override
        public void prepare(ClientConnection next) throws ClientException {
            destinations.restore(client(), next);
        }

        @Override
        public void reconnected(ClientConnection next) {
            sessions.forEach(session -> session.core().follow());
        }

        @Override
        public void gaveUp(ClientException why) {
            sessions.forEach(session -> session.core().connectionEnded(why));
            if (!isClosed) {
                failures.report(JmsErrors.of("connection " + name, why));
            }
        }
    }

    final void checkOpen() throws IllegalStateException {
        if (isClosed) {
            throw new IllegalStateException("the connection is closed");
        }
    }

    // ---- sessions

    /**
     * Mode of a session from the two arguments of JMS 1.1.
     *
     * @throws JMSException if the mode is none
     */
    static AcknowledgeMode modeOf(boolean transacted, int acknowledgeMode) throws JMSException {
        return transacted
                ? AcknowledgeMode.TRANSACTED
                : AcknowledgeMode.ofCode(acknowledgeMode, false);
    }

    final <S extends MetaQSession> S add(S session) throws JMSException {
        sessions.add(session);
        if (isClosed) {
            session.close();
            checkOpen();
        }
        if (isStarted) {
            session.core().start();
        }
        return session;
    }

    /** A session that does not count as use of the connection; for contexts. */
    MetaQSession newSession(AcknowledgeMode mode, Domain sessionDomain) throws JMSException {
        checkOpen();
        return add(new MetaQSession(this, nextSessionNumber(), mode, sessionDomain));
    }

    final int nextSessionNumber() {
        return sessionNumbers.incrementAndGet();
    }

    @Override
    public Session createSession(boolean transacted, int acknowledgeMode) throws JMSException {
        markUsed();
        return newSession(modeOf(transacted, acknowledgeMode), domain);
    }

    @Override
    public Session createSession(int sessionMode) throws JMSException {
        markUsed();
        return newSession(AcknowledgeMode.ofCode(sessionMode, true), domain);
    }

    @Override
    public Session createSession() throws JMSException {
        return createSession(Session.AUTO_ACKNOWLEDGE);
    }

    @Override
    public QueueSession createQueueSession(boolean transacted, int acknowledgeMode)
            throws JMSException {
        markUsed();
        return newSession(modeOf(transacted, acknowledgeMode), Domain.QUEUE);
    }

    @Override
    public TopicSession createTopicSession(boolean transacted, int acknowledgeMode)
            throws JMSException {
        markUsed();
        return newSession(modeOf(transacted, acknowledgeMode), Domain.TOPIC);
    }

    // ---- identity

    @Override
    public @Nullable String getClientID() throws JMSException {
        checkOpen();
        return clientId.isEmpty() ? null : clientId;
    }

    @Override
    public void setClientID(@Nullable String newClientId) throws JMSException {
        checkOpen();
        if (newClientId == null || newClientId.isEmpty()) {
            throw new InvalidClientIDException("a client id must not be empty");
        }
        synchronized (lifecycle) {
            if (!clientId.isEmpty()) {
                throw new IllegalStateException("the client id is already " + clientId);
            }
            if (isUsed) {
                throw new IllegalStateException(
                        "the client id must be set before the connection is used");
            }
            try {
                // before the broker knows it, for a connection that is lost meanwhile
                link.setClientId(newClientId);
                claimClientId(newClientId);
            } catch (ClientException e) {
                throw JmsErrors.of("set the client id " + newClientId, e);
            }
            clientId = newClientId;
        }
    }

    private void claimClientId(String newClientId) throws ClientException {
        ClientConnection first = awaitClient();
        boolean isClaimed = false;
        try {
            first.call(new Command.SetClientId(newClientId, first.nextOpaque()));
            isClaimed = true;
        } catch (ClientException e) {
            // the next connection opens with the client id
            if (!e.isConnectionLost() || !isRecoverable() || awaitClient() == first) {
                throw e;
            }
            isClaimed = true;
        } finally {
            if (!isClaimed) {
                link.setClientId("");
            }
        }
    }

    @Override
    public ConnectionMetaData getMetaData() throws JMSException {
        checkOpen();
        return ConnectionMetadata.INSTANCE;
    }

    @Override
    public @Nullable ExceptionListener getExceptionListener() throws JMSException {
        checkOpen();
        return failures.listener();
    }

    @Override
    public void setExceptionListener(@Nullable ExceptionListener listener) throws JMSException {
        checkOpen();
        failures.setListener(listener);
    }

    // ---- life

    @Override
    public void start() throws JMSException {
        checkOpen();
        markUsed();
        synchronized (lifecycle) {
            isStarted = true;
        }
        for (MetaQSession session : sessions) {
            session.core().start();
        }
    }

    /**
     * Stops deliveries; when this returns no listener runs and no receive is being answered
     * (Jakarta Messaging 3.1 §6.1.5). A completion listener may call it: it is no message listener,
     * for whose end this waits.
     *
     * @throws IllegalStateException if called from a message listener of this connection
     */
    @Override
    public void stop() throws JMSException {
        checkOpen();
        markUsed();
        requireNoListener("stop", SessionCore::isMessageListenerThread);
        synchronized (lifecycle) {
            isStarted = false;
        }
        for (MetaQSession session : sessions) {
            session.core().stop();
        }
    }

    /**
     * Closes the sessions, each as {@link MetaQSession#close} says, then the connection. Temporary
     * destinations and transactions that are not prepared end with it. From any thread; a second
     * call does nothing.
     *
     * @throws IllegalStateException if called from a listener of this connection
     */
    @Override
    public void close() throws JMSException {
        requireNoListener("close", SessionCore::isCallbackThread);
        synchronized (lifecycle) {
            if (isClosed) {
                return;
            }
            isClosed = true;
        }
        if (!client().isOpen()) {
            // nobody shall wait for the next one
            link.stop();
            ClientException why =
                    ClientException.of(
                            ErrorCode.UNKNOWN_OUTCOME,
                            "connection " + name + " was closed while it had no broker");
            sessions.forEach(session -> session.core().connectionEnded(why));
        }
        for (MetaQSession session : sessions) {
            session.close();
        }
        link.close();
        lostSends.tell(name);
    }

    private void requireNoListener(String method, Predicate<SessionCore> isListenerOf)
            throws IllegalStateException {
        for (MetaQSession session : sessions) {
            if (isListenerOf.test(session.core())) {
                throw new IllegalStateException(
                        "a listener must not " + method + " its own connection");
            }
        }
    }

    // ---- application server facilities (Jakarta Messaging 3.1 §11.2)

    private ConnectionConsumer connectionConsumer(
            Subscription subscription, @Nullable ServerSessionPool pool, int maxMessages)
            throws JMSException {
        markUsed();
        return MetaQConnectionConsumer.open(this, subscription, pool, maxMessages);
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            @Nullable Destination destination,
            @Nullable String selector,
            @Nullable ServerSessionPool pool,
            int maxMessages)
            throws JMSException {
        checkOpen();
        return connectionConsumer(
                Subscription.unnamed(destination, selector, false), pool, maxMessages);
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            @Nullable Queue queue,
            @Nullable String selector,
            @Nullable ServerSessionPool pool,
            int maxMessages)
            throws JMSException {
        return createConnectionConsumer((Destination) queue, selector, pool, maxMessages);
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            @Nullable Topic topic,
            @Nullable String selector,
            @Nullable ServerSessionPool pool,
            int maxMessages)
            throws JMSException {
        return createConnectionConsumer((Destination) topic, selector, pool, maxMessages);
    }

    @Override
    public ConnectionConsumer createSharedConnectionConsumer(
            @Nullable Topic topic,
            @Nullable String subscription,
            @Nullable String selector,
            @Nullable ServerSessionPool pool,
            int maxMessages)
            throws JMSException {
        checkOpen();
        domain.requireNotQueueConnection("createSharedConnectionConsumer");
        return connectionConsumer(
                Subscription.named(topic, subscription, selector, false, true, false),
                pool,
                maxMessages);
    }

    @Override
    public ConnectionConsumer createDurableConnectionConsumer(
            @Nullable Topic topic,
            @Nullable String subscription,
            @Nullable String selector,
            @Nullable ServerSessionPool pool,
            int maxMessages)
            throws JMSException {
        checkOpen();
        domain.requireNotQueueConnection("createDurableConnectionConsumer");
        return connectionConsumer(
                Subscription.named(topic, subscription, selector, true, false, false),
                pool,
                maxMessages);
    }

    @Override
    public ConnectionConsumer createSharedDurableConnectionConsumer(
            @Nullable Topic topic,
            @Nullable String subscription,
            @Nullable String selector,
            @Nullable ServerSessionPool pool,
            int maxMessages)
            throws JMSException {
        checkOpen();
        domain.requireNotQueueConnection("createSharedDurableConnectionConsumer");
        return connectionConsumer(
                Subscription.named(topic, subscription, selector, true, true, false),
                pool,
                maxMessages);
    }
}
