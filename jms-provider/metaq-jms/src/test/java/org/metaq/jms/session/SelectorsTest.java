package org.metaq.jms.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.InvalidSelectorException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;
import org.metaq.protocol.Command;

/** Selectors at the creation of whatever has one. */
@Timeout(60)
class SelectorsTest {
    private static final MetaQQueue QUEUE = new MetaQQueue("q");
    private static final MetaQTopic TOPIC = new MetaQTopic("t");

    private MemoryBroker broker;
    private JMSContext context;
    private MetaQConnection connection;

    @BeforeEach
    void connect() throws Exception {
        broker = new MemoryBroker();
        MetaQConnectionFactory factory = new MetaQConnectionFactory(broker.uri("?clientId=c"));
        connection = (MetaQConnection) factory.createConnection();
        context = factory.createContext();
    }

    @AfterEach
    void close() throws Exception {
        context.close();
        connection.close();
        broker.close();
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfAny(
                        InvalidSelectorException.class, InvalidSelectorRuntimeException.class)
                .hasMessageContaining("a ==");
    }

    @Test
    void shouldRefuseAWrongSelectorAtEveryCreation() throws JMSException {
        String bad = "a == 1";
        Session session = connection.createSession();
        QueueSession queues = connection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        TopicSession topics = connection.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        assertRefused(() -> session.createConsumer(QUEUE, bad));
        assertRefused(() -> session.createConsumer(TOPIC, bad, true));
        assertRefused(() -> session.createSharedConsumer(TOPIC, "n", bad));
        assertRefused(() -> session.createDurableConsumer(TOPIC, "n", bad, false));
        assertRefused(() -> session.createDurableSubscriber(TOPIC, "n", bad, false));
        assertRefused(() -> session.createSharedDurableConsumer(TOPIC, "n", bad));
        assertRefused(() -> session.createBrowser(QUEUE, bad));
        assertRefused(() -> queues.createReceiver(QUEUE, bad));
        assertRefused(() -> topics.createSubscriber(TOPIC, bad, false));
        assertRefused(() -> connection.createConnectionConsumer(QUEUE, bad, () -> null, 1));
        assertRefused(
                () -> connection.createSharedConnectionConsumer(TOPIC, "n", bad, () -> null, 1));
        assertRefused(
                () -> connection.createDurableConnectionConsumer(TOPIC, "n", bad, () -> null, 1));
        assertRefused(
                () ->
                        connection.createSharedDurableConnectionConsumer(
                                TOPIC, "n", bad, () -> null, 1));
        assertRefused(() -> context.createConsumer(QUEUE, bad));
        assertRefused(() -> context.createConsumer(TOPIC, bad, true));
        assertRefused(() -> context.createSharedConsumer(TOPIC, "n", bad));
        assertRefused(() -> context.createDurableConsumer(TOPIC, "n", bad, false));
        assertRefused(() -> context.createSharedDurableConsumer(TOPIC, "n", bad));
        assertRefused(() -> context.createBrowser(QUEUE, bad));
        assertThat(broker.commands(Command.Subscribe.class)).isEmpty();
    }

    /** Jakarta Messaging 3.1 §3.8.1: null and the empty text mean that there is none. */
    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " ", "\t\r\n "})
    void shouldTakeNothingForNoSelector(String selector) throws JMSException {
        Session session = connection.createSession();
        assertThat(session.createConsumer(QUEUE, selector).getMessageSelector()).isNull();
        assertThat(session.createDurableConsumer(TOPIC, "n", selector, false).getMessageSelector())
                .isNull();
        assertThat(session.createBrowser(QUEUE, selector).getMessageSelector()).isNull();
        assertThat(broker.commands(Command.Subscribe.class))
                .extracting(Command.Subscribe::selector)
                .containsOnly("");
    }

    @Test
    void shouldGiveTheSelectorBackAsItWasGiven() throws JMSException {
        String selector = " a = 1 AND b LIKE 'x%' ";
        Session session = connection.createSession();
        assertThat(session.createConsumer(QUEUE, selector).getMessageSelector())
                .isEqualTo(selector);
        assertThat(session.createBrowser(QUEUE, selector).getMessageSelector()).isEqualTo(selector);
        assertThat(context.createConsumer(QUEUE, selector).getMessageSelector())
                .isEqualTo(selector);
        assertThat(broker.commands(Command.Subscribe.class).get(0).selector()).isEqualTo(selector);
    }
}
