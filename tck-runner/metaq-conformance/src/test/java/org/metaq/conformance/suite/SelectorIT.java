package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.conformance.Spec;

/** §3.8: selectors; the table of selectors is selectors.csv. */
class SelectorIT extends ConformanceTest {
    private Session session;
    private Queue queue;
    private MessageProducer producer;

    @BeforeEach
    void connectToAQueue() throws JMSException {
        session = session();
        queue = newQueue();
        producer = session.createProducer(queue);
    }

    /** The message that the table is about. */
    private Message car() throws JMSException {
        Message message = session.createTextMessage("color = 'red'");
        message.setJMSType("car");
        message.setJMSCorrelationID("order 7");
        message.setBooleanProperty("yes", true);
        message.setBooleanProperty("no", false);
        message.setByteProperty("b", (byte) 5);
        message.setShortProperty("s", (short) -3);
        message.setIntProperty("i", 12);
        message.setLongProperty("big", Long.MAX_VALUE);
        message.setFloatProperty("f", 2.5f);
        message.setDoubleProperty("d", -0.25);
        message.setStringProperty("color", "blue");
        message.setStringProperty("Color", "green");
        message.setStringProperty("number", "2");
        message.setStringProperty("quoted", "it's");
        message.setStringProperty("percent", "5%_x");
        message.setStringProperty("empty", "");
        message.setStringProperty("$_\u00e9", "name");
        message.setStringProperty("lines", "one\ntwo");
        return message;
    }

    /** Sends the car with priority 3, not persistent, and behind it a message that all get. */
    private boolean isSelected(String selector) throws JMSException {
        MessageConsumer consumer =
                session.createConsumer(queue, "(" + selector + ") OR last = TRUE");
        producer.setPriority(3);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        producer.send(car());
        Message last = session.createTextMessage("last");
        last.setBooleanProperty("last", true);
        producer.send(last);
        String first = text(receive(consumer));
        return !first.equals("last");
    }

    @ParameterizedTest(name = "{1}: {0}")
    @CsvFileSource(resources = "/selectors.csv", delimiter = ';', quoteCharacter = '`')
    @Spec({"3.8", "3.8.1", "3.8.1.1", "3.8.1.2", "3.8.1.3"})
    void shouldSelect(String selector, boolean isExpected) throws JMSException {
        assertThat(isSelected(selector)).isEqualTo(isExpected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a =",
                "= 1",
                "a = 1 AND",
                "a = 1 OR OR b = 2",
                "(a = 1",
                "a = 1)",
                "a = 'open",
                "a == 1",
                "a != 1",
                "a = 1 -- a comment",
                "a = 1 /* comment */",
                "1abc = 2",
                "a b",
                "NULL = 1",
                "TRUE IS NULL",
                "a LIKE 5",
                "a LIKE 'x' ESCAPE 'xy'",
                "a LIKE 'x' ESCAPE ''",
                "a IN ()",
                "a IN ('x',)",
                "a IN (1, 2)",
                "a IN 'x'",
                "a BETWEEN 1",
                "a BETWEEN 1 AND",
                "a IS",
                "a IS TRUE",
                "NOT",
                "LIKE 'x'",
                "AND = 1",
                "in = 1",
                "a = \"x\"",
                "a + 1",
                "'text'",
                "5",
                "a = 1; b = 2",
                "a.b = 1",
                "a = 1.2.3"
            })
    @Spec({"3.8.1.1", "3.8.1.3", "10.3"})
    void shouldRefuseWhatBreaksTheSyntax(String selector) {
        assertThatThrownBy(() -> session.createConsumer(queue, selector))
                .isInstanceOf(InvalidSelectorException.class);
    }

    /** Either when the selector is given, as semantics may be checked then, or as false. */
    @ParameterizedTest
    @ValueSource(strings = {"color > 'a'", "color <= 'z'", "yes > no", "no < yes"})
    @Spec("3.8.1.1")
    void shouldNotOrderTextAndBooleans(String selector) throws JMSException {
        boolean isSelected;
        try {
            isSelected = isSelected(selector);
        } catch (InvalidSelectorException e) {
            isSelected = false;
        }
        assertThat(isSelected).isFalse();
    }

