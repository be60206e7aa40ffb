package org.metaq.ra.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.Topic;
import jakarta.resource.spi.ManagedConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Life of the handles that applications have. */
class HandleIT extends OutboundTestBase {
    @Test
    void shouldCloseAllThatAConnectionHasOpened() throws Exception {
        Connection connection = application.createConnection();
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue);
        connection.close();
        connection.close();
        assertThatThrownBy(connection::createSession).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::createMessage).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(producer::getDestination).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(consumer::receiveNoWait).isInstanceOf(IllegalStateException.class);
        assertThat(server.idleCount()).isOne();
    }

    @Test
    void shouldNotReachTheNextUserThroughAHandleOfTheLast() throws Exception {
        ManagedConnection managed = factory.createManagedConnection(null, null);
        Connection last = (Connection) managed.getConnection(null, null);
        Session session = last.createSession();
        MessageProducer producer = session.createProducer(queue);
        Message message = session.createMessage();
        managed.cleanup();
        Connection next = (Connection) managed.getConnection(null, null);
        assertThatThrownBy(() -> producer.send(message)).isInstanceOf(IllegalStateException.class);
        last.close();
        next.createSession().createProducer(queue).send(message);
        managed.destroy();
    }

    @Test
    void shouldHaveOneOpenSessionAtATime() throws Exception {
        try (Connection connection = application.createConnection()) {
            Session first = connection.createSession();
            assertThatThrownBy(connection::createSession)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("open session");
            first.close();
            connection.createSession().close();
        }
    }

    @Test
    void shouldDeliverNothingBeforeItIsStarted() throws Exception {
        send("a");
        try (Connection connection = application.createConnection();
                Session session = connection.createSession();
                MessageConsumer consumer = session.createConsumer(queue)) {
            assertThat(consumer.receiveNoWait()).isNull();
            assertThat(consumer.receive(50)).isNull();
            CompletableFuture<Message> waiting =
                    CompletableFuture.supplyAsync(() -> receive(consumer));
            connection.start();
            assertThat(text(waiting.get(20, TimeUnit.SECONDS))).isEqualTo("a");
        }
    }

    private static Message receive(MessageConsumer consumer) {
        try {
            return consumer.receive();
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldEndAReceiveThatWaitsWhenTheConnectionIsClosed() throws Exception {
        Connection connection = application.createConnection();
        MessageConsumer consumer = connection.createSession().createConsumer(queue);
        CompletableFuture<Message> waiting = CompletableFuture.supplyAsync(() -> receive(consumer));
        connection.close();
        waiting.handle((message, failure) -> message).get(20, TimeUnit.SECONDS);
    }

    @Test
    void shouldStartAContextByItselfUnlessToldOtherwise() throws Exception {
        send("a");
        try (JMSContext context = application.createContext()) {
            assertThat(context.getAutoStart()).isTrue();
            context.setAutoStart(false);
            JMSConsumer consumer = context.createConsumer(queue);
            assertThat(consumer.receive(50)).isNull();
            context.start();
            assertThat(consumer.receiveBody(String.class, 20_000)).isEqualTo("a");
        }
        send("b");
        try (JMSContext context = application.createContext()) {
            assertThat(context.createConsumer(queue).receiveBody(String.class, 20_000))
                    .isEqualTo("b");
        }
        assertThat(server.createdCount()).isOne();
    }

    @Test
    void shouldDeleteTemporaryDestinationsWhenItIsCleanedUp() throws Exception {
        TemporaryQueue temporary;
        TemporaryTopic topic;
        try (Connection connection = application.createConnection();
                Session session = connection.createSession()) {
            temporary = session.createTemporaryQueue();
            topic = session.createTemporaryTopic();
            session.createConsumer(temporary);
            session.createProducer(temporary).send(session.createMessage());
        }
        assertThat(server.idleCount()).isOne();
        try (Connection connection = application.createConnection();
                Session session = connection.createSession()) {
            assertThatThrownBy(() -> session.createConsumer(temporary))
                    .isInstanceOf(InvalidDestinationException.class);
            assertThatThrownBy(() -> session.createConsumer(topic))
                    .isInstanceOf(InvalidDestinationException.class);
        }
        assertThat(factory.connectionCount()).isOne();
    }

    @Test
    void shouldKeepTemporaryDestinationsUntilTheTransactionEnds() throws Exception {
        server.begin();
        TemporaryQueue temporary;
        try (JMSContext context = application.createContext()) {
            temporary = context.createTemporaryQueue();
        }
        try (JMSContext context = application.createContext()) {
            context.createProducer().send(temporary, "a");
            context.createConsumer(temporary).close();
        }
        server.commit();
        try (JMSContext context = application.createContext()) {
            assertThatThrownBy(() -> context.createConsumer(temporary))
                    .hasMessageContaining("deleted");
        }
    }

    @Test
    void shouldMoveToAnotherManagedConnection() throws Exception {
        ManagedConnection one = factory.createManagedConnection(null, null);
        ManagedConnection other = factory.createManagedConnection(null, null);
        Connection connection = (Connection) one.getConnection(null, null);
        Session before = connection.createSession();
        other.associateConnection(connection);
        assertThatThrownBy(before::createMessage).isInstanceOf(IllegalStateException.class);
        one.destroy();
        try (Session session = connection.createSession()) {
            session.createProducer(queue).send(session.createTextMessage("a"));
        }
        assertThat(texts()).containsExactly("a");
        other.destroy();
    }

    @Test
    void shouldRollBackWhatABranchHasLeftOpenAtCleanup() throws Exception {
        ManagedConnection managed = factory.createManagedConnection(null, null);
        managed.getLocalTransaction().begin();
        Connection connection = (Connection) managed.getConnection(null, null);
        Session session = connection.createSession();
        session.createProducer(queue).send(session.createTextMessage("lost"));
        managed.cleanup();
        Connection next = (Connection) managed.getConnection(null, null);
        try (Session own = next.createSession()) {
            assertThat(own.getTransacted()).isFalse();
            own.createProducer(queue).send(own.createTextMessage("kept"));
        }
        assertThat(texts()).containsExactly("kept");
        managed.destroy();
    }

    @Test
    void shouldTakeAdministeredDestinationsWithTheirOptionsEverywhere() throws Exception {
        RaQueue small = new RaQueue();
        small.setName(queue.getName() + "?prefetch=1");
        RaTopic topic = new RaTopic();
        topic.setName("news");
        try (JMSContext context = application.createContext()) {
            JMSConsumer consumer = context.createConsumer(small);
            Message sent = context.createTextMessage("a");
            sent.setJMSReplyTo(topic);
            context.createProducer().send(small, sent);
            Message received = consumer.receive(20_000);
            assertThat(((Topic) received.getJMSReplyTo()).getTopicName()).isEqualTo("news");
            assertThat(context.createQueue(small.getQueueName())).isEqualTo(small.destination());
        }
    }

    @Test
    void shouldLeaveNoThreadWhenAllIsClosed() throws Exception {
        send("a");
        server.close();
        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(Thread.getAllStackTraces().keySet())
                                        .noneMatch(
                                                thread ->
                                                        thread.getName()
                                                                .startsWith("metaq-reader-")));
    }
}
