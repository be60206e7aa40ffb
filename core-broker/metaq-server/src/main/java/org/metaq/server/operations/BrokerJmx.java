package org.metaq.server.operations;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The beans of one broker in the platform's MBean server. Their names hold broker id and port,
 * which no two brokers of a JVM share. Thread-safe.
 */
final class BrokerJmx implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerJmx.class);

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final List<ObjectName> registered = new ArrayList<>();

    private BrokerJmx() {}

    /** Registers the beans; a name that is taken is logged and left out. */
    static BrokerJmx register(
            int brokerId, int port, BrokerMXBean broker, TransactionsMXBean transactions) {
        BrokerJmx jmx = new BrokerJmx();
        jmx.add(name("Broker", brokerId, port), broker);
        jmx.add(name("Transactions", brokerId, port), transactions);
        return jmx;
    }

    /** Name of a bean. */
    static ObjectName name(String type, int brokerId, int port) {
        String name = "org.metaq:type=%s,id=%d,port=%d".formatted(type, brokerId, port);
        try {
            return new ObjectName(name);
        } catch (JMException e) {
            throw new IllegalStateException("not a name: " + name, e);
        }
    }

    private synchronized void add(ObjectName name, Object bean) {
        try {
            server.registerMBean(bean, name);
            registered.add(name);
        } catch (InstanceAlreadyExistsException e) {
            LOG.warn("jmx-name-taken name={}; this broker is not shown", name);
        } catch (JMException e) {
            throw new IllegalStateException("the bean " + name + " cannot be registered", e);
        }
    }

    /** Takes them out again; the second time nothing happens. */
    @Override
    public synchronized void close() {
        for (ObjectName name : registered) {
            try {
                server.unregisterMBean(name);
            } catch (InstanceNotFoundException e) {
                LOG.debug("someone else took {} out", name, e);
            } catch (JMException e) {
                LOG.warn("jmx-not-unregistered name={}", name, e);
            }
        }
        registered.clear();
    }
}
