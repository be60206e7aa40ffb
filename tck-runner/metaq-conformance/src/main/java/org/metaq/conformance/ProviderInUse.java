package org.metaq.conformance;

import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** The provider that this JVM tests: started when first asked for, closed behind the last test. */
public final class ProviderInUse {
    private static @Nullable ProviderUnderTest provider;

    private ProviderInUse() {}

    /**
     * The provider; starts it if it was not.
     *
     * @throws IllegalStateException if none is found, or several, or it cannot be made
     */
    public static synchronized ProviderUnderTest get() {
        ProviderUnderTest known = provider;
        if (known == null) {
            known = make();
            provider = known;
        }
        return known;
    }

    /** The name of the provider; {@code none} if no test asked for it. */
    static synchronized String name() {
        return provider == null ? "none" : provider.name();
    }

    /** Ends the provider, if one was started. */
    static synchronized void close() {
        if (provider != null) {
            provider.close();
            provider = null;
        }
    }

    private static ProviderUnderTest make() {
        String type = System.getProperty(ProviderUnderTest.CLASS_PROPERTY, "");
        if (type.isEmpty()) {
            return onlyService();
        }
        try {
            return Class.forName(type)
                    .asSubclass(ProviderUnderTest.class)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new IllegalStateException(
                    "system property "
                            + ProviderUnderTest.CLASS_PROPERTY
                            + ": no adapter can be made of "
                            + type,
                    e);
        }
    }

    private static ProviderUnderTest onlyService() {
        List<ServiceLoader.Provider<ProviderUnderTest>> found =
                ServiceLoader.load(ProviderUnderTest.class).stream().toList();
        if (found.size() != 1) {
            throw new IllegalStateException(
                    found.size()
                            + " adapters are on the class path as services; name one in the system"
                            + " property "
                            + ProviderUnderTest.CLASS_PROPERTY);
        }
        return found.get(0).get();
    }
}
