package org.metaq.ra.inbound;

import java.lang.reflect.Proxy;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.spi.InitialContextFactory;

/** A name service that knows what tests have bound, and can do nothing but look up. */
public final class FakeNaming implements InitialContextFactory {
    /** What is bound. */
    public static final Map<String, Object> BOUND = new ConcurrentHashMap<>();

    /** For the JDK. */
    public FakeNaming() {}

    /** Has the JDK use it. */
    public static void install() {
        System.setProperty(Context.INITIAL_CONTEXT_FACTORY, FakeNaming.class.getName());
    }

    /** Ends that, and forgets what was bound. */
    public static void uninstall() {
        System.clearProperty(Context.INITIAL_CONTEXT_FACTORY);
        BOUND.clear();
    }

    @Override
    public Context getInitialContext(Hashtable<?, ?> environment) {
        return (Context)
                Proxy.newProxyInstance(
                        FakeNaming.class.getClassLoader(),
                        new Class<?>[] {Context.class},
                        (proxy, method, arguments) -> {
                            if (!method.getName().equals("lookup")) {
                                throw new UnsupportedOperationException(method.getName());
                            }
                            Object found = BOUND.get(arguments[0].toString());
                            if (found == null) {
                                throw new NameNotFoundException(arguments[0] + " is not bound");
                            }
                            return found;
                        });
    }
}
