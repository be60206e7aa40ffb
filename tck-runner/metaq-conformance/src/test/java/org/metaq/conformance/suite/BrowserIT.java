package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metaq.conformance.Spec;

/** §4.1.6: browsers. */
class BrowserIT extends ConformanceTest {
    private Session session;
    private Queue queue;

    @BeforeEach
    void connectToAQueue() throws JMSException {
        session = session();
        queue = newQueue();
    }

    private static List<String> browsed(QueueBrowser browser) throws JMSException {
        List<String> texts = new ArrayList<>();
        Enumeration<?> messages = browser.getEnumeration();
        while (messages.hasMoreElements()) {
            texts.add(text((Message) messages.nextElement()));
        }
        return texts;
    }

    @Test
    @Spec({"4.1.6", "6.2"})
    void shouldShowMessagesAndRemoveNone() throws JMSException {
        send(queue, "a", "b", "c");
        QueueBrowser browser = session.createBrowser(queue);

        assertThat(browsed(browser)).containsExactly("a", "b", "c");
        assertThat(browsed(browser)).containsExactly("a", "b", "c");
        browser.close();
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(described(receive(consumer))).isEqualTo("a#1");
        assertThat(texts(consumer, 2)).containsExactly("b", "c");
    }

    @Test
    @Spec({"4.1.6", "3.8"})
    void shouldShowWhatIsSelected() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < 6; i++) {
            Message message = session.createTextMessage("m" + i);
            message.setIntProperty("i", i);
            producer.send(message);
        }

        assertThat(browsed(session.createBrowser(queue, "i > 2 AND i < 5")))
                .containsExactly("m3", "m4");
        assertThat(browsed(session.createBrowser(queue, "i > 7"))).isEmpty();
    }

    @Test
    @Spec("4.1.6")
    void shouldShowNothingOfAnEmptyQueue() throws JMSException {
        Enumeration<?> messages = session.createBrowser(queue).getEnumeration();

        assertThat(messages.hasMoreElements()).isFalse();
        assertThatThrownBy(messages::nextElement).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    @Spec("4.1.6")
    void shouldShowManyMessages() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        List<String> sent = new ArrayList<>();
        Session transacted = session(Session.SESSION_TRANSACTED);
        MessageProducer sender = transacted.createProducer(queue);
        for (int i = 0; i < 1500; i++) {
            sent.add("m" + i);
            sender.send(transacted.createTextMessage("m" + i));
        }
        transacted.commit();
        producer.close();

        assertThat(browsed(session.createBrowser(queue))).isEqualTo(sent);
    }

    @Test
    @Spec({"4.1.6", "3.4"})
    void shouldShowHeadersAndProperties() throws JMSException {
        Message message = session.createTextMessage("a");
        message.setIntProperty("p", 7);
        message.setJMSType("type");
        session.createProducer(queue).send(message);

        Message shown = (Message) session.createBrowser(queue).getEnumeration().nextElement();

        assertThat(shown.getIntProperty("p")).isEqualTo(7);
        assertThat(shown.getJMSType()).isEqualTo("type");
        assertThat(shown.getJMSMessageID()).isEqualTo(message.getJMSMessageID());
        assertThat(shown.getJMSDestination()).isEqualTo(queue);
    }

    @Test
    @Spec({"4.1.6", "7.9", "3.4.13"})
    void shouldNotShowMessagesBeforeTheirTime() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryDelay(3_600_000);
        producer.send(session.createTextMessage("later"));
        producer.setDeliveryDelay(0);
        producer.send(session.createTextMessage("now"));

        assertThat(browsed(session.createBrowser(queue))).containsExactly("now");
    }

    @Test
    @Spec({"4.1.6", "6.2.7"})
    void shouldNotShowWhatIsNotCommitted() throws JMSException {
        Session transacted = session(Session.SESSION_TRANSACTED);
        transacted.createProducer(queue).send(transacted.createTextMessage("a"));

        assertThat(browsed(session.createBrowser(queue))).isEmpty();
        transacted.commit();
        assertThat(browsed(session.createBrowser(queue))).containsExactly("a");
    }

    @Test
    @Spec({"4.1.6", "6.1.4"})
    void shouldShowMessagesOfAStartedContext() {
        send(queue, "a");
        JMSContext context = context();

        QueueBrowser browser = context.createBrowser(queue);
        List<String> shown = new ArrayList<>();
        try {
            assertThat(browser.getQueue()).isEqualTo(queue);
            context.start();
            shown.addAll(browsed(browser));
        } catch (JMSException e) {
            throw new AssertionError(e);
        }

        assertThat(shown).containsExactly("a");
        JMSConsumer consumer = context.createConsumer(queue);
        assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("a");
    }

    @Test
    @Spec({"4.1.6", "2.9"})
    void shouldBrowseWithTheDomainSpecificApi() throws JMSException {
        send(queue, "a");
        var connection = closedLater(provider().queueConnectionFactory().createQueueConnection());
        connection.start();
        QueueSession queues = connection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);

        assertThat(browsed(queues.createBrowser(queue))).containsExactly("a");
        assertThat(browsed(queues.createBrowser(queue, "JMSType IS NULL"))).containsExactly("a");
    }

    @Test
    @Spec({"4.1.6", "6.2.15"})
    void shouldNotBrowseWhenClosed() throws JMSException {
        QueueBrowser browser = session.createBrowser(queue);
        browser.close();
        browser.close();
        assertThatThrownBy(browser::getEnumeration).isInstanceOf(IllegalStateException.class);

        QueueBrowser ofSession = session.createBrowser(queue);
        session.close();
        assertThatThrownBy(ofSession::getEnumeration).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Spec({"4.1.6", "10.3"})
    void shouldNotBrowseNothing() {
        assertThatThrownBy(() -> session.createBrowser(null))
                .isInstanceOf(InvalidDestinationException.class);
    }
}