    @Test
    @Spec({"3.8.1.1", "10.3"})
    void shouldRefuseItWhereverASelectorIsGiven() throws JMSException {
        String bad = "a =";
        Topic topic = newTopic();
        Session named = connect(newName()).createSession();

        assertThatThrownBy(() -> session.createBrowser(queue, bad))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createConsumer(topic, bad, true))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createSharedConsumer(topic, newName(), bad))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createSharedDurableConsumer(topic, newName(), bad))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> named.createDurableConsumer(topic, newName(), bad, false))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> named.createDurableSubscriber(topic, newName(), bad, false))
                .isInstanceOf(InvalidSelectorException.class);
        TopicSession topics =
                closedLater(provider().topicConnectionFactory().createTopicConnection())
                        .createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        assertThatThrownBy(() -> topics.createSubscriber(topic, bad, false))
                .isInstanceOf(InvalidSelectorException.class);
    }

    @Test
    @Spec({"3.8.1.1", "10.3", "10.2"})
    void shouldRefuseItUncheckedInContexts() {
        JMSContext context = context();

        assertThatThrownBy(() -> context.createConsumer(queue, "a ="))
                .isInstanceOf(InvalidSelectorRuntimeException.class);
        assertThatThrownBy(() -> context.createBrowser(queue, "a ="))
                .isInstanceOf(InvalidSelectorRuntimeException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null"})
    @Spec("3.8.1.1")
    void shouldTakeAnEmptySelectorForNone(String selector) throws JMSException {
        String given = selector.isEmpty() ? "" : null;
        MessageConsumer consumer = session.createConsumer(queue, given);

        send(session, queue, "a");

        assertThat(texts(consumer, 1)).containsExactly("a");
        assertThat(consumer.getMessageSelector()).isNull();
    }

    @Test
    @Spec({"3.8.1", "8.1"})
    void shouldTellTheSelector() throws JMSException {
        assertThat(session.createConsumer(queue, "i = 1").getMessageSelector()).isEqualTo("i = 1");
        assertThat(session.createConsumer(queue).getMessageSelector()).isNull();
        assertThat(session.createBrowser(queue, "i = 1").getMessageSelector()).isEqualTo("i = 1");
        assertThat(context().createConsumer(queue, "i = 1").getMessageSelector())
                .isEqualTo("i = 1");
    }

    @Test
    @Spec({"3.8.1", "3.8.1.1"})
    void shouldSelectByIdAndTimeOfTheMessage() throws JMSException {
        Message message = car();
        producer.send(message);
        producer.send(car());
        MessageConsumer byId =
                session.createConsumer(queue, "JMSMessageID = '" + message.getJMSMessageID() + "'");
        assertThat(receive(byId).getJMSMessageID()).isEqualTo(message.getJMSMessageID());
        byId.close();

        MessageConsumer byTime =
                session.createConsumer(queue, "JMSTimestamp >= " + message.getJMSTimestamp());
        assertThat(receive(byTime).getJMSMessageID()).isNotEqualTo(message.getJMSMessageID());
    }

    @Test
    @Spec("3.8.1.1")
    void shouldSelectByLongIdentifiers() throws JMSException {
        String name = "n" + "_$x".repeat(500);
        Message message = session.createMessage();
        message.setIntProperty(name, 1);
        producer.send(message);

        assertThat(receive(session.createConsumer(queue, name + " = 1")).getIntProperty(name))
                .isEqualTo(1);
    }

    @Test
    @Spec({"3.8", "4.2.2"})
    void shouldSelectOnTopics() throws JMSException {
        Topic topic = newTopic();
        MessageConsumer cheap = session.createConsumer(topic, "price < 10");
        MessageConsumer dear = session.createConsumer(topic, "price >= 10");
        MessageProducer publisher = session.createProducer(topic);
        for (int price : new int[] {5, 50, 7, 70}) {
            Message message = session.createTextMessage("p" + price);
            message.setIntProperty("price", price);
            publisher.send(message);
        }

        assertThat(texts(cheap, 2)).containsExactly("p5", "p7");
        assertThat(texts(dear, 2)).containsExactly("p50", "p70");
        assertThat(rest(cheap)).isEmpty();
        assertThat(rest(dear)).isEmpty();
    }
}
