package org.metaq.ra.outbound;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** What an application has in place of a context: a connection and its session in one. */
final class ContextHandle extends WorkHandle {
    private boolean isAutoStart = true;

    ContextHandle(JMSContext target, ConnectionHandle connection) {
        super(JMSContext.class, target, null, connection);
    }

    @Override
    protected void ended() throws JMSException {
        try {
            super.ended();
        } finally {
            connection().close();
        }
    }

    @Override
    protected @Nullable Object call(Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "setAutoStart":
                isAutoStart = (Boolean) arguments[0];
                return null;
            case "getAutoStart":
                return isAutoStart;
            case "start":
                connection().start();
                return null;
            case "getExceptionListener":
                return null;
            default:
                Object result = super.call(method, arguments);
                if (isAutoStart && method.getName().endsWith("Consumer")) {
                    connection().start();
                }
                return result;
        }
    }
}
