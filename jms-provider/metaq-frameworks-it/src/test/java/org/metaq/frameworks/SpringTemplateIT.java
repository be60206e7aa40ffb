package org.metaq.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQQueue;
import org.springframework.jms.InvalidSelectorException;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.connection.JmsTransactionManager;
import org.springframework.jms.connection.SingleConnectionFactory;
import org.springframework.jms.core.JmsClient;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.jms.support.JmsHeaders;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's templates and connection factories. */
class SpringTemplateIT extends FrameworkTestBase {

    private CachingConnectionFactory caching(ConnectionFactory target) {
        CachingConnectionFactory factory = new CachingConnectionFactory(target);
        closedLater(factory::destroy);
        return factory;
    }

    private JmsTemplate template(ConnectionFactory factory) {
        JmsTemplate template = new JmsTemplate(factory);
        template.setReceiveTimeout(PATIENCE.toMillis());
        return template;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldConvertTextBytesAndMaps(boolean isTransacted) {
        String queue = newName("queue");
        JmsTemplate template = template(factory());
        template.setSessionTransacted(isTransacted);
        template.convertAndSend(queue, "größe");
        template.convertAndSend(queue, new byte[] {0, -1});
        template.convertAndSend(queue, Map.of("a", 1, "b", "two", "c", 2.5));
        assertThat(template.receiveAndConvert(queue)).isEqualTo("größe");
        assertThat(template.receiveAndConvert(queue)).isEqualTo(new byte[] {0, -1});
        assertThat(template.receiveAndConvert(queue))
                .isEqualTo(Map.of("a", 1, "b", "two", "c", 2.5));
        template.setReceiveTimeout(JmsTemplate.RECEIVE_TIMEOUT_NO_WAIT);
        assertThat(template.receive(queue)).isNull();
    }

    @Test
    void shouldConvertObjectsOfClassesThatAreAllowed() {
        String queue = newName("queue");
        MetaQConnectionFactory allowing =
                new MetaQConnectionFactory(uri() + "?allowedClasses=org.metaq.frameworks.*");
        template(factory()).convertAndSend(queue, new Order(7, "Ada"));
        assertThat(template(allowing).receiveAndConvert(queue)).isEqualTo(new Order(7, "Ada"));
    }

    @Test
    void shouldRefuseObjectsOfOtherClassesAndNameThem() {
        String queue = newName("queue");
        template(factory()).convertAndSend(queue, new Order(7, "Ada"));
        assertThatThrownBy(() -> template(factory()).receiveAndConvert(queue))
                .hasMessageContaining(Order.class.getName())
                .hasMessageContaining("allowedClasses");
    }

    @Test
    void shouldSendWithTheQualityThatTheTemplateHas() throws JMSException {
        String queue = newName("queue");
        JmsTemplate template = template(factory());
        template.setExplicitQosEnabled(true);
        template.setDeliveryPersistent(false);
        template.setPriority(8);
        template.setTimeToLive(600_000);
        template.convertAndSend(
                queue,
                "a",
                message -> {
                    message.setJMSType("order");
                    message.setStringProperty("region", "eu");
                    return message;
                });
        Message received = template.receive(queue);
        assertThat(received).isNotNull();
        assertThat(received.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(received.getJMSPriority()).isEqualTo(8);
        assertThat(received.getJMSExpiration() - received.getJMSTimestamp()).isEqualTo(600_000);
        assertThat(received.getJMSType()).isEqualTo("order");
        assertThat(received.getStringProperty("region")).isEqualTo("eu");
    }

    @Test
    void shouldReceiveWhatTheSelectorWantsAndLeaveTheRest() throws JMSException {
        String queue = newName("queue");
        JmsTemplate template = template(factory());
        for (int number = 1; number <= 4; number++) {
            int id = number;
            template.convertAndSend(
                    queue,
                    "m" + number,
                    message -> {
                        message.setIntProperty("number", id);
                        return message;
                    });
        }
        assertThat(template.receiveSelectedAndConvert(queue, "number > 2")).isEqualTo("m3");
        assertThat(template.receiveSelectedAndConvert(queue, "number = 2")).isEqualTo("m2");
        assertThatThrownBy(() -> template.receiveSelected(queue, "number >"))
                .isInstanceOf(InvalidSelectorException.class)
                .hasMessageContaining("character 9");
        assertThat(drain(queue)).containsExactly("m1", "m4");
    }

    @Test
    void shouldBrowseAQueue() throws JMSException {
        String queue = newName("queue");
        JmsTemplate template = template(factory());
        for (String region : List.of("eu", "us", "eu")) {
            template.convertAndSend(
                    queue,
                    region,
                    message -> {
                        message.setStringProperty("region", region);
                        return message;
                    });
        }
        int all = template.browse(queue, (session, browser) -> count(browser));
        int selected =
                template.browseSelected(
                        queue, "region = 'us'", (session, browser) -> count(browser));
        assertThat(all).isEqualTo(3);
        assertThat(selected).isEqualTo(1);
        assertThat(drain(queue)).containsExactly("eu", "us", "eu");
    }

    private static Integer count(QueueBrowser browser) throws JMSException {
        int count = 0;
        Enumeration<?> messages = browser.getEnumeration();
        while (messages.hasMoreElements()) {
            messages.nextElement();
            count++;
        }
        return count;
    }

    @Test
    void shouldCommitAndRollBackWithTheTransactionManager() throws JMSException {
        String queue = newName("queue");
        String other = newName("queue");
        CachingConnectionFactory factory = caching(factory());
        JmsTemplate template = template(factory);
        TransactionTemplate transaction =
                new TransactionTemplate(new JmsTransactionManager(factory));
        transaction.executeWithoutResult(
                status -> {
                    template.convertAndSend(queue, "rolled back");
                    status.setRollbackOnly();
                });
        transaction.executeWithoutResult(status -> template.convertAndSend(queue, "committed"));
        transaction.executeWithoutResult(
                status -> {
                    Object text = template.receiveAndConvert(queue);
                    template.convertAndSend(other, text + " and moved");
                    status.setRollbackOnly();
                });
        transaction.executeWithoutResult(
                status -> {
                    Object text = template.receiveAndConvert(queue);
                    template.convertAndSend(other, text + " and moved again");
                });
        assertThat(drain(queue)).isEmpty();
        assertThat(drain(other)).containsExactly("committed and moved again");
    }

    @Test
    void shouldAskAndBeAnswered() throws JMSException {
        String queue = newName("queue");
        CachingConnectionFactory factory = caching(factory());
        answer(queue, factory);
        for (ConnectionFactory asking : List.of(factory(), factory)) {
            for (int i = 0; i < 5; i++) {
                String text = "question " + i;
                Message reply =
                        template(asking)
                                .sendAndReceive(queue, session -> session.createTextMessage(text));
                assertThat(reply).isNotNull();
                assertThat(reply.getBody(String.class)).isEqualTo("re: " + text);
            }
        }
    }

    /** A container that answers each message at the queue that it names. */
    private void answer(String queue, ConnectionFactory factory) {
        JmsTemplate template = new JmsTemplate(factory);
        DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();
        container.setConnectionFactory(factory);
        container.setDestinationName(queue);
        container.setReceiveTimeout(200);
        container.setMessageListener(
                (MessageListener)
                        message -> {
                            try {
                                String text = "re: " + ((TextMessage) message).getText();
                                template.convertAndSend(message.getJMSReplyTo(), text);
                            } catch (JMSException e) {
                                throw new AssertionError(e);
                            }
                        });
        closedLater(container::destroy);
        container.afterPropertiesSet();
        container.start();
    }

    @Test
    void shouldServeSpringsFluentClient() {
        String queue = newName("queue");
        JmsClient client = JmsClient.create(factory());
        client.destination(queue)
                .withPriority(7)
                .withTimeToLive(600_000)
                .send("hello", Map.of("region", "eu"));
        var received =
                client.destination(queue)
                        .withReceiveTimeout(PATIENCE.toMillis())
                        .receive("region = 'eu'");
        assertThat(received).isPresent();
        assertThat(received.get().getPayload()).isEqualTo("hello");
        assertThat(received.get().getHeaders())
                .containsEntry("region", "eu")
                .containsEntry(JmsHeaders.PRIORITY, 7);
    }

    @Test
    void shouldCacheSessionsProducersAndConsumers() throws JMSException {
        String queue = newName("queue");
        CachingConnectionFactory factory = caching(factory());
        factory.setSessionCacheSize(3);
        JmsTemplate template = template(factory);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            template.convertAndSend(queue, "m" + i);
            expected.add("m" + i);
        }
        List<String> received = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            received.add((String) template.receiveAndConvert(queue));
        }
        // The cached consumer keeps what it fetched until its connection is reset.
        factory.resetConnection();
        for (int i = 0; i < 25; i++) {
            received.add((String) template.receiveAndConvert(queue));
        }
        assertThat(received).containsExactlyElementsOf(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"single", "caching"})
    void shouldConnectAgainAfterTheBrokerWasRestarted(String kind) throws JMSException {
        String queue = newName("queue");
        SingleConnectionFactory factory =
                kind.equals("single")
                        ? new SingleConnectionFactory(factory())
                        : new CachingConnectionFactory(factory());
        factory.setReconnectOnException(true);
        closedLater(factory::destroy);
        JmsTemplate template = template(factory);
        template.convertAndSend(queue, "before");
        restartBroker();
        List<Exception> failures = new CopyOnWriteArrayList<>();
        eventually(
                () -> {
                    try {
                        template.convertAndSend(queue, "after");
                    } catch (RuntimeException e) {
                        failures.add(e);
                        throw e;
                    }
                });
        // What the factory did not yet know to be broken may have failed, nothing else.
        assertThat(failures).hasSizeLessThan(100);
        assertThat(drain(queue)).startsWith("before").endsWith("after");
    }

    @Test
    void shouldShareOneConnectionAmongThreads() {
        String queue = newName("queue");
        CachingConnectionFactory factory = caching(factory());
        // An idle consumer in the cache would keep what it fetched from the others.
        factory.setCacheConsumers(false);
        JmsTemplate template = template(factory);
        IntStream.range(0, 64)
                .parallel()
                .forEach(i -> template.convertAndSend(new MetaQQueue(queue), "m" + i));
        List<Object> received =
                IntStream.range(0, 64)
                        .parallel()
                        .mapToObj(i -> template.receiveAndConvert(queue))
                        .toList();
        assertThat(received).doesNotHaveDuplicates().doesNotContainNull().hasSize(64);
    }

    @Test
    void shouldAcknowledgeAsTheModeSays() throws JMSException {
        String queue = newName("queue");
        send(queue, "a", "b");
        JmsTemplate template = template(factory());
        template.setSessionAcknowledgeMode(Session.CLIENT_ACKNOWLEDGE);
        assertThat(template.receiveAndConvert(queue)).isEqualTo("a");
        assertThat(drain(queue)).containsExactly("b");
    }
}
