package org.metaq.tm;

import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XASession;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;

/** A provider whose connections do nothing, and remember what became of them. */
final class FakeProvider {
    final List<FakeConnection> opened = new CopyOnWriteArrayList<>();
    volatile boolean isDown;

    XAConnectionFactory factory() {
        return fake(
                XAConnectionFactory.class,
                (proxy, method, arguments) -> {
                    if (isDown) {
                        throw new JMSException("the provider is down");
                    }
                    FakeConnection connection = new FakeConnection();
                    opened.add(connection);
                    return fake(XAConnection.class, connection);
                });
    }

    static <T> T fake(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(
                        FakeProvider.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** One connection. */
    static final class FakeConnection implements InvocationHandler {
        final List<String> calls = new CopyOnWriteArrayList<>();
        volatile boolean isClosed;
        volatile int xaFailure;
        private volatile ExceptionListener listener;

        void lose() {
            listener.onException(new JMSException("lost"));
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            switch (method.getName()) {
                case "setExceptionListener" -> listener = (ExceptionListener) arguments[0];
                case "close" -> isClosed = true;
                case "createXASession" -> {
                    return fake(XASession.class, this::ofSession);
                }
                default -> calls.add(method.getName());
            }
            return null;
        }

        private Object ofSession(Object proxy, Method method, Object[] arguments) {
            return method.getName().equals("getSession")
                    ? fake(Session.class, (p, m, a) -> null)
                    : fake(XAResource.class, this::ofResource);
        }

        private Object ofResource(Object proxy, Method method, Object[] arguments)
                throws XAException {
            if (method.getName().equals("isSameRM")) {
                return Proxy.isProxyClass(arguments[0].getClass());
            }
            calls.add(method.getName());
            if (xaFailure != 0) {
                throw new XAException(xaFailure);
            }
            return Arrays.asList(int.class, boolean.class).contains(method.getReturnType())
                    ? XAResource.XA_OK
                    : null;
        }
    }
}
