package org.metaq.ra.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionInProgressRuntimeException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What applications in a server must not do, one by one. */
class RestrictionsIT extends OutboundTestBase {
    private static final ExceptionListener NO_LISTENER = failure -> {};
    private static final MessageListener NO_MESSAGES = message -> {};
    private static final CompletionListener NO_COMPLETION =
            new CompletionListener() {
                @Override
                public void onCompletion(Message message) {}

                @Override
                public void onException(Message message, Exception failure) {}
            };

    private final RaTopic topic = new RaTopic();

    @FunctionalInterface
    private interface Call {
        void run() throws Exception;
    }

    private static void eachThrows(Class<? extends Exception> kind, Map<String, Call> calls) {
        calls.forEach((name, call) -> assertThatThrownBy(call::run).as(name).isInstanceOf(kind));
    }

    @Test
    void shouldRefuseWhatBelongsToTheServerOnConnections() throws Exception {
        try (Connection c = application.createConnection()) {
            topic.setName("news");
            Map<String, Call> calls = new LinkedHashMap<>();
            calls.put("setClientID", () -> c.setClientID("a"));
            calls.put("setExceptionListener", () -> c.setExceptionListener(NO_LISTENER));
            calls.put("stop", c::stop);
            calls.put("consumer", () -> c.createConnectionConsumer(queue, null, null, 1));
            calls.put(
                    "durable", () -> c.createDurableConnectionConsumer(topic, "s", null, null, 1));
            calls.put("shared", () -> c.createSharedConnectionConsumer(topic, "s", null, null, 1));
            calls.put(
                    "shared durable",
                    () -> c.createSharedDurableConnectionConsumer(topic, "s", null, null, 1));
            calls.put(
                    "queue consumer",
                    () -> ((QueueConnection) c).createConnectionConsumer(queue, null, null, 1));
            calls.put(
                    "topic consumer",
                    () -> ((TopicConnection) c).createConnectionConsumer(topic, null, null, 1));
            eachThrows(IllegalStateException.class, calls);
            assertThat(c.getExceptionListener()).isNull();
            assertThat(c.getMetaData().getJMSMajorVersion()).isEqualTo(3);
        }
    }

    @Test
    void shouldRefuseListenersAndAsynchronousSends() throws Exception {
        try (Connection c = application.createConnection();
                Session s = c.createSession();
                var consumer = s.createConsumer(queue);
                var producer = s.createProducer(queue);
                var anywhere = s.createProducer(null)) {
            Message m = s.createMessage();
            Map<String, Call> calls = new LinkedHashMap<>();
            calls.put("session listener", () -> s.setMessageListener(NO_MESSAGES));
            calls.put("get session listener", s::getMessageListener);
            calls.put("consumer listener", () -> consumer.setMessageListener(NO_MESSAGES));
            calls.put("get consumer listener", consumer::getMessageListener);
            calls.put("send", () -> producer.send(m, NO_COMPLETION));
            calls.put("send with options", () -> producer.send(m, 1, 4, 0, NO_COMPLETION));
            calls.put("send to", () -> anywhere.send(queue, m, NO_COMPLETION));
            calls.put(
                    "send to with options", () -> anywhere.send(queue, m, 1, 4, 0, NO_COMPLETION));
            calls.put("commit", s::commit);
            calls.put("rollback", s::rollback);
            eachThrows(IllegalStateException.class, calls);
            assertThatThrownBy(s::run).isInstanceOf(IllegalStateRuntimeException.class);
            assertThatCode(s::recover).doesNotThrowAnyException();
        }
        assertThat(texts()).isEmpty();
    }

    @Test
    void shouldRefuseOnContextsWhatItRefusesOnConnectionsAndSessions() {
        try (JMSContext c = application.createContext();
                var consumer = c.createConsumer(queue)) {
            Map<String, Call> calls = new LinkedHashMap<>();
            calls.put("createContext", () -> c.createContext(JMSContext.AUTO_ACKNOWLEDGE));
            calls.put("setClientID", () -> c.setClientID("a"));
            calls.put("setExceptionListener", () -> c.setExceptionListener(NO_LISTENER));
            calls.put("stop", c::stop);
            calls.put("commit", c::commit);
            calls.put("rollback", c::rollback);
            calls.put("listener", () -> consumer.setMessageListener(NO_MESSAGES));
            calls.put("get listener", consumer::getMessageListener);
            calls.put("setAsync", () -> c.createProducer().setAsync(NO_COMPLETION));
            eachThrows(IllegalStateRuntimeException.class, calls);
            assertThat(c.getExceptionListener()).isNull();
            assertThat(c.getClientID()).isNull();
            assertThatCode(c::acknowledge).doesNotThrowAnyException();
        }
    }

    @Test
    void shouldLeaveTheTransactionToItsManager() throws Exception {
        server.begin();
        try (Connection c = application.createConnection();
                Session s = c.createSession()) {
            eachThrows(
                    TransactionInProgressException.class,
                    Map.of("commit", s::commit, "rollback", s::rollback));
            eachThrows(IllegalStateException.class, Map.of("recover", s::recover));
        }
        try (JMSContext c = application.createContext()) {
            eachThrows(
                    TransactionInProgressRuntimeException.class,
                    Map.of("commit", c::commit, "rollback", c::rollback));
            eachThrows(IllegalStateRuntimeException.class, Map.of("recover", c::recover));
            assertThatCode(c::acknowledge).doesNotThrowAnyException();
        }
        server.commit();
    }

    @Test
    void shouldKeepQueueSessionsToQueuesAndTopicSessionsToTopics() throws Exception {
        topic.setName("news");
        try (QueueConnection c = application.createQueueConnection();
                QueueSession s = c.createQueueSession(false, Session.AUTO_ACKNOWLEDGE)) {
            Map<String, Call> calls = new LinkedHashMap<>();
            calls.put("createTopic", () -> s.createTopic("t"));
            calls.put("createTemporaryTopic", s::createTemporaryTopic);
            calls.put("createDurableConsumer", () -> s.createDurableConsumer(topic, "s"));
            calls.put("createDurableSubscriber", () -> s.createDurableSubscriber(topic, "s"));
            calls.put("createSharedConsumer", () -> s.createSharedConsumer(topic, "s"));
            calls.put(
                    "createSharedDurableConsumer", () -> s.createSharedDurableConsumer(topic, "s"));
            calls.put("unsubscribe", () -> s.unsubscribe("s"));
            eachThrows(IllegalStateException.class, calls);
            s.createSender(queue).send(s.createTextMessage("a"));
        }
        try (TopicConnection c = application.createTopicConnection();
                TopicSession s = c.createTopicSession(false, Session.AUTO_ACKNOWLEDGE)) {
            Topic made = s.createTopic("news");
            Map<String, Call> calls = new LinkedHashMap<>();
            calls.put("createQueue", () -> s.createQueue("q"));
            calls.put("createTemporaryQueue", s::createTemporaryQueue);
            calls.put("createBrowser", () -> s.createBrowser(queue));
            eachThrows(IllegalStateException.class, calls);
            s.createPublisher(made).publish(s.createMessage());
        }
        assertThat(texts()).containsExactly("a");
    }
}
