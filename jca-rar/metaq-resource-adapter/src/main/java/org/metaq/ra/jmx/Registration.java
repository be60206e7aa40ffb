package org.metaq.ra.jmx;

import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanRegistrationException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Something that JMX shows, until this is closed. Thread-safe: guarded by itself. */
public final class Registration implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Registration.class);

    /** A bean has one activation, or few; so has a server adapters. */
    private static final int INSTANCES_MAX = 1000;

    private @Nullable ObjectName name;

    private Registration(@Nullable ObjectName name) {
        this.name = name;
    }

    /**
     * Shows it as {@code org.metaq.ra:<properties>}; with {@code ,instance=2} and so on if others
     * have that name. What cannot be shown works all the same.
     *
     * @param properties of the name, such as {@code type=Endpoint,name=OrderBean}
     * @param type the interface of which the attributes and operations are
     */
    public static <T> Registration of(String properties, Class<T> type, T shown) {
        try {
            StandardMBean bean = new StandardMBean(shown, type);
            for (int i = 1; i <= INSTANCES_MAX; i++) {
                String instance = i == 1 ? "" : ",instance=" + i;
                ObjectName wanted = new ObjectName("org.metaq.ra:" + properties + instance);
                if (isRegistered(bean, wanted)) {
                    return new Registration(wanted);
                }
            }
        } catch (JMException e) {
            LOG.warn("{} is not shown in JMX: {}", properties, e.toString());
        }
        return new Registration(null);
    }

    private static boolean isRegistered(StandardMBean bean, ObjectName wanted) throws JMException {
        try {
            server().registerMBean(bean, wanted);
            return true;
        } catch (InstanceAlreadyExistsException e) {
            return false;
        }
    }

    @Override
    public synchronized void close() {
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
}
