package org.metaq.ra;

/**
 * The resource adapter, for operators: {@code org.metaq.ra:type=ResourceAdapter}, and {@code
 * ,instance=2} and so on for further ones.
 */
public interface ResourceAdapterMBean {
    /** The broker, without the password. */
    String getBroker();

    /**
     * Sees whether transactions and their recovery work in this server. Takes some seconds, longer
     * if the broker is away. Leaves a prepared branch for the server's recovery, which the next
     * check looks for.
     *
     * @param connectionFactoryName JNDI name, as applications look it up outside of {@code
     *     java:comp}
     * @return a line for each step, which begins with OK, WAITING or FAILED; then one for all
     */
    String selfCheck(String connectionFactoryName);
}
