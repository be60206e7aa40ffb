package org.metaq.ra;

import jakarta.jms.JMSException;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ActivationSpec;
import jakarta.resource.spi.BootstrapContext;
import jakarta.resource.spi.IllegalStateException;
import jakarta.resource.spi.ResourceAdapter;
import jakarta.resource.spi.ResourceAdapterInternalException;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import java.io.Serializable;
import java.util.Objects;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.ConnectionUri;
import org.metaq.jms.session.MetaQXAConnection;
import org.metaq.ra.broker.BrokerAccess;
import org.metaq.ra.broker.BrokerSource;
import org.metaq.ra.broker.OpenConnections;
import org.metaq.ra.inbound.Endpoints;
import org.metaq.ra.jmx.Registration;

/**
 * What an application server starts: the broker that connection factories and activations use where
 * they name no other, the message endpoints, and recovery. A bean: its properties, which are those
 * of {@code ra.xml}, are set before it is started.
 *
 * <p>Thread-safe once it is started. Equal if the properties are.
 */
public final class MetaQResourceAdapter implements ResourceAdapter, BrokerSource, Serializable {
    private static final long serialVersionUID = 1;

    private String connectionUri = BrokerAccess.DEFAULT_URI;
    private String userName = "";
    private String password = "";

    // Written by the server's thread that starts and stops, read by those that deploy and recover.
    private transient volatile @Nullable Endpoints endpoints;
    private transient volatile @Nullable Recovery recovery;
    private transient volatile @Nullable OpenConnections pooled;
    private transient volatile @Nullable Registration registration;

    /** A broker on this machine, until it is told another. */
    public MetaQResourceAdapter() {}

    // ---- properties

    /** See {@link #setConnectionUri}. */
    public String getConnectionUri() {
        return connectionUri;
    }

    /**
     * Where the brokers are, a {@link ConnectionUri}.
     *
     * @param connectionUri null or empty: the default, {@value BrokerAccess#DEFAULT_URI}
     * @throws IllegalArgumentException if it is no such URI
     */
    public void setConnectionUri(@Nullable String connectionUri) {
        String given =
                connectionUri == null || connectionUri.isEmpty()
                        ? BrokerAccess.DEFAULT_URI
                        : connectionUri;
        var unused = ConnectionUri.parse(given);
        this.connectionUri = given;
    }

    /** See {@link #setUserName}. */
    public String getUserName() {
        return userName;
    }

    /**
     * Who connects where nobody else is named, also to recover transactions.
     *
     * @param userName null or empty, the default: the one of the URI, or nobody
     */
    public void setUserName(@Nullable String userName) {
        this.userName = userName == null ? "" : userName;
    }

    /** The same as {@link #getUserName}. */
    public String getUser() {
        return getUserName();
    }

    /** The same as {@link #setUserName}. */
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
        this.password = password == null ? "" : password;
    }

    @Override
    public BrokerAccess brokerAccess() {
        return new BrokerAccess(connectionUri, userName, password);
    }

    @Override
    public MetaQXAConnection connect(BrokerAccess access) throws JMSException {
        OpenConnections open = pooled;
        return open == null ? access.connect() : open.open(access);
    }

    // ---- life

    @Override
    public void start(BootstrapContext context) throws ResourceAdapterInternalException {
        endpoints = new Endpoints(context, this);
        recovery = new Recovery();
        pooled = new OpenConnections();
        registration =
                Registration.of(
                        "type=ResourceAdapter",
                        ResourceAdapterMBean.class,
                        new ResourceAdapterControl(this, context));
    }

    /** Ends all activations and closes all connections; returns in bounded time. */
    @Override
    public void stop() {
        Registration shown = registration;
        registration = null;
        if (shown != null) {
            shown.close();
        }
        Endpoints ended = endpoints;
        endpoints = null;
        if (ended != null) {
            ended.stop();
        }
        Recovery closed = recovery;
        recovery = null;
        if (closed != null) {
            closed.close();
        }
        OpenConnections left = pooled;
        if (left != null) {
            left.close();
        }
    }

    @Override
    public void endpointActivation(MessageEndpointFactory factory, ActivationSpec spec)
            throws ResourceException {
        Endpoints started = endpoints;
        if (started == null) {
            throw new IllegalStateException("the resource adapter is not started");
        }
        started.activate(factory, spec);
    }

    @Override
    public void endpointDeactivation(MessageEndpointFactory factory, ActivationSpec spec) {
        Endpoints started = endpoints;
        if (started != null) {
            started.deactivate(factory, spec);
        }
    }

    /**
     * A resource for each broker that this and the activations name. Each connects when it is first
     * used, and again after a loss; while its broker is away it answers XAER_RMFAIL.
     */
    @Override
    public XAResource[] getXAResources(ActivationSpec @Nullable [] specs) {
        Recovery started = recovery;
        Endpoints active = endpoints;
        return started == null || active == null
                ? new XAResource[0]
                : started.resources(this, specs, active.brokers());
    }

    // ---- as an object

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MetaQResourceAdapter that
                && connectionUri.equals(that.connectionUri)
                && userName.equals(that.userName)
                && password.equals(that.password);
    }

    @Override
    public int hashCode() {
        return Objects.hash(connectionUri, userName, password);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "MetaQResourceAdapter[" + brokerAccess() + "]";
    }
}
