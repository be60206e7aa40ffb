package org.metaq.ra.inbound;

import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanRegistrationException;
import javax.management.MBeanServer;
import javax.management.NotCompliantMBeanException;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows an activation in JMX. Thread-safe, as the activation is. */
final class EndpointControl implements EndpointMBean {
    private static final Logger LOG = LoggerFactory.getLogger(EndpointControl.class);

    /** A bean has one activation, or few. */
    private static final int INSTANCES_MAX = 1000;

    private final Activation activation;
    private final String endpointClass;
    private final String activationName;

    // Written before and after the activation's life, by its caller.
    private @Nullable ObjectName name;

    EndpointControl(Activation activation, String endpointClass, String activationName) {
        this.activation = activation;
        this.endpointClass = endpointClass;
        this.activationName = activationName;
    }

    /** An endpoint that cannot be shown works all the same. */
    void register() {
        try {
            for (int i = 1; name == null && i <= INSTANCES_MAX; i++) {
                name = tryRegister(objectName(i));
            }
        } catch (JMException e) {
            LOG.warn("the endpoint {} is not shown in JMX: {}", endpointClass, e.toString());
        }
    }

    /** Another activation of the bean may have the name. */
    private @Nullable ObjectName tryRegister(ObjectName wanted)
            throws MBeanRegistrationException, NotCompliantMBeanException {
        try {
            server().registerMBean(new StandardMBean(this, EndpointMBean.class), wanted);
            return wanted;
        } catch (InstanceAlreadyExistsException e) {
            return null;
        }
    }

    private ObjectName objectName(int instance) throws JMException {
        String first = "org.metaq.ra:type=Endpoint,name=" + endpointClass;
        return new ObjectName(instance == 1 ? first : first + ",instance=" + instance);
    }

    void unregister() {
        if (name == null) {
            return;
        }
        try {
            server().unregisterMBean(name);
        } catch (InstanceNotFoundException | MBeanRegistrationException e) {
            LOG.debug("{} was gone from JMX: {}", name, e.toString());
        }
        name = null;
    }

    private static MBeanServer server() {
        return ManagementFactory.getPlatformMBeanServer();
    }

    @Override
    public String getState() {
        return activation.state().name();
    }

    @Override
    public String getEndpointClass() {
        return endpointClass;
    }

    @Override
    public String getActivationName() {
        return activationName;
    }

    @Override
    public String getDestination() {
        return activation.target().destination().toString();
    }

    @Override
    public String getBroker() {
        return activation.target().broker().toString();
    }

    @Override
    public int getSessionCount() {
        EndpointConnection connection = activation.connection();
        return connection == null ? 0 : connection.works().size();
    }

    @Override
    public int getBusySessionCount() {
        EndpointConnection connection = activation.connection();
        return connection == null ? 0 : connection.busyCount();
    }

    @Override
    public long getDeliveredCount() {
        return activation.counts().delivered();
    }

    @Override
    public long getFailedCount() {
        return activation.counts().failed();
    }

    @Override
    public int getFailuresInARow() {
        return activation.breaker().failuresInARow();
    }

    @Override
    public String getBreakerState() {
        return activation.breaker().state().name();
    }

    @Override
    public String getLastFailure() {
        return activation.counts().lastFailure();
    }

    @Override
    public void pause() {
        activation.pause();
    }

    @Override
    public void resume() {
        activation.resume();
    }
}
