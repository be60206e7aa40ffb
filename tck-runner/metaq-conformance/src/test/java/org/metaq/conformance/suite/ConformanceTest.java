package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.metaq.conformance.ConformanceExtension;
import org.metaq.conformance.ProviderInUse;
import org.metaq.conformance.ProviderUnderTest;

/** What all tests need: the provider, and connections that are closed behind each test. */
@ExtendWith(ConformanceExtension.class)
@Timeout(60)
abstract class ConformanceTest {
    /** Long enough for a busy machine; nobody waits so long but for what does not come. */
    static final long PATIENCE_MS = 20_000;

    /** How long something that must not happen is waited for, where nothing later proves it. */
    static final long BRIEFLY_MS = 150;

    private final List<AutoCloseable> open = Collections.synchronizedList(new ArrayList<>());

    static ProviderUnderTest provider() {
        return ProviderInUse.get();
    }

    static Queue newQueue() {
        return provider().newQueue();
    }

    static Topic newTopic() {
        return provider().newTopic();
    }

    /** A name that nobody has used: for subscriptions and client ids. */
    static String newName() {
        return "n" + UUID.randomUUID().toString().replace("-", "");
    }

    /** Newest first, so that contexts close before those whose connection they use. */
    @AfterEach
    void closeAll() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    <C extends AutoCloseable> C closedLater(C closeable) {
        open.add(closeable);
        return closeable;
    }

    // ---- connections

    /** A connection that is not started. */
    Connection stopped() throws JMSException {
        return closedLater(provider().connectionFactory().createConnection());
    }

    /** A started connection. */
    Connection connect() throws JMSException {
        return connect(provider().connectionFactory());
    }

    /** A started connection with a client id. */
    Connection connect(String clientId) throws JMSException {
        return connect(provider().connectionFactory(clientId));
    }

    private Connection connect(ConnectionFactory factory) throws JMSException {
        Connection connection = closedLater(factory.createConnection());
        connection.start();
        return connection;
    }

    /** A session with automatic acknowledgement, of a started connection of its own. */
    Session session() throws JMSException {
        return connect().createSession();
    }

    /** A session of a mode, of a started connection of its own. */
    Session session(int mode) throws JMSException {
        return connect().createSession(mode);
    }

    JMSContext context() {
        return context(JMSContext.AUTO_ACKNOWLEDGE);
    }

    JMSContext context(int mode) {
        return closedLater(provider().connectionFactory().createContext(mode));
    }

    JMSContext context(String clientId) {
        return closedLater(provider().connectionFactory(clientId).createContext());
    }

    // ---- messages

    /**
     * Sends texts from a connection of their own, persistent; they are stored when this returns.
     */
    static void send(Destination destination, String... texts) {
        try (JMSContext context = provider().connectionFactory().createContext()) {
            JMSProducer producer = context.createProducer();
            for (String text : texts) {
                producer.send(destination, text);
            }
        }
    }

    static void send(Session session, Destination destination, String... texts)
            throws JMSException {
        try (MessageProducer producer = session.createProducer(destination)) {
            for (String text : texts) {
                producer.send(session.createTextMessage(text));
            }
        }
    }

    /** The message as its receiver gets it, sent with a producer of the session. */
    static Message sent(Session session, Message message) throws JMSException {
        Queue queue = newQueue();
        try (MessageProducer producer = session.createProducer(queue)) {
            producer.send(message);
        }
        try (MessageConsumer consumer = session.createConsumer(queue)) {
            return receive(consumer);
        }
    }

    static Message receive(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(PATIENCE_MS);
        assertThat(message).as("a message in time").isNotNull();
        return message;
    }

    static String text(Message message) throws JMSException {
        assertThat(message).isInstanceOf(TextMessage.class);
        return ((TextMessage) message).getText();
    }

    static List<String> texts(MessageConsumer consumer, int count) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(text(receive(consumer)));
        }
        return texts;
    }

    /** The text with its delivery count, and an R if it is flagged as redelivered. */
    static String described(Message message) throws JMSException {
        return text(message)
                + "#"
                + message.getIntProperty("JMSXDeliveryCount")
                + (message.getJMSRedelivered() ? "R" : "");
    }

    /** All that is there for the consumer at once, oldest first. */
    static List<String> rest(MessageConsumer consumer) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (Message m = consumer.receiveNoWait(); m != null; m = consumer.receiveNoWait()) {
            texts.add(text(m));
        }
        return texts;
    }

    /** Takes what a queue holds for a new connection, oldest first. */
    List<String> drain(Destination destination) throws JMSException {
        try (Connection connection = provider().connectionFactory().createConnection()) {
            connection.start();
            return rest(connection.createSession().createConsumer(destination));
        }
    }

    /** The names in an enumeration, to which the API gives no type. */
    static List<String> namesIn(Enumeration<?> names) {
        List<String> found = new ArrayList<>();
        while (names.hasMoreElements()) {
            found.add((String) names.nextElement());
        }
        return found;
    }

    // ---- waiting

    static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(PATIENCE_MS, TimeUnit.MILLISECONDS)).as("in time").isTrue();
    }

    static <T> T await(Future<T> future) throws Exception {
        try {
            return future.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } catch (TimeoutException e) {
            throw new AssertionError("not in time", e);
        }
    }
}
