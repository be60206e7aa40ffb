package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicSession;
import jakarta.jms.TopicSubscriber;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metaq.conformance.Spec;

/** §8.3.3 and §8.3.4: subscriptions that are kept until they are unsubscribed. */
class DurableSubscriptionIT extends ConformanceTest {
    private String clientId;
    private Connection connection;
    private Session session;
    private Topic topic;

    @BeforeEach
    void connectToATopic() throws JMSException {
        clientId = newName();
        connection = connect(clientId);
        session = connection.createSession();
        topic = newTopic();
    }

    private static void sendColored(Topic to, String... colors) throws JMSException {
        try (Connection other = provider().connectionFactory().createConnection()) {
            Session sender = other.createSession();
            MessageProducer producer = sender.createProducer(to);
            for (String color : colors) {
                Message message = sender.createTextMessage(color);
                message.setStringProperty("color", color);
                producer.send(message);
            }
        }
    }

    // ---- unshared

    @Test
    @Spec({"8.3.3", "8.3", "4.2.2"})
    void shouldKeepMessagesUntilTheyAreAcknowledged() throws JMSException {
        session.createDurableConsumer(topic, "sub").close();
        send(topic, "a", "b");
        connection.close();
        Session later = connect(clientId).createSession();
        MessageConsumer consumer = later.createDurableConsumer(topic, "sub");
        assertThat(texts(consumer, 1)).containsExactly("a");
        consumer.close();
        send(topic, "c");

        assertThat(texts(later.createDurableConsumer(topic, "sub"), 2)).containsExactly("b", "c");
    }

    @Test
    @Spec({"8.3.3", "2.9"})
    void shouldMakeDurableSubscribersOfEachForm() throws JMSException {
        MessageConsumer consumer = session.createDurableConsumer(topic, "c1");
        TopicSubscriber subscriber = session.createDurableSubscriber(topic, "c2");
        TopicSubscriber selecting =
                session.createDurableSubscriber(topic, "c3", "color = 'blue'", true);
        JMSContext context = context(newName());
        JMSConsumer ofContext = context.createDurableConsumer(topic, "c4");
        var topics = closedLater(provider().topicConnectionFactory().createTopicConnection());
        topics.setClientID(newName());
        topics.start();
        TopicSession topicSession = topics.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        TopicSubscriber legacy = topicSession.createDurableSubscriber(topic, "c5");

        sendColored(topic, "red", "blue");

        assertThat(subscriber.getTopic()).isEqualTo(topic);
        assertThat(selecting.getNoLocal()).isTrue();
        assertThat(subscriber.getNoLocal()).isFalse();
        assertThat(texts(consumer, 2)).containsExactly("red", "blue");
        assertThat(texts(subscriber, 2)).containsExactly("red", "blue");
        assertThat(texts(selecting, 1)).containsExactly("blue");
        assertThat(ofContext.receiveBody(String.class, PATIENCE_MS)).isEqualTo("red");
        assertThat(texts(legacy, 2)).containsExactly("red", "blue");
    }

