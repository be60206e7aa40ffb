package org.metaq.testapp;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.ejb.EJBException;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Dictionary;
import java.util.Hashtable;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;

/**
 * Resources of {@link Stall} in Open Liberty, which has no JNDI name for its transaction manager,
 * and recovers nothing at all while it cannot find a resource that is in its log. So this is where
 * it finds them. Does nothing in other servers.
 */
@Singleton
@Startup
public class LibertyTransactions {
    private static final String API = "com.ibm.tx.jta.";
    private static final String PROPERTY = "stall";

    private @Nullable Object registration;

    /** Whether this server is one. */
    static boolean isHere() {
        try {
            Class.forName(API + "TransactionManagerFactory");
            return true;
        } catch (ClassNotFoundException e) {
            return false; // another server
        }
    }

    /**
     * Adds a resource to the thread's transaction.
     *
     * @param priority 0 as others have; the highest commits first
     */
    static void enlist(XAResource resource, int priority) {
        try {
            Class<?> type = Class.forName(API + "ExtendedTransactionManager");
            Object id =
                    type.getMethod(
                                    "registerResourceInfo",
                                    String.class,
                                    Serializable.class,
                                    int.class)
                            .invoke(manager(), "(" + PROPERTY + "=*)", PROPERTY, priority);
            type.getMethod("enlist", XAResource.class, int.class).invoke(manager(), resource, id);
        } catch (ReflectiveOperationException e) {
            throw new EJBException(e);
        }
    }

    private static Object manager() throws ReflectiveOperationException {
        return Class.forName(API + "TransactionManagerFactory")
                .getMethod("getTransactionManager")
                .invoke(null);
    }

    /** The server's recovery looks for a service of OSGi, whose properties are a Dictionary. */
    @PostConstruct
    @SuppressWarnings("JdkObsolete")
    void register() {
        if (!isHere()) {
            return;
        }
        try {
            Class<?> factory = Class.forName(API + "XAResourceFactory");
            Object service =
                    Proxy.newProxyInstance(
                            factory.getClassLoader(),
                            new Class<?>[] {factory},
                            (proxy, method, arguments) -> answer(proxy, method, arguments));
            Dictionary<String, String> properties = new Hashtable<>();
            properties.put(PROPERTY, PROPERTY);
            registration =
                    osgi("BundleContext")
                            .getMethod(
                                    "registerService", String.class, Object.class, Dictionary.class)
                            .invoke(bundleContext(), factory.getName(), service, properties);
        } catch (ReflectiveOperationException e) {
            throw new EJBException(e);
        }
    }

    /** Of {@code getXAResource}, {@code destroyXAResource} and what all objects have. */
    private static @Nullable Object answer(
            Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "getXAResource" -> Stall.finished();
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals" -> arguments != null && arguments[0] == proxy;
            case "toString" -> PROPERTY;
            default -> null;
        };
    }

    private static Object bundleContext() throws ReflectiveOperationException {
        Object bundle =
                osgi("BundleReference")
                        .getMethod("getBundle")
                        .invoke(manager().getClass().getClassLoader());
        return osgi("Bundle").getMethod("getBundleContext").invoke(bundle);
    }

    /** Applications do not see these types, which are the framework's. */
    private static Class<?> osgi(String name) throws ReflectiveOperationException {
        ClassLoader framework = manager().getClass().getClassLoader().getClass().getClassLoader();
        return framework.loadClass("org.osgi.framework." + name);
    }

    /** So that nothing of the application stays. */
    @PreDestroy
    void unregister() {
        if (registration == null) {
            return;
        }
        try {
            osgi("ServiceRegistration").getMethod("unregister").invoke(registration);
        } catch (ReflectiveOperationException e) {
            throw new EJBException(e);
        }
    }
}
