package org.metaq.ra.inbound;

import org.jspecify.annotations.Nullable;
import org.metaq.ra.jmx.Registration;

/** Shows an activation in JMX. Thread-safe, as the activation is. */
final class EndpointControl implements EndpointMBean {
    private final Activation activation;
    private final String endpointClass;
    private final String activationName;

    // Written before and after the activation's life, by its caller.
    private @Nullable Registration registration;

    EndpointControl(Activation activation, String endpointClass, String activationName) {
        this.activation = activation;
        this.endpointClass = endpointClass;
        this.activationName = activationName;
    }

    void register() {
        registration =
                Registration.of("type=Endpoint,name=" + endpointClass, EndpointMBean.class, this);
    }

    void unregister() {
        if (registration != null) {
            registration.close();
        }
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