    @Test
    @Spec({"8.3.3", "6.1.2", "10.3"})
    void shouldNeedAClientId() throws JMSException {
        Session without = session();

        assertThatThrownBy(() -> without.createDurableConsumer(topic, newName()))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> without.createDurableSubscriber(topic, newName()))
                .isInstanceOf(IllegalStateException.class);
        JMSContext context = context();
        assertThatThrownBy(() -> context.createDurableConsumer(topic, newName()))
                .isInstanceOf(IllegalStateRuntimeException.class);
    }

    @Test
    @Spec("8.3.3")
    void shouldHaveOneConsumerAtATime() throws JMSException {
        MessageConsumer first = session.createDurableConsumer(topic, "sub");
        Session other = connection.createSession();

        assertThatThrownBy(() -> other.createDurableConsumer(topic, "sub"))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> other.createDurableSubscriber(topic, "sub"))
                .isInstanceOf(JMSException.class);
        first.close();
        MessageConsumer second = other.createDurableConsumer(topic, "sub");
        send(topic, "a");
        assertThat(texts(second, 1)).containsExactly("a");
    }

    @Test
    @Spec({"8.3.3", "6.1.2"})
    void shouldTellSubscriptionsApartByClientId() throws JMSException {
        session.createDurableConsumer(topic, "sub").close();
        Session other = connect(newName()).createSession();
        other.createDurableConsumer(topic, "sub").close();
        send(topic, "a");

        assertThat(texts(session.createDurableConsumer(topic, "sub"), 1)).containsExactly("a");
        assertThat(texts(other.createDurableConsumer(topic, "sub"), 1)).containsExactly("a");
    }

    @Test
    @Spec("8.3.3")
    void shouldBeginAnewWithAnotherTopic() throws JMSException {
        Topic otherTopic = newTopic();
        session.createDurableConsumer(topic, "sub").close();
        send(topic, "old");
        MessageConsumer moved = session.createDurableConsumer(otherTopic, "sub");
        send(topic, "old topic");
        send(otherTopic, "new topic");

        assertThat(texts(moved, 1)).containsExactly("new topic");
        assertThat(moved.receiveNoWait()).isNull();
    }

    @Test
    @Spec("8.3.3")
    void shouldBeginAnewWithAnotherSelector() throws JMSException {
        session.createDurableConsumer(topic, "sub", "color = 'blue'", false).close();
        sendColored(topic, "blue");
        MessageConsumer red = session.createDurableConsumer(topic, "sub", "color = 'red'", false);
        sendColored(topic, "blue", "red");

        assertThat(texts(red, 1)).containsExactly("red");
    }

    @Test
    @Spec("8.3.3")
    void shouldBeginAnewWithAnotherNoLocal() throws JMSException {
        session.createDurableConsumer(topic, "sub", null, false).close();
        send(topic, "old");
        MessageConsumer noLocal = session.createDurableConsumer(topic, "sub", null, true);
        send(topic, "new");

        assertThat(texts(noLocal, 1)).containsExactly("new");
    }

    @Test
    @Spec("8.3.3")
    void shouldGoOnWithTheSameArguments() throws JMSException {
        session.createDurableConsumer(topic, "sub", "color = 'blue'", false).close();
        sendColored(topic, "red", "blue");

        MessageConsumer same = session.createDurableConsumer(topic, "sub", "color = 'blue'", false);

        assertThat(texts(same, 1)).containsExactly("blue");
    }

    @Test
    @Spec("8.3.3")
    void shouldNotAddMessagesOfItsClientIfNotLocal() throws JMSException {
        MessageConsumer noLocal = session.createDurableConsumer(topic, "sub", null, true);
        send(session, topic, "own");
        noLocal.close();
        send(session, topic, "own while away");
        connection.close();
        Connection again = connect(clientId);
        Session later = again.createSession();
        send(later, topic, "own of another connection");
        send(topic, "of others");

        MessageConsumer consumer = later.createDurableConsumer(topic, "sub", null, true);

        assertThat(texts(consumer, 1)).containsExactly("of others");
    }

    @Test
    @Spec({"8.3.3", "3.8"})
    void shouldAddWhatIsSelectedOnly() throws JMSException {
        session.createDurableConsumer(topic, "sub", "color IN ('blue', 'red')", false).close();
        sendColored(topic, "red", "green", "blue");

        MessageConsumer consumer =
                session.createDurableConsumer(topic, "sub", "color IN ('blue', 'red')", false);

        assertThat(texts(consumer, 2)).containsExactly("red", "blue");
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    @Spec({"8.3.3", "8.3.4", "10.3"})
    void shouldUnsubscribe() throws JMSException {
        session.createDurableConsumer(topic, "sub").close();
        send(topic, "a");
        session.unsubscribe("sub");

        assertThatThrownBy(() -> session.unsubscribe("sub"))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> context(newName()).unsubscribe("never"))
                .isInstanceOf(InvalidDestinationRuntimeException.class);
    }

    @Test
    @Spec("8.3.3")
    void shouldNotUnsubscribeWhileInUse() throws JMSException {
        MessageConsumer consumer = session.createDurableConsumer(topic, "sub");

        assertThatThrownBy(() -> session.unsubscribe("sub")).isInstanceOf(JMSException.class);
        consumer.close();
        session.unsubscribe("sub");
    }

    @Test
    @Spec("8.3.3")
    void shouldNotUnsubscribeWhatATransactionHolds() throws JMSException {
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = transacted.createDurableConsumer(topic, "sub");
        send(topic, "a");
        assertThat(texts(consumer, 1)).containsExactly("a");
        consumer.close();

        assertThatThrownBy(() -> transacted.unsubscribe("sub")).isInstanceOf(JMSException.class);
        transacted.commit();
        transacted.unsubscribe("sub");
    }

    // ---- shared

    @Test
    @Spec({"8.3.4", "8.3"})
    void shouldShareADurableSubscription() throws JMSException {
        String name = newName();
        session.createSharedDurableConsumer(topic, name).close();
        String[] sent = new String[20];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = "m" + i;
        }
        send(topic, sent);
        List<String> received = new ArrayList<>();
        MessageConsumer one = session.createSharedDurableConsumer(topic, name);
        MessageConsumer other = connection.createSession().createSharedDurableConsumer(topic, name);
        received.addAll(rest(one));
        one.close();
        received.addAll(rest(other));

        assertThat(received).containsExactlyInAnyOrder(sent);
    }

    @Test
    @Spec({"8.3.4", "6.1.2", "2.8"})
    void shouldShareWithAndWithoutClientId() throws JMSException {
        String name = newName();
        Session without = session();
        without.createSharedDurableConsumer(topic, name).close();
        session.createSharedDurableConsumer(topic, name).close();
        JMSContext context = context();
        send(topic, "a");

        JMSConsumer same = context.createSharedDurableConsumer(topic, name);
        assertThat(same.receiveBody(String.class, PATIENCE_MS)).isEqualTo("a");
        same.close();
        assertThat(texts(session.createSharedDurableConsumer(topic, name), 1)).containsExactly("a");
        context.unsubscribe(name);
    }

    @Test
    @Spec("8.3.4")
    void shouldKeepMessagesOfASharedSubscription() throws JMSException {
        String name = newName();
        Session first = session();
        first.createSharedDurableConsumer(topic, name).close();
        first.close();
        send(topic, "a");

        assertThat(texts(session().createSharedDurableConsumer(topic, name), 1))
                .containsExactly("a");
    }

    @Test
    @Spec("8.3.4")
    void shouldRefuseOtherArgumentsWhileShared() throws JMSException {
        String name = newName();
        MessageConsumer first = session.createSharedDurableConsumer(topic, name, "color = 'blue'");
        Session other = connection.createSession();

        assertThatThrownBy(() -> other.createSharedDurableConsumer(topic, name))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> other.createSharedDurableConsumer(topic, name, "color = 'red'"))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(
                        () -> other.createSharedDurableConsumer(newTopic(), name, "color = 'blue'"))
                .isInstanceOf(JMSException.class);
        first.close();
    }

    @Test
    @Spec("8.3.4")
    void shouldBeginAnewWithOtherArgumentsWhenUnused() throws JMSException {
        String name = newName();
        session.createSharedDurableConsumer(topic, name).close();
        send(topic, "old");
        MessageConsumer blue = session.createSharedDurableConsumer(topic, name, "color = 'blue'");
        sendColored(topic, "red", "blue");
        assertThat(texts(blue, 1)).containsExactly("blue");
        blue.close();
        Topic otherTopic = newTopic();
        sendColored(topic, "blue");
        MessageConsumer moved = session.createSharedDurableConsumer(otherTopic, name);
        send(otherTopic, "moved");

        assertThat(texts(moved, 1)).containsExactly("moved");
    }

    @Test
    @Spec({"8.3.3", "8.3.4"})
    void shouldNotShareWhatIsUnsharedNorTheOtherWay() throws JMSException {
        MessageConsumer unshared = session.createDurableConsumer(topic, "one");
        Session other = connection.createSession();
        assertThatThrownBy(() -> other.createSharedDurableConsumer(topic, "one"))
                .isInstanceOf(JMSException.class);
        unshared.close();
        assertThatThrownBy(() -> other.createSharedDurableConsumer(topic, "one"))
                .isInstanceOf(JMSException.class);

        MessageConsumer shared = session.createSharedDurableConsumer(topic, "two");
        assertThatThrownBy(() -> other.createDurableConsumer(topic, "two"))
                .isInstanceOf(JMSException.class);
        shared.close();
        assertThatThrownBy(() -> other.createDurableConsumer(topic, "two"))
                .isInstanceOf(JMSException.class);
        JMSContext context = context(newName());
        context.createDurableConsumer(topic, "three").close();
        assertThatThrownBy(() -> context.createSharedDurableConsumer(topic, "three"))
                .isInstanceOf(JMSRuntimeException.class);
    }

    @Test
    @Spec("8.3.4")
    void shouldNotUnsubscribeASharedOneWhileInUse() throws JMSException {
        String name = newName();
        Session without = session();
        MessageConsumer consumer = without.createSharedDurableConsumer(topic, name);

        assertThatThrownBy(() -> without.unsubscribe(name)).isInstanceOf(JMSException.class);
        consumer.close();
        without.unsubscribe(name);
    }
}
