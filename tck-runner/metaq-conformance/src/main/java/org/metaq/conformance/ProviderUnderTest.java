package org.metaq.conformance;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnectionFactory;
import jakarta.jms.XAConnectionFactory;
import java.util.Map;
import java.util.Set;

/**
 * A provider as the suite needs it: what an administrator would do, and nothing else. One instance
 * serves all tests, from several threads at once. It is found as a service, or by the name of its
 * class in the system property {@value #CLASS_PROPERTY}; it needs a public constructor without
 * parameters, which starts what has to be started and throws if it cannot.
 */
public interface ProviderUnderTest extends AutoCloseable {
    /** System property that names the class of the adapter, if there are several. */
    String CLASS_PROPERTY = "conformance.provider";

    /** Short name for reports. */
    String name();

    /** What it has of what is optional. */
    Set<Feature> features();

    /**
     * Tests of the suite that the provider is known to fail: {@code Class.method}, or for one
     * invocation of a parameterized one {@code Class.method: display name}, to the reason. Such a
     * test is reported as a difference; one without parameters fails if it passes.
     */
    default Map<String, String> knownDifferences() {
        return Map.of();
    }

    /** Connections without a client id, for users who may do everything. */
    ConnectionFactory connectionFactory();

    /** A factory of which the administrator has set the client id. */
    ConnectionFactory connectionFactory(String clientId);

    /** For the domain-specific API; connections without a client id. */
    QueueConnectionFactory queueConnectionFactory();

    /** For the domain-specific API; connections without a client id. */
    TopicConnectionFactory topicConnectionFactory();

    /** Asked for with {@link Feature#XA} only. */
    XAConnectionFactory xaConnectionFactory();

    /** A queue that is empty and that no other test uses. */
    Queue newQueue();

    /** A topic that has no subscriptions and that no other test uses. */
    Topic newTopic();

    /**
     * Who connects.
     *
     * @param user name
     * @param password of the user
     */
    record Credentials(String user, String password) {}

    /** A user who may do everything. */
    default Credentials acceptedCredentials() {
        return new Credentials("user", "password");
    }

    /** What the provider does not accept. Asked for with {@link Feature#AUTHENTICATION} only. */
    default Credentials rejectedCredentials() {
        throw new UnsupportedOperationException(name() + " does not check users");
    }

    /**
     * Stops the broker in an orderly way and starts it again with its data; back when it serves.
     * Open connections are lost. Asked for with {@link Feature#RESTART} only, while no other test
     * runs.
     */
    default void restartBroker() {
        throw new UnsupportedOperationException("no restart of the broker of " + name());
    }

    /** Ends what the constructor started. */
    @Override
    void close();
}
