package org.metaq.ra.outbound;

import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.handle.JmsHandle;

/**
 * What an application has in place of a session, and of what is made by it. Its close leaves the
 * session open, which is the managed connection's.
 */
class WorkHandle extends JmsHandle {
    private final ConnectionHandle connection;

    WorkHandle(
            Class<?> type,
            Object target,
            @Nullable WorkHandle parent,
            ConnectionHandle connection) {
        super(type, target, parent);
        this.connection = connection;
    }

    final ConnectionHandle connection() {
        return connection;
    }

    @Override
    protected JmsHandle child(Class<?> childType, Object made) {
        return new WorkHandle(childType, made, this, connection);
    }

    @Override
    protected void ended() throws JMSException {
        closeChildren();
        super.ended();
    }

    @Override
    protected @Nullable Object call(Method method, Object[] arguments) throws Throwable {
        boolean isInBranch = connection.isInBranch();
        Restrictions.check(type(), method, arguments, isInBranch);
        switch (method.getName()) {
            case "getTransacted":
                return isInBranch;
            case "getAcknowledgeMode", "getSessionMode":
                return isInBranch ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE;
            case "recover":
                // All that was received is acknowledged.
                return null;
            case "receive", "receiveBody":
                return receive(method, arguments);
            case "receiveNoWait", "receiveBodyNoWait":
                return connection.awaitStarted(0) < 0 ? null : super.call(method, arguments);
            default:
                Object result = super.call(method, arguments);
                if (result instanceof TemporaryQueue || result instanceof TemporaryTopic) {
                    noteTemporary(method, result);
                }
                return result;
        }
    }

    private void noteTemporary(Method method, Object result) {
        if (method.getName().startsWith("createTemporary")) {
            connection.addTemporary(result);
        }
    }

    /** The time-out, if there is one, is the last argument; 0: none. */
    private @Nullable Object receive(Method method, Object[] arguments) throws Throwable {
        int last = arguments.length - 1;
        boolean isTimed = last >= 0 && arguments[last] instanceof Long timeout && timeout > 0;
        if (!isTimed) {
            return connection.awaitStarted(Long.MAX_VALUE) < 0
                    ? null
                    : super.call(method, arguments);
        }
        long leftMs = connection.awaitStarted((Long) arguments[last]);
        if (leftMs < 0) {
            return null;
        }
        Object[] rest = arguments.clone();
        rest[last] = Math.max(leftMs, 1);
        return super.call(method, rest);
    }

    @Override
    public String toString() {
        return type().getSimpleName() + "[" + connection.managed() + "]";
    }
}
