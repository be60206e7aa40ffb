package org.metaq.bench;

import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;

/** A way to send without waiting, and to be told when the broker has the message. */
interface AsyncSend {
    /** Sends; the listener is called later. */
    void send(Message message, CompletionListener listener) throws JMSException;

    /** The specified way; ActiveMQ Classic has none and is sent to by its own callback. */
    static AsyncSend of(MessageProducer producer) {
        return Arrays.stream(producer.getClass().getMethods())
                .filter(AsyncSend::takesCallback)
                .findFirst()
                .<AsyncSend>map(method -> new ClassicSend(producer, method))
                .orElse(producer::send);
    }

    private static boolean takesCallback(Method method) {
        Class<?>[] types = method.getParameterTypes();
        return method.getName().equals("send")
                && types.length == 2
                && types[0] == Message.class
                && types[1].getName().equals("org.apache.activemq.AsyncCallback");
    }

    /** By {@code ActiveMQMessageProducer.send(Message, AsyncCallback)}. */
    record ClassicSend(MessageProducer producer, Method method) implements AsyncSend {
        @Override
        public void send(Message message, CompletionListener listener) throws JMSException {
            Class<?> type = method.getParameterTypes()[1];
            Object callback =
                    Proxy.newProxyInstance(
                            type.getClassLoader(),
                            new Class<?>[] {type},
                            (proxy, called, arguments) -> {
                                if (called.getName().equals("onSuccess")) {
                                    listener.onCompletion(message);
                                } else {
                                    listener.onException(message, (Exception) arguments[0]);
                                }
                                return null;
                            });
            try {
                method.invoke(producer, message, callback);
            } catch (IllegalAccessException | InvocationTargetException e) {
                JMSException failure = new JMSException("the send with a callback fails: " + e);
                failure.initCause(e);
                throw failure;
            }
        }
    }
}
