package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.metaq.jms.destination.MetaQTopic;

/** Subscriptions of every kind, and client ids. */
class TopicIT extends BrokerTestBase {
    private static final String[] MANY = new String[60];

    static {
        for (int i = 0; i < MANY.length; i++) {
            MANY[i] = "m" + i;
        }
    }

    // ---- unshared non-durable

    @Test
    @Spec("JMS 3.1 §8.3.1")
    void shouldGiveEachSubscriberItsCopyOfWhatIsSentWhileItIsThere() throws Exception {
        MetaQTopic topic = newTopic();
        send(topic, "before");
        Session session = connect().createSession();
        MessageConsumer one = session.createConsumer(topic);
        MessageConsumer two = connect().createSession().createConsumer(topic);
        send(topic, "a", "b");
        assertThat(described(one, 2)).containsExactly("a#1", "b#1");
        assertThat(texts(two, 1)).containsExactly("a");
        one.close();
        send(topic, "c");
        assertThat(session.createConsumer(topic).receiveNoWait()).isNull();
        assertThat(texts(two, 2)).containsExactly("b", "c");
    }

    @Test
    @Spec("JMS 3.1 §6.2.7, §6.2.10: for topics as for queues")
    void shouldRedeliverToANonDurableSubscriber() throws Exception {
        MetaQTopic topic = newTopic();
        Session session = connect().createSession(Session.SESSION_TRANSACTED);
        MessageConsumer subscriber = session.createConsumer(topic);
        send(topic, "a", "b");
        assertThat(texts(subscriber, 2)).containsExactly("a", "b");
        session.rollback();
        assertThat(described(subscriber, 2)).containsExactly("a#2R", "b#2R");
        session.commit();
        assertThat(subscriber.receiveNoWait()).isNull();
    }

    // ---- unshared durable

    @Test
    @Spec("JMS 3.1 §8.3.3")
    void shouldKeepForADurableSubscriberWhatIsSentWhileItIsAway() throws Exception {
        MetaQTopic topic = newTopic();
        String id = newName();
        Connection first = connect("clientId=" + id);
        MessageConsumer subscriber = first.createSession().createDurableConsumer(topic, "sub");
        send(topic, "a", "b");
        assertThat(texts(subscriber, 1)).containsExactly("a");
        first.close();
        send(topic, MANY);
        Connection second = connect("clientId=" + id);
        Session session = second.createSession();
        MessageConsumer again = session.createDurableConsumer(topic, "sub");
        assertThat(texts(again, 1)).containsExactly("b");
        assertThat(texts(again, MANY.length)).containsExactly(MANY);
        again.close();
        send(topic, "c");
        assertThat(described(session.createDurableSubscriber(topic, "sub"), 1))
                .containsExactly("c#1");
    }

    @Test
    @Spec("JMS 3.1 §8.3.3: the client id is part of the name")
    void shouldKeepDurableSubscriptionsOfDifferentClientsApart() throws Exception {
        MetaQTopic topic = newTopic();
        MessageConsumer one =
                connect("clientId=" + newName()).createSession().createDurableConsumer(topic, "s");
        MessageConsumer two =
                connect("clientId=" + newName()).createSession().createDurableConsumer(topic, "s");
        send(topic, "a");
        assertThat(texts(one, 1)).containsExactly("a");
        assertThat(texts(two, 1)).containsExactly("a");
    }

    @Test
    @Spec("JMS 3.1 §8.3.3")
    void shouldRefuseASecondConsumerOfAnUnsharedDurableSubscription() throws Exception {
        MetaQTopic topic = newTopic();
        Session session = connect("clientId=" + newName()).createSession();
        MessageConsumer first = session.createDurableConsumer(topic, "sub");
        assertThatThrownBy(() -> session.createDurableConsumer(topic, "sub"))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("active consumer");
        assertThatThrownBy(() -> session.createDurableConsumer(newTopic(), "sub"))
                .isInstanceOf(JMSException.class);
        first.close();
        session.createDurableConsumer(topic, "sub");
    }

    @Test
    @Spec("JMS 3.1 §8.3.3, Session.unsubscribe")
    void shouldUnsubscribeOnlyWithoutActiveConsumer() throws Exception {
        MetaQTopic topic = newTopic();
        Session session = connect("clientId=" + newName()).createSession();
        MessageConsumer subscriber = session.createDurableConsumer(topic, "sub");
        assertThatThrownBy(() -> session.unsubscribe("sub")).isInstanceOf(JMSException.class);
        subscriber.close();
        send(topic, "a");
        session.unsubscribe("sub");
        assertThatThrownBy(() -> session.unsubscribe("sub"))
                .isInstanceOf(InvalidDestinationException.class);
        assertThat(session.createDurableConsumer(topic, "sub").receiveNoWait()).isNull();
    }

