package org.metaq.tm;

import jakarta.jms.CompletionListener;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.TransactionInProgressException;
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
 * browsers made by it. It asks the lease before each call, keeps from the provider's object what a
 * transaction forbids and what the pool does itself.
 *
 * <p>For one thread at a time, as what it stands for; its close may come from any.
 */
final class Handle implements InvocationHandler {
    private static final Object[] NO_ARGUMENTS = {};

    /** Methods of a context that are about its connection. */
    private static final Set<String> POOLED =
            Set.of("createContext", "setClientID", "setExceptionListener", "getExceptionListener");

    private final Class<?> type;
    private final Object target;
    private final Lease lease;
    private final @Nullable Handle parent;
    private final Closing closing;
    private final Set<Handle> children = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean isClosed = new AtomicBoolean();

    /** The end of a handle. */
    @FunctionalInterface
    interface Closing {
        void close(Handle closed) throws JMSException;
    }

    /** The handle of a session or a context. */
    Handle(Class<?> type, Object target, Lease lease, Closing closing) {
        this(type, target, lease, null, closing);
    }

    private Handle(
            Class<?> type, Object target, Lease lease, @Nullable Handle parent, Closing closing) {
        this.type = type;
        this.target = target;
        this.lease = lease;
        this.parent = parent;
        this.closing = closing;
    }

    /** As the application sees it. */
    <T> T as(Class<T> seen) {
        return seen.cast(proxy());
    }

    private Object proxy() {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this);
    }

    Lease lease() {
        return lease;
    }

    /**
     * A second call does nothing.
     *
     * @throws IllegalStateException if a listener of its own calls; it stays open then
     */
    void close() throws JMSException {
        if (!isClosed.compareAndSet(false, true)) {
            return;
        }
        try {
            closing.close(this);
        } catch (IllegalStateException | IllegalStateRuntimeException e) {
            isClosed.set(false);
            throw e;
        }
    }

    /** Closes what was made by it; what cannot be closed ends with the connection. */
    void closeChildren() throws JMSException {
        boolean isDone = false;
        try {
            for (Handle child : children) {
                child.close();
            }
            isDone = true;
        } finally {
            if (!isDone) {
                lease.link().spend();
            }
        }
    }

    private boolean isOpen() {
        return !isClosed.get() && (parent == null || parent.isOpen());
    }

    // ---- calls

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
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
            if (lease.isEnlisted()) {
                requireAllowedInTransaction(method, given);
            }
            if (target instanceof JMSContext context && POOLED.contains(method.getName())) {
                return pooled(context, method, given);
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
            default -> type.getSimpleName() + "[" + lease + "]";
        };
    }

    private @Nullable Object call(Method method, Object[] arguments) throws Throwable {
        lease.enter();
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        } finally {
            lease.exit();
        }
    }

    /**
     * What belongs to the transaction (Jakarta Messaging 3.1 §6.2.8), or would leave its thread.
     */
    private static void requireAllowedInTransaction(Method method, Object[] arguments)
            throws JMSException {
        switch (method.getName()) {
            case "commit", "rollback" ->
                    throw new TransactionInProgressException(
                            "the transaction manager commits and rolls back this work");
            case "recover", "stop" ->
                    throw new IllegalStateException(
                            method.getName() + " is not for work in a transaction");
            default -> {
                for (Object argument : arguments) {
                    if (argument instanceof MessageListener
                            || argument instanceof CompletionListener
                            || argument instanceof ExceptionListener) {
                        throw new IllegalStateException(
                                "no listeners in a transaction, which is bound to its thread:"
                                        + " receive and send synchronously");
                    }
                }
            }
        }
    }

    /** What a context does to its connection, which here is the pool's. */
    private @Nullable Object pooled(JMSContext context, Method method, Object[] arguments)
            throws JMSException {
        switch (method.getName()) {
            case "createContext":
                lease.enter();
                try {
                    return lease.newContext(context, (Integer) arguments[0]);
                } finally {
                    lease.exit();
                }
            case "getExceptionListener":
                return lease.link().listener();
            case "setExceptionListener":
                lease.link().setListener((ExceptionListener) arguments[0]);
                return null;
            default:
                throw ConnectionHandle.clientIdRefused();
        }
    }

    // ---- results

    private @Nullable Object handed(Object proxy, Method method, @Nullable Object result) {
        if (result == target) {
            return proxy;
        }
        Class<?> returned = method.getReturnType();
        if (result instanceof JMSProducer) {
            // Has no close.
            return new Handle(returned, result, lease, this, closed -> {}).proxy();
        } else if (result instanceof MessageProducer producer) {
            return child(returned, producer, producer::close);
        } else if (result instanceof MessageConsumer consumer) {
            return child(returned, consumer, consumer::close);
        } else if (result instanceof QueueBrowser browser) {
            return child(returned, browser, browser::close);
        } else if (result instanceof JMSConsumer consumer) {
            return child(returned, consumer, consumer::close);
        }
        if (method.getName().startsWith("createTemporary")) {
            // It lives as long as its connection, which must then not outlive its user.
            lease.link().spend();
        }
        return result;
    }

    private Object child(Class<?> returned, Object made, TargetClose close) {
        Handle child =
                new Handle(
                        returned,
                        made,
                        lease,
                        this,
                        closed -> {
                            children.remove(closed);
                            close.run();
                        });
        children.add(child);
        return child.proxy();
    }

    @FunctionalInterface
    private interface TargetClose {
        void run() throws JMSException;
    }
}
