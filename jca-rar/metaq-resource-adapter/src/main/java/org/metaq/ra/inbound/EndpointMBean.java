package org.metaq.ra.inbound;

/**
 * A message endpoint, for operators: {@code org.metaq.ra:type=Endpoint,name=<bean class>}. What is
 * changed here lasts until the endpoint is deactivated.
 */
public interface EndpointMBean {
    /** CONNECTING, RUNNING, PAUSED (by an operator), BREAKER_OPEN or STOPPED. */
    String getState();

    /** Class of the bean. */
    String getEndpointClass();

    /** How the server names the activation. */
    String getActivationName();

    /** Kind and name of what it listens to. */
    String getDestination();

    /** The broker, without the password. */
    String getBroker();

    /** Messages that it can work on at a time; 0 while there is no connection. */
    int getSessionCount();

    /** Sessions that have a thread just now. */
    int getBusySessionCount();

    /** Messages that it dealt with. */
    long getDeliveredCount();

    /** Deliveries that failed, or were rolled back. */
    long getFailedCount();

    /** Deliveries that failed with no success since. */
    int getFailuresInARow();

    /** CLOSED, OPEN or HALF_OPEN. */
    String getBreakerState();

    /** When and how the last delivery or connect failed; empty: none has. */
    String getLastFailure();

    /** Stops deliveries; what is being delivered goes on. Messages stay at the broker. */
    void pause();

    /** Ends a {@link #pause}. */
    void resume();
}
