package org.metaq.conformance.suite;

import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * A message whose class is of no provider: all calls but those of header fields go to a message of
 * the provider. Header fields it keeps itself, so that the provider has to set them by the methods
 * of the API.
 */
final class ForeignMessage implements InvocationHandler {
    private final Message behind;
    private final Map<String, Object> headers = new TreeMap<>();

    private ForeignMessage(Message behind) {
        this.behind = behind;
        headers.put("Timestamp", 0L);
        headers.put("Expiration", 0L);
        headers.put("DeliveryTime", 0L);
        headers.put("DeliveryMode", Message.DEFAULT_DELIVERY_MODE);
        headers.put("Priority", Message.DEFAULT_PRIORITY);
        headers.put("Redelivered", false);
    }

    /** A message of another implementation, with the body and properties of one of the provider. */
    static <M extends Message> M of(M message) {
        Class<?> type =
                Arrays.<Class<?>>asList(
                                TextMessage.class,
                                BytesMessage.class,
                                MapMessage.class,
                                StreamMessage.class,
                                ObjectMessage.class,
                                Message.class)
                        .stream()
                        .filter(known -> known.isInstance(message))
                        .findFirst()
                        .orElseThrow();
        @SuppressWarnings("unchecked") // the proxy has the interface that M is
        M foreign =
                (M)
                        Proxy.newProxyInstance(
                                ForeignMessage.class.getClassLoader(),
                                new Class<?>[] {type},
                                new ForeignMessage(message));
        return foreign;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        if (name.startsWith("getJMS") && !name.endsWith("AsBytes")) {
            return headers.get(name.substring("getJMS".length()));
        }
        if (name.startsWith("setJMS") && !name.endsWith("AsBytes")) {
            headers.put(name.substring("setJMS".length()), arguments[0]);
            return null;
        }
        try {
            return method.invoke(behind, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** A destination of no provider, unknown to all. */
    static Destination destination() {
        return new Destination() {};
    }
}