    @Test
    @Spec("JMS 3.1 Session.unsubscribe: nor while a message is part of a transaction")
    void shouldRefuseToUnsubscribeWhileATransactionHoldsAMessage() throws Exception {
        MetaQTopic topic = newTopic();
        Session session =
                connect("clientId=" + newName()).createSession(Session.SESSION_TRANSACTED);
        MessageConsumer subscriber = session.createDurableConsumer(topic, "sub");
        send(topic, "a");
        receive(subscriber);
        subscriber.close();
        assertThatThrownBy(() -> session.unsubscribe("sub")).isInstanceOf(JMSException.class);
        session.commit();
        session.unsubscribe("sub");
    }

    @Test
    @Spec("JMS 3.1 §8.3.3: another topic makes a new subscription")
    void shouldDropTheOldSubscriptionWhenItsTopicChanges() throws Exception {
        MetaQTopic old = newTopic();
        MetaQTopic other = newTopic();
        Session session = connect("clientId=" + newName()).createSession();
        session.createDurableConsumer(old, "sub").close();
        send(old, "a");
        MessageConsumer changed = session.createDurableConsumer(other, "sub");
        send(old, "b");
        send(other, "c");
        assertThat(texts(changed, 1)).containsExactly("c");
        changed.close();
        MessageConsumer back = session.createDurableConsumer(old, "sub");
        assertThat(back.receiveNoWait()).isNull();
        send(old, "d");
        assertThat(texts(back, 1)).containsExactly("d");
    }

