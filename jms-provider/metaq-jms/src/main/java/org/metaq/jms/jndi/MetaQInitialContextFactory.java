package org.metaq.jms.jndi;

import java.util.EnumMap;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.ConnectionOption;
import org.metaq.jms.ConnectionUri;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;

/**
 * Makes a JNDI context out of properties, so that a program finds its factory and destinations by
 * name without a directory service:
 *
 * <pre>
 * java.naming.factory.initial = org.metaq.jms.jndi.MetaQInitialContextFactory
 * java.naming.provider.url    = metaq://host:8123     default: metaq://localhost:8123
 * connectionFactory.NAME      = URI                   empty: the provider URL
 * queue.NAME                  = name of the queue, and options: orders?maxDeliveries=3
 * topic.NAME                  = name of the topic, and options
 * org.metaq.jms.OPTION        = default of a connection option, for each factory of the context
 *                               whose URI does not have it: org.metaq.jms.allowedClasses
 * </pre>
 *
 * <p>Always there: {@code ConnectionFactory} (the provider URL, unless defined otherwise), {@code
 * dynamicQueues/ANY} and {@code dynamicTopics/ANY}. The context is read-only and connects to
 * nothing. Stateless.
 */
public final class MetaQInitialContextFactory implements InitialContextFactory {
    /** Name of the factory that is always there. */
    public static final String DEFAULT_FACTORY = "ConnectionFactory";

    private static final String DEFAULT_URL = "metaq://localhost:8123";
    private static final String FACTORY_PREFIX = "connectionFactory.";
    private static final String QUEUE_PREFIX = "queue.";
    private static final String TOPIC_PREFIX = "topic.";
    private static final String OPTION_PREFIX = "org.metaq.jms.";

    /** Called by JNDI. */
    public MetaQInitialContextFactory() {}

    /**
     * Makes the context; later changes to the environment do not show in it.
     *
     * @throws ConfigurationException if a URI or a destination name is bad, or a name is defined
     *     twice; the text names the property
     */
    @Override
    public Context getInitialContext(@Nullable Hashtable<?, ?> environment) throws NamingException {
        Map<Object, Object> copy = new LinkedHashMap<>();
        if (environment != null) {
            copy.putAll(environment);
        }
        String url = String.valueOf(copy.getOrDefault(Context.PROVIDER_URL, DEFAULT_URL)).strip();
        Map<ConnectionOption, String> options = options(copy);
        Map<String, Object> bindings = new LinkedHashMap<>();
        for (Map.Entry<Object, Object> entry : copy.entrySet()) {
            String key = String.valueOf(entry.getKey());
            String value = String.valueOf(entry.getValue()).strip();
            if (key.startsWith(FACTORY_PREFIX)) {
                String uri = value.isEmpty() ? url : value;
                bind(bindings, key, FACTORY_PREFIX, () -> factory(uri, options));
            } else if (key.startsWith(QUEUE_PREFIX)) {
                bind(bindings, key, QUEUE_PREFIX, () -> new MetaQQueue(value));
            } else if (key.startsWith(TOPIC_PREFIX)) {
                bind(bindings, key, TOPIC_PREFIX, () -> new MetaQTopic(value));
            }
        }
        if (!bindings.containsKey(DEFAULT_FACTORY)) {
            bindings.put(DEFAULT_FACTORY, make(Context.PROVIDER_URL, () -> factory(url, options)));
        }
        return new MetaQContext(copy, bindings);
    }

    private static Map<ConnectionOption, String> options(Map<Object, Object> environment)
            throws ConfigurationException {
        Map<ConnectionOption, String> options = new EnumMap<>(ConnectionOption.class);
        for (Map.Entry<Object, Object> entry : environment.entrySet()) {
            String key = String.valueOf(entry.getKey());
            if (key.startsWith(OPTION_PREFIX)) {
                String value = String.valueOf(entry.getValue()).strip();
                options.put(make(key, () -> option(key, value)), value);
            }
        }
        return options;
    }

    private static ConnectionOption option(String key, String value) {
        ConnectionOption option = ConnectionOption.named(key.substring(OPTION_PREFIX.length()));
        option.check(value);
        return option;
    }

    private static MetaQConnectionFactory factory(
            String uri, Map<ConnectionOption, String> options) {
        return new MetaQConnectionFactory(ConnectionUri.withDefaults(uri, options));
    }

    /** Makes what a property describes. */
    private interface Maker<T> {
        T make();
    }

    private static void bind(
            Map<String, Object> bindings, String key, String prefix, Maker<?> maker)
            throws ConfigurationException {
        String name = key.substring(prefix.length());
        if (name.isEmpty()) {
            throw new ConfigurationException("property '" + key + "' has no name after the dot");
        }
        if (bindings.put(name, make(key, maker)) != null) {
            throw new ConfigurationException(
                    "'" + name + "' is defined twice; the second time by property '" + key + "'");
        }
    }

    private static <T> T make(String key, Maker<T> maker) throws ConfigurationException {
        try {
            return maker.make();
        } catch (IllegalArgumentException e) {
            ConfigurationException bad =
                    new ConfigurationException("property '" + key + "': " + e.getMessage());
            bad.initCause(e);
            throw bad;
        }
    }
}
