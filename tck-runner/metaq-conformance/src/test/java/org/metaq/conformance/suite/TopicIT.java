package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicRequestor;
import jakarta.jms.TopicSession;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.conformance.Spec;

/** §4.2: topics. */
class TopicIT extends ConformanceTest {
    @Test
    @Spec({"4.2", "4.2.2", "8.3.1"})
    void shouldGiveEachSubscriptionItsCopy() throws JMSException {
        Topic topic = newTopic();
        Session session = session();
        MessageConsumer one = session.createConsumer(topic);
        MessageConsumer sameSession = session.createConsumer(topic);
        MessageConsumer other = session().createConsumer(topic);

        send(topic, "a", "b");

        assertThat(texts(one, 2)).containsExactly("a", "b");
        assertThat(texts(sameSession, 2)).containsExactly("a", "b");
        assertThat(texts(other, 2)).containsExactly("a", "b");
    }

    @Test
    @Spec({"4.2.2", "4.2.11"})
    void shouldGiveNothingThatWasSentBeforeTheSubscription() throws JMSException {
        Topic topic = newTopic();
        Session session = session();
        MessageConsumer first = session.createConsumer(topic);
        send(topic, "early");
        assertThat(texts(first, 1)).containsExactly("early");

        MessageConsumer late = session.createConsumer(topic);
        send(topic, "late");

        assertThat(texts(late, 1)).containsExactly("late");
    }

    @Test
    @Spec("4.2.2")
    void shouldKeepCopiesIndependent() throws JMSException {
        Topic topic = newTopic();
        Session one = session(Session.CLIENT_ACKNOWLEDGE);
        Session other = session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer first = one.createConsumer(topic);
        MessageConsumer second = other.createConsumer(topic);
        send(topic, "a");

        receive(first).acknowledge();
        assertThat(described(receive(second))).isEqualTo("a#1");
        other.recover();
        one.recover();

        assertThat(described(receive(second))).isEqualTo("a#2R");
        assertThat(first.receiveNoWait()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"letters", "DIGITS012", "under_score", "dot.ted", "mi-nus", "\u00e4\u6570"})
    @Spec("4.2.4")
    void shouldTakeSubscriptionNamesOfAllCharacters(String prefix) throws JMSException {
        shouldTakeSubscriptionName(prefix + newName());
    }

    @Test
    @Spec("4.2.4")
    void shouldTakeSubscriptionNamesOf128Characters() throws JMSException {
        shouldTakeSubscriptionName((newName() + "x".repeat(128)).substring(0, 128));
    }

    private void shouldTakeSubscriptionName(String name) throws JMSException {
        Topic topic = newTopic();
        Session session = connect(newName()).createSession();
        MessageConsumer durable = session.createDurableConsumer(topic, name);
        MessageConsumer shared = session.createSharedConsumer(topic, name);
        MessageConsumer sharedDurable = session().createSharedDurableConsumer(topic, name);

        send(topic, "a");

        assertThat(texts(durable, 1)).containsExactly("a");
        assertThat(texts(shared, 1)).containsExactly("a");
        assertThat(texts(sharedDurable, 1)).containsExactly("a");
    }

    @Test
    @Spec({"4.2.6", "6.2.3"})
    void shouldNameTheSameTopicByItsName() throws JMSException {
        Topic topic = newTopic();
        Session session = session();
        Topic named = session.createTopic(topic.getTopicName());
        MessageConsumer consumer = session.createConsumer(named);

        send(topic, "a");

        assertThat(named.getTopicName()).isEqualTo(topic.getTopicName());
        assertThat(texts(consumer, 1)).containsExactly("a");
    }

    @Test
    @Spec({"4.2.7", "6.2.2"})
    void shouldMakeUniqueTemporaryTopics() throws JMSException {
        Session one = session();
        Session other = session();
        Set<String> names = new TreeSet<>();
        for (int i = 0; i < 5; i++) {
            names.add(one.createTemporaryTopic().getTopicName());
            names.add(other.createTemporaryTopic().getTopicName());
        }

        assertThat(names).hasSize(10);
    }

    @Test
    @Spec({"4.2.7", "6.2.2"})
    void shouldLetOnlyTheOwnConnectionConsumeFromATemporaryTopic() throws JMSException {
        Connection connection = connect();
        Topic temporary = connection.createSession().createTemporaryTopic();
        Session other = session();

        assertThatThrownBy(() -> other.createConsumer(temporary)).isInstanceOf(JMSException.class);
        MessageConsumer own = connection.createSession().createConsumer(temporary);
        send(other, temporary, "a");
        assertThat(texts(own, 1)).containsExactly("a");
    }

    @Test
    @Spec({"4.2.8", "6.2.10"})
    void shouldRecoverANonDurableSubscriberWhileItLives() throws JMSException {
        Topic topic = newTopic();
        Session session = session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(topic);
        send(topic, "a", "b");
        assertThat(texts(consumer, 2)).containsExactly("a", "b");

        session.recover();

        assertThat(described(receive(consumer))).isEqualTo("a#2R");
        assertThat(described(receive(consumer))).isEqualTo("b#2R");
    }

    @Test
    @Spec({"4.2.8", "6.2", "8.3.3"})
    void shouldRedeliverToADurableSubscriberOfALaterSession() throws JMSException {
        Topic topic = newTopic();
        Connection connection = connect(newName());
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createDurableConsumer(topic, "sub");
        send(topic, "a");
        assertThat(texts(consumer, 1)).containsExactly("a");
        session.close();

        Message again = receive(connection.createSession().createDurableConsumer(topic, "sub"));

        assertThat(text(again)).isEqualTo("a");
        assertThat(again.getJMSRedelivered()).isTrue();
    }

    @Test
    @Spec({"4.2.11", "8.3.3", "4.2.2"})
    void shouldKeepForADurableSubscriberWhatItMissed() throws JMSException {
        Topic topic = newTopic();
        Session session = connect(newName()).createSession();
        session.createDurableConsumer(topic, "sub").close();
        send(topic, "a", "b");

        assertThat(texts(session.createDurableConsumer(topic, "sub"), 2)).containsExactly("a", "b");
    }

    @Test
    @Spec({"4.2.9", "8.3.3"})
    void shouldCreateAndDeleteDurableSubscriptionsByProgram() throws JMSException {
        Topic topic = newTopic();
        Session session = connect(newName()).createSession();
        session.createDurableConsumer(topic, "sub").close();
        send(topic, "lost");
        session.unsubscribe("sub");
        MessageConsumer again = session.createDurableConsumer(topic, "sub");
        send(topic, "new");

        assertThat(texts(again, 1)).containsExactly("new");
    }

    @Test
    @Spec({"4.2.10", "2.16", "2.9"})
    void shouldServeTheTopicRequestor() throws Exception {
        Topic topic = newTopic();
        Session server = session();
        server.createConsumer(topic)
                .setMessageListener(
                        request -> {
                            try {
                                server.createProducer(request.getJMSReplyTo())
                                        .send(server.createTextMessage("re: " + text(request)));
                            } catch (JMSException e) {
                                throw new IllegalStateException(e);
                            }
                        });
        TopicConnection connection =
                closedLater(provider().topicConnectionFactory().createTopicConnection());
        connection.start();
        TopicSession session = connection.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        TopicRequestor requestor = new TopicRequestor(session, topic);

        assertThat(text(requestor.request(session.createTextMessage("one")))).isEqualTo("re: one");
        requestor.close();
    }
}