    @Test
    @Spec("JMS 3.1 §8.3.3: an unshared durable subscription needs a client id")
    void shouldRefuseAnUnsharedDurableSubscriptionWithoutClientId() throws Exception {
        Session session = connect().createSession();
        MetaQTopic topic = newTopic();
        assertThatThrownBy(() -> session.createDurableConsumer(topic, "sub"))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createDurableSubscriber(topic, "sub"))
                .isInstanceOf(IllegalStateException.class);
    }

    // ---- shared

    @Test
    @Spec("JMS 3.1 §8.3.2")
    void shouldShareANonDurableSubscriptionUntilItsLastConsumerCloses() throws Exception {
        MetaQTopic topic = newTopic();
        Connection one = connect("prefetch=1");
        Connection two = connect("prefetch=1");
        List<String> got = new CopyOnWriteArrayList<>();
        List<String> single = new CopyOnWriteArrayList<>();
        listen(one.createSession().createSharedConsumer(topic, "shared"), got);
        listen(two.createSession().createSharedConsumer(topic, "shared"), got);
        listen(one.createSession().createSharedConsumer(topic, "other"), single);
        send(topic, MANY);
        await().until(() -> got.size() >= MANY.length && single.size() == MANY.length);
        assertThat(got).containsExactlyInAnyOrder(MANY);
        one.close();
        send(topic, "left");
        await().until(() -> got.contains("left"));
        two.close();
        send(topic, "nobody");
        MessageConsumer later = connect().createSession().createSharedConsumer(topic, "shared");
        assertThat(later.receiveNoWait()).isNull();
    }

    private static void listen(MessageConsumer consumer, List<String> got) throws JMSException {
        consumer.setMessageListener(
                message -> {
                    try {
                        got.add(text(message));
                    } catch (JMSException e) {
                        got.add(e.toString());
                    }
                });
    }

    @Test
    @Spec("JMS 3.1 §8.3.4: without client id")
    void shouldShareADurableSubscriptionBetweenConnectionsWithoutClientId() throws Exception {
        MetaQTopic topic = newTopic();
        String name = newName();
        Connection one = connect("prefetch=1");
        Connection two = connect("prefetch=1");
        List<String> got = new CopyOnWriteArrayList<>();
        listen(one.createSession().createSharedDurableConsumer(topic, name), got);
        listen(two.createSession().createSharedDurableConsumer(topic, name), got);
        send(topic, MANY);
        await().until(() -> got.size() >= MANY.length);
        assertThat(got).containsExactlyInAnyOrder(MANY);
        one.close();
        two.close();
        send(topic, "a", "b");
        Session session = connect().createSession();
        MessageConsumer later = session.createSharedDurableConsumer(topic, name);
        assertThat(texts(later, 2)).containsExactly("a", "b");
        assertThatThrownBy(() -> session.unsubscribe(name)).isInstanceOf(JMSException.class);
        later.close();
        session.unsubscribe(name);
    }

    @Test
    @Spec("JMS 3.1 §8.3.4: with client id, which is part of the name")
    void shouldShareADurableSubscriptionWithinAConnectionThatHasAClientId() throws Exception {
        MetaQTopic topic = newTopic();
        Connection connection = connect("clientId=" + newName() + "&prefetch=1");
        MessageConsumer one = connection.createSession().createSharedDurableConsumer(topic, "s");
        MessageConsumer two = connection.createSession().createSharedDurableConsumer(topic, "s");
        MessageConsumer without = connect().createSession().createSharedDurableConsumer(topic, "s");
        send(topic, "a", "b");
        List<String> both = new ArrayList<>(texts(one, 1));
        both.addAll(texts(two, 1));
        assertThat(both).containsExactlyInAnyOrder("a", "b");
        assertThat(texts(without, 2)).containsExactly("a", "b");
    }

    @Test
    @Spec("JMS 3.1 §8.3.3, §8.3.4")
    void shouldRefuseANameThatIsSharedAndUnsharedAtOnce() throws Exception {
        MetaQTopic topic = newTopic();
        Session session = connect("clientId=" + newName()).createSession();
        MessageConsumer unshared = session.createDurableConsumer(topic, "u");
        assertThatThrownBy(() -> session.createSharedDurableConsumer(topic, "u"))
                .isInstanceOf(JMSException.class);
        unshared.close();
        assertThatThrownBy(() -> session.createSharedDurableConsumer(topic, "u"))
                .as("nor while nobody consumes")
                .isInstanceOf(JMSException.class);
        MessageConsumer shared = session.createSharedDurableConsumer(topic, "s");
        assertThatThrownBy(() -> session.createDurableConsumer(topic, "s"))
                .isInstanceOf(JMSException.class);
        shared.close();
        // A non-durable one is another kind of subscription, whose names are apart.
        session.createSharedConsumer(topic, "u");
    }

    @Test
    @Spec("JMS 3.1 §8.3.2, §8.3.4: one topic per shared subscription that is in use")
    void shouldRefuseASharedConsumerOnAnotherTopic() throws Exception {
        MetaQTopic topic = newTopic();
        MetaQTopic other = newTopic();
        Session session = connect().createSession();
        String name = newName();
        session.createSharedConsumer(topic, name);
        assertThatThrownBy(() -> session.createSharedConsumer(other, name))
                .isInstanceOf(JMSException.class);
        MessageConsumer durable = session.createSharedDurableConsumer(topic, name);
        assertThatThrownBy(() -> session.createSharedDurableConsumer(other, name))
                .isInstanceOf(JMSException.class);
        durable.close();
        session.createSharedDurableConsumer(other, name);
    }

    // ---- noLocal

    @Test
    @Spec("JMS 3.1 §8.3.1, §8.3.3: noLocal")
    void shouldLeaveOutWhatItsOwnConnectionSentWhenNoLocal() throws Exception {
        MetaQTopic topic = newTopic();
        String id = newName();
        Connection connection = connect("clientId=" + id);
        Session session = connection.createSession();
        MessageConsumer quiet = session.createConsumer(topic, null, true);
        MessageConsumer durable = session.createDurableConsumer(topic, "sub", null, true);
        MessageConsumer all = session.createConsumer(topic);
        send(session, topic, "own");
        send(topic, "foreign");
        assertThat(texts(quiet, 1)).containsExactly("foreign");
        assertThat(texts(all, 2)).containsExactly("own", "foreign");
        durable.close();
        send(session, topic, "own again");
        connection.close();
        send(topic, "last");
        Session later = connect("clientId=" + id).createSession();
        assertThat(texts(later.createDurableConsumer(topic, "sub", null, true), 2))
                .as("its client id's messages count as local")
                .containsExactly("foreign", "last");
    }

    // ---- client ids

    @Test
    @Spec("JMS 3.1 §6.1.2")
    void shouldRefuseAClientIdThatAnotherConnectionHas() throws Exception {
        String id = newName();
        Connection holder = stopped("clientId=" + id);
        assertThat(holder.getClientID()).isEqualTo(id);
        assertThatThrownBy(() -> stopped("clientId=" + id))
                .isInstanceOf(InvalidClientIDException.class);
        Connection other = stopped("");
        assertThatThrownBy(() -> other.setClientID(id))
                .isInstanceOf(InvalidClientIDException.class);
        holder.close();
        other.setClientID(id);
        assertThat(other.getClientID()).isEqualTo(id);
        assertThat(other.createSession().createDurableConsumer(newTopic(), "sub")).isNotNull();
    }

    @Test
    @Spec("JMS 3.1 §6.1.2: set first, once, never over an administered one")
    void shouldRefuseAClientIdAfterUseAndASecondOne() throws Exception {
        Connection used = stopped("");
        assertThat(used.getClientID()).isNull();
        used.createSession();
        assertThatThrownBy(() -> used.setClientID(newName()))
                .isInstanceOf(IllegalStateException.class);
        Connection started = connect();
        assertThatThrownBy(() -> started.setClientID(newName()))
                .isInstanceOf(IllegalStateException.class);
        Connection administered = stopped("clientId=" + newName());
        assertThatThrownBy(() -> administered.setClientID(newName()))
                .isInstanceOf(IllegalStateException.class);
        Connection twice = stopped("");
        twice.setClientID(newName());
        assertThatThrownBy(() -> twice.setClientID(newName()))
                .isInstanceOf(IllegalStateException.class);
    }
}
