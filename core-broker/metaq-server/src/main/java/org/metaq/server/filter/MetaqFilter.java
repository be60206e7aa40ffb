package org.metaq.server.filter;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.metaq.broker.filter.FilteredMessage;
import org.metaq.broker.filter.MessageFilter;

/**
 * A filter written for MetaQ's own broker: its interface and message class come from the jar that
 * lies beside it, so they are met by reflection.
 */
final class MetaqFilter implements MessageFilter {
    private static final String INTERFACE =
            "com.taobao.metamorphosis.consumer.ConsumerMessageFilter";
    private static final String MESSAGE = "com.taobao.metamorphosis.Message";

    private final Object filter;
    private final Method accept;
    private final Constructor<?> newMessage;
    private final Method setId;

    private MetaqFilter(Object filter, Method accept, Constructor<?> newMessage, Method setId) {
        this.filter = filter;
        this.accept = accept;
        this.newMessage = newMessage;
        this.setId = setId;
    }

    /**
     * An adapter.
     *
     * @throws ReflectiveOperationException if it is no filter of MetaQ's, or its jar is not there
     */
    static MessageFilter of(Object filter) throws ReflectiveOperationException {
        ClassLoader loader = filter.getClass().getClassLoader();
        Class<?> type = Class.forName(INTERFACE, true, loader);
        if (!type.isInstance(filter)) {
            throw new ClassNotFoundException(
                    filter.getClass().getName()
                            + " implements neither "
                            + MessageFilter.class.getName()
                            + " nor "
                            + INTERFACE);
        }
        Class<?> message = Class.forName(MESSAGE, true, loader);
        Method setId = message.getDeclaredMethod("setId", long.class);
        setId.setAccessible(true);
        return new MetaqFilter(
                filter,
                type.getMethod("accept", String.class, message),
                message.getConstructor(String.class, byte[].class, String.class),
                setId);
    }

    @Override
    public boolean accept(String group, FilteredMessage message) {
        try {
            Object original =
                    newMessage.newInstance(message.topic(), message.payload(), message.attribute());
            setId.invoke(original, message.id());
            return (Boolean) accept.invoke(filter, group, original);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("the filter threw " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot call the filter", e);
        }
    }
}
