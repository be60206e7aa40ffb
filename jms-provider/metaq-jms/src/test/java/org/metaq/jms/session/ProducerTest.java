package org.metaq.jms.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import jakarta.jms.TopicSession;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.protocol.Command;
import org.metaq.protocol.Durability;
import org.metaq.protocol.ErrorCode;
import org.slf4j.LoggerFactory;

@Timeout(60)
class ProducerTest {
    private MemoryBroker broker;
    private MetaQConnectionFactory factory;
    private Connection connection;
    private Session session;
    private Queue queue;

    @BeforeEach
    void connect() throws Exception {
        broker = new MemoryBroker();
        factory = new MetaQConnectionFactory(broker.uri(""));
        connection = factory.createConnection();
        connection.start();
        session = connection.createSession();
        queue = session.createQueue("q");
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
        broker.close();
    }

    private static CompletionListener completion(
            List<Object> results, CountDownLatch gate, Session session) {
        return new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                try {
                    gate.await();
                    results.add(((TextMessage) message).getText());
                    session.close();
                } catch (InterruptedException | JMSException e) {
                    results.add(e.getClass());
                }
            }

            @Override
            public void onException(Message message, Exception exception) {
                results.add(exception);
            }
        };
    }

    @Test
    void shouldCallCompletionListenersInOrderAndLetCloseWaitForThem() throws Exception {
        List<Object> results = new CopyOnWriteArrayList<>();
        CountDownLatch gate = new CountDownLatch(1);
        MessageProducer producer = session.createProducer(queue);
        producer.send(session.createTextMessage("a"), completion(results, gate, session));
        producer.send(session.createTextMessage("b"), completion(results, gate, session));
        Thread closer =
                new Thread(
                        () -> {
                            try {
                                producer.close();
                                results.add("closed");
                            } catch (JMSException e) {
                                results.add(e);
                            }
                        });
        closer.start();
        await().until(() -> closer.getState() == Thread.State.WAITING);
        assertThat(results).isEmpty();

        gate.countDown();
        closer.join();

        assertThat(results)
                .containsExactly(
                        "a",
                        IllegalStateException.class,
                        "b",
                        IllegalStateException.class,
                        "closed");
    }

    @Test
    void shouldTellCompletionListenerWhyAnAsynchronousSendFailed() throws Exception {
        List<Object> results = new CopyOnWriteArrayList<>();
        broker.script.expect(Command.Send.class).thenError(ErrorCode.DISK_FULL, "1 byte left");
        session.createProducer(queue)
                .send(
                        session.createTextMessage("a"),
                        completion(results, new CountDownLatch(0), session));
        await().until(() -> results.size() == 1);
        assertThat(results.get(0)).isInstanceOf(jakarta.jms.ResourceAllocationException.class);
    }

    @Test
    void shouldNotWaitForTheReplyToNonPersistentMessage() throws Exception {
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        var unanswered = broker.script.expect(Command.Send.class);
        TextMessage message = session.createTextMessage("x");

        producer.send(message, DeliveryMode.NON_PERSISTENT, 7, 1000);

        assertThat(unanswered.await().durability()).isEqualTo(Durability.LAZY);
        assertThat(message.getJMSPriority()).isEqualTo(7);
        assertThat(message.getJMSExpiration()).isEqualTo(message.getJMSTimestamp() + 1000);
        assertThat(message.getJMSDestination()).isEqualTo(queue);
        unanswered.replyOk("1 0 0");
    }

    @Test
    void shouldLogTheFirstNonPersistentMessageThatMayBeLostAndThenTheirNumber() throws Exception {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(LostSends.class);
        logger.addAppender(log);
        try {
            MessageProducer producer = session.createProducer(queue);
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            for (int i = 0; i < 3; i++) {
                broker.script.expect(Command.Send.class);
                producer.send(session.createMessage());
            }
            connection.close();
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list)
                .filteredOn(event -> event.getLevel() == Level.WARN)
                .extracting(ILoggingEvent::getFormattedMessage)
                .satisfiesExactly(
                        first -> assertThat(first).contains("queue://q"),
                        last -> assertThat(last).contains("3 non-persistent messages"));
    }

    @Test
    void shouldKeepRulesOfDestinations() throws Exception {
        MessageProducer bound = session.createProducer(queue);
        MessageProducer free = session.createProducer(null);
        Message message = session.createMessage();
        assertThatThrownBy(() -> free.send(message))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> bound.send(queue, message))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> free.send((jakarta.jms.Destination) null, message))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> bound.send(null)).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> session.createConsumer(null))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.unsubscribe(""))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createDurableConsumer(session.createTopic("t"), "s"))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> bound.setDeliveryDelay(-5))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("-5 is no delivery delay");
    }

    @Test
    void shouldSendGroupToOnePartitionAndSpreadSessions() throws Exception {
        broker.script.expect(Command.Resolve.class).thenOk("queue@wide 0,1,2,3");
        Queue wide = session.createQueue("wide");
        MessageProducer producer = session.createProducer(wide);
        producer.send(session.createMessage());
        producer.send(session.createMessage());
        Session second = connection.createSession();
        second.createProducer(wide).send(second.createMessage());
        Message grouped = session.createMessage();
        grouped.setStringProperty("JMSXGroupID", "g");
        producer.send(grouped);
        second.createProducer(wide).send(grouped);

        List<Integer> partitions =
                broker.commands(Command.Send.class).stream().map(Command.Send::partition).toList();
        assertThat(partitions.get(0)).isEqualTo(partitions.get(1));
        assertThat(partitions.get(2)).isNotEqualTo(partitions.get(0));
        assertThat(partitions.get(3)).isEqualTo(partitions.get(4));
    }

    @Test
    void shouldRefuseTopicMethodsOfQueueSessionAndTheOtherWayRound() throws Exception {
        QueueSession queues =
                factory.createQueueConnection().createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        TopicSession topics =
                factory.createTopicConnection().createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        assertThatThrownBy(() -> queues.createTopic("t")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(queues::createTemporaryTopic).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> queues.unsubscribe("s")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> topics.createQueue("q")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> topics.createBrowser(queue))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldKeepRulesOfClientIds() throws Exception {
        assertThatThrownBy(() -> connection.setClientID("late"))
                .isInstanceOf(IllegalStateException.class);
        try (Connection fresh = factory.createConnection()) {
            assertThatThrownBy(() -> fresh.setClientID(""))
                    .isInstanceOf(InvalidClientIDException.class);
            fresh.setClientID("me");
            assertThat(fresh.getClientID()).isEqualTo("me");
            assertThatThrownBy(() -> fresh.setClientID("you"))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(() -> connection.createSession(false, -1))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> factory.createContext(-1)).isInstanceOf(JMSRuntimeException.class);
    }

    @Test
    void shouldOwnTemporaryQueuesByConnection() throws Exception {
        TemporaryQueue temporary = session.createTemporaryQueue();
        session.createProducer(temporary).send(session.createTextMessage("hi"));
        assertThat(((TextMessage) session.createConsumer(temporary).receive(5000)).getText())
                .isEqualTo("hi");
        try (Connection other = factory.createConnection()) {
            Session foreign = other.createSession();
            assertThatThrownBy(() -> foreign.createConsumer(temporary))
                    .isInstanceOf(InvalidDestinationException.class);
        }
        temporary.delete();
        assertThatThrownBy(() -> session.createConsumer(temporary))
                .isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    void shouldSendAndReceiveBodiesThroughContext() {
        try (JMSContext context = factory.createContext()) {
            JMSConsumer consumer = context.createConsumer(queue);
            context.createProducer()
                    .setProperty("n", 5)
                    .setJMSType("kind")
                    .send(queue, "text")
                    .send(queue, new byte[] {1, 2});

            assertThatThrownBy(() -> consumer.receiveBody(Integer.class, 5000))
                    .isInstanceOf(MessageFormatRuntimeException.class);
            Message first = consumer.receive(5000);
            assertThat(JmsErrors.unchecked(() -> first.getIntProperty("n"))).isEqualTo(5);
            assertThat(JmsErrors.unchecked(() -> first.getIntProperty("JMSXDeliveryCount")))
                    .isEqualTo(1);
            assertThat(consumer.receiveBody(byte[].class, 5000)).containsExactly(1, 2);
            assertThat(consumer.receiveBodyNoWait(String.class)).isNull();
            assertThatThrownBy(() -> context.createProducer().send(null, "x"))
                    .isInstanceOf(InvalidDestinationRuntimeException.class);
            JMSContext second = context.createContext(JMSContext.SESSION_TRANSACTED);
            context.close();
            second.createProducer().send(queue, "committed");
            second.commit();
            second.close();
            assertThatThrownBy(second::commit).isInstanceOf(IllegalStateRuntimeException.class);
        }
    }
}
