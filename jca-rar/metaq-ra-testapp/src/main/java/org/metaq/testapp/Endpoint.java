package org.metaq.testapp;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The endpoint of a message-driven bean, as the resource adapter shows it in JMX.
 *
 * @param bean the bean's simple class name
 */
record Endpoint(String bean) {
    /** The value of an attribute. */
    String get(String attribute) {
        try {
            return server().getAttribute(name(), attribute).toString();
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs an operation without parameters. */
    void run(String operation) {
        try {
            server().invoke(name(), operation, new Object[0], new String[0]);
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    private ObjectName name() throws JMException {
        return new ObjectName("org.metaq.ra:type=Endpoint,name=org.metaq.testapp." + bean);
    }

    private static MBeanServer server() {
        return ManagementFactory.getPlatformMBeanServer();
    }
}
