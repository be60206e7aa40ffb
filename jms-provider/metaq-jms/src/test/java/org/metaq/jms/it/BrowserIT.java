package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.metaq.jms.destination.MetaQQueue;

/** Queue browsers. */
class BrowserIT extends BrokerTestBase {
    static List<String> browsed(QueueBrowser browser) throws JMSException {
        List<String> texts = new ArrayList<>();
        Enumeration<?> messages = browser.getEnumeration();
        while (messages.hasMoreElements()) {
            texts.add(text((Message) messages.nextElement()));
        }
        return texts;
    }

    @Spec("Jakarta Messaging 3.1 §4.1.6")
    @Test
    void shouldShowMessagesInOrderAndTakeNone() throws Exception {
        MetaQQueue queue = newQueue();
        send(queue, "a", "b", "c");
        Session session = connect().createSession();
        QueueBrowser browser = session.createBrowser(queue);

        assertThat(browsed(browser)).containsExactly("a", "b", "c");
        assertThat(browsed(browser)).as("each enumeration begins anew").hasSize(3);

        assertThat(browser.getQueue()).isEqualTo(queue);
        assertThat(browser.getMessageSelector()).isNull();
        assertThat(texts(session.createConsumer(queue), 3)).containsExactly("a", "b", "c");
        assertThat(browsed(browser)).isEmpty();
    }

    @Spec("Jakarta Messaging 3.1 §6.1.5: start is for the delivery to consumers")
    @Test
    void shouldBrowseOnAConnectionThatIsNotStarted() throws Exception {
        MetaQQueue queue = newQueue();
        send(queue, "a");
        assertThat(browsed(stopped("").createSession().createBrowser(queue))).containsExactly("a");
        JMSContext context = closedLater(factory("").createContext());
        assertThat(browsed(context.createBrowser(queue))).containsExactly("a");
    }

    @Test
    void shouldShowMoreMessagesThanFitIntoOneReply() throws Exception {
        MetaQQueue queue = newQueue();
        Session session = connect().createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(queue);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            expected.add("m" + i);
            producer.send(session.createTextMessage("m" + i));
        }
        session.commit();
        assertThat(browsed(session.createBrowser(queue))).isEqualTo(expected);
    }

    @Spec("Jakarta Messaging 3.1 §4.1.6: messages may be arriving and expiring meanwhile")
    @Test
    void shouldGoOnWhileOthersConsumeAndSend() throws Exception {
        MetaQQueue queue = newQueue();
        Session session = connect().createSession();
        String[] many = new String[500];
        for (int i = 0; i < many.length; i++) {
            many[i] = "m" + i;
        }
        Session transacted = connect().createSession(Session.SESSION_TRANSACTED);
        send(transacted, queue, many);
        transacted.commit();
        Enumeration<?> messages = session.createBrowser(queue).getEnumeration();
        assertThat(text((Message) messages.nextElement())).isEqualTo("m0");

        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(texts(consumer, 300)).endsWith("m299");
        send(queue, "late");

        List<String> rest = new ArrayList<>();
        while (messages.hasMoreElements()) {
            rest.add(text((Message) messages.nextElement()));
        }
        assertThat(rest).doesNotHaveDuplicates().contains("m300", "m499").endsWith("late");
    }

    @Test
    void shouldShowWhatIsDeliveredAndNotAcknowledged() throws Exception {
        MetaQQueue queue = newQueue();
        send(queue, "a", "b");
        Session session = connect().createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        Message first = receive(consumer);
        QueueBrowser browser = session.createBrowser(queue);
        assertThat(browsed(browser)).containsExactly("a", "b");
        first.acknowledge();
        assertThat(browsed(browser)).containsExactly("b");
    }

    @Spec("Jakarta Messaging 3.1 §3.4.9")
    @Test
    void shouldNotShowWhatExpired() throws Exception {
        MetaQQueue queue = newQueue();
        Session session = connect().createSession();
        MessageProducer producer = session.createProducer(queue);
        producer.setTimeToLive(50);
        producer.send(session.createTextMessage("short"));
        producer.setTimeToLive(0);
        producer.send(session.createTextMessage("long"));
        QueueBrowser browser = session.createBrowser(queue);
        await().untilAsserted(() -> assertThat(browsed(browser)).containsExactly("long"));
    }

    @Test
    void shouldNotAcknowledgeWhatIsBrowsed() throws Exception {
        MetaQQueue queue = newQueue();
        send(queue, "a");
        Session session = connect().createSession(Session.CLIENT_ACKNOWLEDGE);
        Enumeration<?> messages = session.createBrowser(queue).getEnumeration();
        Message message = (Message) messages.nextElement();
        assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        message.acknowledge();
        assertThat(described(receive(session.createConsumer(queue)))).isEqualTo("a#1");
    }

    @Spec("Jakarta Messaging 3.1 §6.2.2")
    @Test
    void shouldBrowseATemporaryQueueOfItsOwnConnectionOnly() throws Exception {
        Connection connection = connect();
        Session session = connection.createSession();
        Queue temporary = session.createTemporaryQueue();
        send(session, temporary, "a");
        assertThat(browsed(session.createBrowser(temporary))).containsExactly("a");
        Session other = connect().createSession();
        assertThatThrownBy(() -> other.createBrowser(temporary))
                .isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    void shouldEndWithItsBrowserAndItsSession() throws Exception {
        MetaQQueue queue = newQueue();
        send(queue, "a", "b");
        Session session = connect().createSession();
        QueueBrowser browser = session.createBrowser(queue);
        Enumeration<?> messages = browser.getEnumeration();
        messages.nextElement();
        browser.close();
        browser.close();
        assertThatThrownBy(messages::hasMoreElements)
                .isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(browser::getEnumeration).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(browser::getQueue).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(browser::getMessageSelector).isInstanceOf(IllegalStateException.class);
        QueueBrowser second = session.createBrowser(queue);
        session.close();
        assertThatThrownBy(second::getEnumeration).isInstanceOf(IllegalStateException.class);
        second.close();
    }

    @Test
    void shouldRefuseWhatIsNoQueueAndNextBehindTheLast() throws Exception {
        Session session = connect().createSession();
        assertThatThrownBy(() -> session.createBrowser(null))
                .isInstanceOf(InvalidDestinationException.class);
        Enumeration<?> none = session.createBrowser(newQueue()).getEnumeration();
        assertThat(none.hasMoreElements()).isFalse();
        assertThatThrownBy(none::nextElement).isInstanceOf(NoSuchElementException.class);
    }
}
