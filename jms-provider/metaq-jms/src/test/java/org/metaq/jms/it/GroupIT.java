package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.metaq.jms.destination.MetaQQueue;

/** Message groups: {@code JMSXGroupID} and {@code JMSXGroupSeq}. */
class GroupIT extends BrokerTestBase {
    private static void send(Session session, MetaQQueue queue, String group, int sequence)
            throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        Message message = session.createTextMessage(group + sequence);
        message.setStringProperty("JMSXGroupID", group);
        message.setIntProperty("JMSXGroupSeq", sequence);
        producer.send(message);
        producer.close();
    }

    @Spec("Jakarta Messaging 3.1 §3.5.9")
    @Test
    void shouldGiveAGroupToOneConsumerInOrder() throws Exception {
        MetaQQueue queue = newQueue();
        Map<String, List<String>> seen = new ConcurrentHashMap<>();
        Map<String, Set<Integer>> consumers = new ConcurrentHashMap<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            connect("prefetch=2")
                    .createSession()
                    .createConsumer(queue)
                    .setMessageListener(
                            message -> {
                                try {
                                    String group = message.getStringProperty("JMSXGroupID");
                                    seen.computeIfAbsent(group, g -> new CopyOnWriteArrayList<>())
                                            .add(text(message));
                                    consumers
                                            .computeIfAbsent(
                                                    group, g -> ConcurrentHashMap.newKeySet())
                                            .add(number);
                                } catch (JMSException e) {
                                    throw new AssertionError(e);
                                }
                            });
        }
        Session session = connect().createSession();
        for (int sequence = 1; sequence <= 20; sequence++) {
            for (String group : List.of("a", "b", "c", "d")) {
                send(session, queue, group, sequence);
            }
        }
        await().atMost(Duration.ofMillis(PATIENCE_MS))
                .until(() -> seen.values().stream().mapToInt(List::size).sum() == 80);
        seen.forEach(
                (group, texts) -> {
                    assertThat(texts).hasSize(20).startsWith(group + 1).endsWith(group + 20);
                    assertThat(consumers.get(group)).as("consumers of %s", group).hasSize(1);
                });
    }

    @Test
    void shouldGiveAGroupToAnotherConsumerWhenItsOwnCloses() throws Exception {
        MetaQQueue queue = newQueue();
        Connection connection = connect("prefetch=1");
        MessageConsumer first = connection.createSession().createConsumer(queue);
        Session session = connection.createSession();
        send(session, queue, "g", 1);
        Message one = receive(first);
        assertThat(one.getIntProperty("JMSXGroupSeq")).isEqualTo(1);
        MessageConsumer second = connection.createSession().createConsumer(queue);
        send(session, queue, "g", 2);
        assertThat(text(receive(first))).isEqualTo("g2");
        first.close();
        send(session, queue, "g", 3);
        assertThat(text(receive(second))).isEqualTo("g3");
    }
}
