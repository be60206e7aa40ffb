package org.metaq.tm;

import jakarta.jms.CompletionListener;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import jakarta.jms.TransactionInProgressException;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.handle.JmsHandle;

/**
 * A handle whose calls go through a lease: it asks the lease before each, keeps from the provider's
 * object what a transaction forbids and what the pool does itself.
 */
final class Handle extends JmsHandle {
    /** Methods of a context that are about its connection. */
    private static final Set<String> POOLED =
            Set.of("createContext", "setClientID", "setExceptionListener", "getExceptionListener");

    private final Lease lease;
    private final @Nullable Closing closing;

    /** The end of a handle. */
    @FunctionalInterface
    interface Closing {
        void close(Handle closed) throws JMSException;
    }

    /** The handle of a session or a context. */
    Handle(Class<?> type, Object target, Lease lease, Closing closing) {
        super(type, target, null);
        this.lease = lease;
        this.closing = closing;
    }

    private Handle(Class<?> type, Object made, Handle parent) {
        super(type, made, parent);
        this.lease = parent.lease;
        this.closing = null;
    }

    @Override
    protected JmsHandle child(Class<?> childType, Object made) {
        return new Handle(childType, made, this);
    }

    Lease lease() {
        return lease;
    }

    @Override
    protected void ended() throws JMSException {
        if (closing == null) {
            super.ended();
        } else {
            closing.close(this);
        }
    }

    /** Closes what was made by it; what cannot be closed ends with the connection. */
    @Override
    protected void closeChildren() throws JMSException {
        boolean isDone = false;
        try {
            super.closeChildren();
            isDone = true;
        } finally {
            if (!isDone) {
                lease.link().spend();
            }
        }
    }

    // ---- calls

    @Override
    protected @Nullable Object call(Method method, Object[] arguments) throws Throwable {
        if (lease.isEnlisted()) {
            requireAllowedInTransaction(method, arguments);
        }
        if (target() instanceof JMSContext context && POOLED.contains(method.getName())) {
            return pooled(context, method, arguments);
        }
        lease.enter();
        try {
            Object result = super.call(method, arguments);
            if (method.getName().startsWith("createTemporary")) {
                // It lives as long as its connection, which must then not outlive its user.
                lease.link().spend();
            }
            return result;
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

    @Override
    public String toString() {
        return type().getSimpleName() + "[" + lease + "]";
    }
}
