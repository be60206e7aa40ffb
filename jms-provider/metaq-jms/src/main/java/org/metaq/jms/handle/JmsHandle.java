package org.metaq.jms.handle;

import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueBrowser;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.session.JmsErrors;

/**
 * What an application has in place of a session or context, and of the producers, consumers and
 * browsers made by it. It closes with what made it, and is closed without what it stands for being
 * so, if its subclass wants that.
 *
 * <p>For one thread at a time, as what it stands for; its close may come from any.
 */
public abstract class JmsHandle implements InvocationHandler {
    private static final Object[] NO_ARGUMENTS = {};

    private final Class<?> type;
    private final Object target;
    private final @Nullable JmsHandle parent;
    private final Set<JmsHandle> children = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean isClosed = new AtomicBoolean();

    /**
     * A handle.
     *
     * @param type the interface that the application sees
     * @param target what it stands for
     * @param parent the handle that made it; null: none
     */
    protected JmsHandle(Class<?> type, Object target, @Nullable JmsHandle parent) {
        this.type = type;
        this.target = target;
        this.parent = parent;
        // A JMSProducer has no close.
        if (parent != null && !(target instanceof JMSProducer)) {
            parent.children.add(this);
        }
    }

    /** As the application sees it. */
    public final <T> T as(Class<T> seen) {
        return seen.cast(proxy());
    }

    private Object proxy() {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this);
    }

    /** The interface that the application sees. */
    protected final Class<?> type() {
        return type;
    }

    /** What it stands for. */
    protected final Object target() {
        return target;
    }

    // ---- life

    /** Whether neither it nor what made it is closed. */
    public final boolean isOpen() {
        return !isClosed.get() && (parent == null || parent.isOpen());
    }

    /**
     * A second call does nothing.
     *
     * @throws IllegalStateException if a listener of its own calls; it stays open then
     * @throws JMSException if what it stands for could not be closed
     */
    public final void close() throws JMSException {
        if (!isClosed.compareAndSet(false, true)) {
            return;
        }
        try {
            ended();
        } catch (IllegalStateException | IllegalStateRuntimeException e) {
            isClosed.set(false);
            throw e;
        }
        if (parent != null) {
            parent.children.remove(this);
        }
    }

    /**
     * What its close does, once: closes a producer, consumer or browser; a subclass does what is
     * right for a session or context.
     *
     * @throws JMSException if that cannot be closed
     */
    protected void ended() throws JMSException {
        if (target instanceof MessageProducer producer) {
            producer.close();
        } else if (target instanceof MessageConsumer consumer) {
            consumer.close();
        } else if (target instanceof QueueBrowser browser) {
            browser.close();
        } else if (target instanceof JMSConsumer consumer) {
            consumer.close();
        }
    }

    /**
     * Closes what was made by it, up to the first that cannot be closed.
     *
     * @throws JMSException if one cannot be closed
     */
    protected void closeChildren() throws JMSException {
        for (JmsHandle child : children) {
            child.close();
        }
    }

    // ---- calls

    @Override
    public final @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
            throws Throwable {
        Object[] given = arguments == null ? NO_ARGUMENTS : arguments;
        if (method.getDeclaringClass() == Object.class) {
            return identity(proxy, method, given);
        }
        try {
            if (method.getName().equals("close")) {
                close();
                return null;
            }
            if (!isOpen()) {
                throw new IllegalStateException("the " + type.getSimpleName() + " is closed");
            }
            return handed(proxy, method, call(method, given));
        } catch (JMSException e) {
            throw isDeclared(e, method) ? e : JmsErrors.unchecked(e);
        }
    }

    private static boolean isDeclared(JMSException e, Method method) {
        return Arrays.stream(method.getExceptionTypes()).anyMatch(type -> type.isInstance(e));
    }

    private Object identity(Object proxy, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> toString();
        };
    }

    private @Nullable Object handed(Object proxy, Method method, @Nullable Object result) {
        if (result == null) {
            return null;
        }
        if (result == target) {
            return proxy;
        }
        boolean isMade =
                result instanceof MessageProducer
                        || result instanceof MessageConsumer
                        || result instanceof QueueBrowser
                        || result instanceof JMSProducer
                        || result instanceof JMSConsumer;
        return isMade ? child(method.getReturnType(), result).proxy() : result;
    }

    /**
     * Calls what it stands for; a subclass keeps from it what it must not be asked.
     *
     * @throws Throwable as the method does
     */
    protected @Nullable Object call(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    /**
     * The handle, with this as its parent, of what a call has made.
     *
     * @param made a producer, consumer or browser
     */
    protected abstract JmsHandle child(Class<?> childType, Object made);
}
