package org.metaq.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.jms.MetaQConnectionFactory;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.connection.JmsTransactionManager;
import org.springframework.jms.connection.SingleConnectionFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.listener.AbstractMessageListenerContainer;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.jms.listener.SimpleMessageListenerContainer;
import org.springframework.util.backoff.FixedBackOff;

/** Spring's listener containers. */
class SpringListenerIT extends FrameworkTestBase {

    private static String text(Message message) {
        try {
            return ((TextMessage) message).getText();
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    private static String described(Message message) {
        try {
            return text(message)
                    + "#"
                    + message.getIntProperty("JMSXDeliveryCount")
                    + (message.getJMSRedelivered() ? "R" : "");
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    /** A transacted container that is not started; closed behind the test. */
    private DefaultMessageListenerContainer container(
            ConnectionFactory factory, String destination, MessageListener listener) {
        DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();
        container.setConnectionFactory(factory);
        container.setDestinationName(destination);
        container.setMessageListener(listener);
        container.setSessionTransacted(true);
        container.setReceiveTimeout(200);
        container.setBackOff(new FixedBackOff(100, 1000));
        container.setErrorHandler(failure -> {});
        closedLater(container::destroy);
        return container;
    }

    private static void start(AbstractMessageListenerContainer container) {
        container.afterPropertiesSet();
        container.start();
    }

    private void publish(String topic, String... texts) {
        try (JMSContext context = factory().createContext()) {
            for (String text : texts) {
                context.createProducer().send(context.createTopic(topic), text);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"CACHE_NONE", "CACHE_CONNECTION", "CACHE_SESSION", "CACHE_CONSUMER"})
    void shouldDeliverEachMessageOnceAtEveryCacheLevel(String cacheLevel) throws JMSException {
        String queue = newName("queue");
        List<String> received = new CopyOnWriteArrayList<>();
        ConnectionFactory factory = factory();
        DefaultMessageListenerContainer container =
                container(factory, queue, message -> received.add(described(message)));
        container.setCacheLevelName(cacheLevel);
        container.setConcurrency("2");
        start(container);
        List<String> expected = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 30; i++) {
            send(queue, "m" + i);
            expected.add("m" + i + "#1");
        }
        eventually(() -> assertThat(received).hasSizeGreaterThanOrEqualTo(30));
        container.shutdown();
        assertThat(received).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(drain(queue)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CACHE_NONE", "CACHE_CONSUMER"})
    void shouldDeliverAgainWhatTheListenerRollsBack(String cacheLevel) throws JMSException {
        String queue = newName("queue");
        List<String> received = new CopyOnWriteArrayList<>();
        DefaultMessageListenerContainer container =
                container(
                        factory(),
                        queue,
                        message -> {
                            received.add(described(message));
                            if (received.size() <= 2) {
                                throw new IllegalStateException("the listener fails");
                            }
                        });
        container.setCacheLevelName(cacheLevel);
        start(container);
        send(queue, "a");
        eventually(() -> assertThat(received).containsExactly("a#1", "a#2R", "a#3R"));
        send(queue, "b");
        eventually(() -> assertThat(received).containsExactly("a#1", "a#2R", "a#3R", "b#1"));
        container.shutdown();
        assertThat(drain(queue)).isEmpty();
    }

    @Test
    void shouldGiveUpAMessageWhoseListenerAlwaysFails() {
        String queue = newName("queue");
        String rejected = newName("rejected");
        MetaQConnectionFactory factory =
                new MetaQConnectionFactory(uri() + "?maxDeliveries=3&deadLetter=" + rejected);
        List<String> received = new CopyOnWriteArrayList<>();
        DefaultMessageListenerContainer container =
                container(
                        factory,
                        queue,
                        message -> {
                            received.add(described(message));
                            if (text(message).equals("bad")) {
                                throw new IllegalStateException("the listener fails");
                            }
                        });
        start(container);
        send(queue, "bad", "good");
        try (JMSContext context = factory().createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(rejected))) {
            Message deadLetter = consumer.receive(PATIENCE.toMillis());
            assertThat(deadLetter).isNotNull();
            assertThat(text(deadLetter)).isEqualTo("bad");
        }
        eventually(
                () ->
                        assertThat(received)
                                .containsExactlyInAnyOrder("bad#1", "bad#2R", "bad#3R", "good#1"));
    }

    @Test
    void shouldSendInTheTransactionOfTheListener() throws JMSException {
        String queue = newName("queue");
        String next = newName("queue");
        List<String> received = new CopyOnWriteArrayList<>();
        CachingConnectionFactory factory = new CachingConnectionFactory(factory());
        closedLater(factory::destroy);
        JmsTransactionManager transactions = new JmsTransactionManager(factory);
        JmsTemplate template = new JmsTemplate(factory);
        DefaultMessageListenerContainer container =
                container(
                        factory,
                        queue,
                        message -> {
                            received.add(described(message));
                            template.convertAndSend(next, "after " + described(message));
                            if (received.size() == 1) {
                                throw new IllegalStateException("the listener fails");
                            }
                        });
        container.setTransactionManager(transactions);
        start(container);
        send(queue, "a");
        eventually(() -> assertThat(received).containsExactly("a#1", "a#2R"));
        container.shutdown();
        assertThat(drain(next)).containsExactly("after a#2R");
    }

    @Test
    void shouldScaleBetweenOneAndFiveConsumers() {
        String queue = newName("queue");
        CountDownLatch five = new CountDownLatch(5);
        CountDownLatch released = new CountDownLatch(1);
        Map<String, Boolean> threads = new ConcurrentHashMap<>();
        DefaultMessageListenerContainer container =
                container(
                        factory(),
                        queue,
                        message -> {
                            threads.put(Thread.currentThread().getName(), true);
                            five.countDown();
                            await(released);
                        });
        container.setConcurrency("1-5");
        container.setIdleTaskExecutionLimit(1);
        container.setMaxMessagesPerTask(1);
        start(container);
        eventually(() -> assertThat(container.getActiveConsumerCount()).isEqualTo(1));
        IntStream.range(0, 20).forEach(i -> send(queue, "m" + i));
        await(five);
        assertThat(threads).hasSize(5);
        assertThat(container.getActiveConsumerCount()).isEqualTo(5);
        released.countDown();
        eventually(() -> assertThat(container.getScheduledConsumerCount()).isEqualTo(1));
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("nothing came in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldStopAndStartAgain() throws JMSException {
        String queue = newName("queue");
        ConcurrentLinkedQueue<String> received = new ConcurrentLinkedQueue<>();
        DefaultMessageListenerContainer container =
                container(factory(), queue, message -> received.add(described(message)));
        start(container);
        send(queue, "a");
        eventually(() -> assertThat(received).containsExactly("a#1"));
        for (String round : List.of("b", "c", "d")) {
            CountDownLatch stopped = new CountDownLatch(1);
            container.stop(stopped::countDown);
            await(stopped);
            send(queue, round);
            assertThat(received).doesNotContain(round + "#1");
            container.start();
            eventually(() -> assertThat(received).contains(round + "#1"));
        }
        assertThat(received).containsExactly("a#1", "b#1", "c#1", "d#1");
        container.shutdown();
        assertThat(drain(queue)).isEmpty();
    }

    @Test
    void shouldKeepForADurableSubscriberWhatComesWhileItIsAway() {
        String topic = newName("topic");
        List<String> received = new CopyOnWriteArrayList<>();
        MetaQConnectionFactory factory = factory();
        DefaultMessageListenerContainer first = durable(factory, topic, received);
        start(first);
        eventually(() -> assertThat(first.isRegisteredWithDestination()).isTrue());
        publish(topic, "a");
        eventually(() -> assertThat(received).containsExactly("a#1"));
        first.shutdown();
        publish(topic, "b", "c");
        DefaultMessageListenerContainer second = durable(factory, topic, received);
        start(second);
        eventually(() -> assertThat(received).containsExactly("a#1", "b#1", "c#1"));
    }

    private DefaultMessageListenerContainer durable(
            ConnectionFactory factory, String topic, List<String> received) {
        DefaultMessageListenerContainer container =
                container(factory, topic, message -> received.add(described(message)));
        container.setPubSubDomain(true);
        container.setSubscriptionDurable(true);
        container.setSubscriptionName("audit");
        container.setClientId("client-of-" + topic);
        return container;
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void shouldShareASubscriptionAmongContainers(boolean isDurable) {
        String topic = newName("topic");
        List<String> received = new CopyOnWriteArrayList<>();
        MetaQConnectionFactory factory = factory();
        for (int i = 0; i < 2; i++) {
            DefaultMessageListenerContainer container =
                    container(factory, topic, message -> received.add(described(message)));
            container.setPubSubDomain(true);
            container.setSubscriptionShared(true);
            container.setSubscriptionDurable(isDurable);
            container.setSubscriptionName("workers-" + isDurable);
            container.setConcurrency("2");
            start(container);
            eventually(() -> assertThat(container.isRegisteredWithDestination()).isTrue());
        }
        String[] texts = IntStream.range(0, 40).mapToObj(i -> "m" + i).toArray(String[]::new);
        publish(topic, texts);
        eventually(() -> assertThat(received).hasSizeGreaterThanOrEqualTo(40));
        assertThat(received)
                .containsExactlyInAnyOrder(
                        IntStream.range(0, 40)
                                .mapToObj(i -> "m" + i + "#1")
                                .toArray(String[]::new));
        assertThat(received).hasSize(40);
    }

    @Test
    void shouldTakeOnlyWhatTheSelectorWants() throws JMSException {
        String queue = newName("queue");
        List<String> received = new CopyOnWriteArrayList<>();
        DefaultMessageListenerContainer container =
                container(factory(), queue, message -> received.add(text(message)));
        container.setMessageSelector("region IN ('eu', 'us') AND amount BETWEEN 10 AND 20");
        start(container);
        try (JMSContext context = factory().createContext()) {
            for (String region : List.of("eu", "us", "jp")) {
                for (int amount : new int[] {5, 15}) {
                    context.createProducer()
                            .setProperty("region", region)
                            .setProperty("amount", amount)
                            .send(context.createQueue(queue), region + amount);
                }
            }
        }
        eventually(() -> assertThat(received).containsExactlyInAnyOrder("eu15", "us15"));
        container.shutdown();
        assertThat(drain(queue)).containsExactly("eu5", "us5", "jp5", "jp15");
    }

    @Test
    void shouldSelectForASharedDurableSubscription() throws JMSException {
        String topic = newName("topic");
        List<String> received = new CopyOnWriteArrayList<>();
        DefaultMessageListenerContainer container =
                container(factory(), topic, message -> received.add(text(message)));
        container.setPubSubDomain(true);
        container.setSubscriptionShared(true);
        container.setSubscriptionDurable(true);
        container.setSubscriptionName("urgent");
        container.setMessageSelector("JMSPriority > 6 OR urgent");
        start(container);
        eventually(() -> assertThat(container.isRegisteredWithDestination()).isTrue());
        try (JMSContext context = factory().createContext()) {
            Topic destination = context.createTopic(topic);
            context.createProducer().send(destination, "no");
            context.createProducer().setPriority(9).send(destination, "priority");
            context.createProducer().setProperty("urgent", true).send(destination, "flag");
        }
        eventually(() -> assertThat(received).containsExactlyInAnyOrder("priority", "flag"));
    }

    @Test
    void shouldDeliverAgainWhatWasNotCommittedWhenTheBrokerWentAway() throws JMSException {
        String queue = newName("queue");
        List<String> received = new CopyOnWriteArrayList<>();
        DefaultMessageListenerContainer container =
                container(
                        factory(),
                        queue,
                        message -> {
                            received.add(described(message));
                            if (received.size() == 1) {
                                restartBroker();
                            }
                        });
        start(container);
        send(queue, "a");
        eventually(() -> assertThat(received).hasSize(2));
        assertThat(received.get(0)).isEqualTo("a#1");
        assertThat(received.get(1)).startsWith("a#").endsWith("R");
        send(queue, "b");
        eventually(() -> assertThat(received).hasSize(3).contains("b#1"));
        container.shutdown();
        assertThat(drain(queue)).isEmpty();
    }

    /**
     * With CACHE_NONE, a connection with the client id for each time it polls. Spring does not set
     * the id there, so it comes with the factory.
     */
    @ParameterizedTest
    @ValueSource(strings = {"CACHE_NONE", "CACHE_CONNECTION", "CACHE_CONSUMER"})
    void shouldTakeTheClientIdAtEveryCacheLevel(String cacheLevel) {
        String topic = newName("topic");
        List<String> received = new CopyOnWriteArrayList<>();
        MetaQConnectionFactory factory = new MetaQConnectionFactory(uri() + "?clientId=" + topic);
        try (JMSContext context = factory.createContext()) {
            context.createDurableConsumer(context.createTopic(topic), "audit").close();
        }
        DefaultMessageListenerContainer container = durable(factory, topic, received);
        container.setClientId(null);
        container.setCacheLevelName(cacheLevel);
        start(container);
        List<String> expected = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 10; i++) {
            publish(topic, "m" + i);
            expected.add("m" + i + "#1");
        }
        eventually(() -> assertThat(received).hasSizeGreaterThanOrEqualTo(10));
        assertThat(received).containsExactlyElementsOf(expected);
    }

    @Test
    void shouldListenAndSendOverOneSharedConnection() throws JMSException {
        String topic = newName("topic");
        String queue = newName("queue");
        List<String> received = new CopyOnWriteArrayList<>();
        SingleConnectionFactory factory = single(new SingleConnectionFactory(factory()));
        factory.setClientId("shared-by-all-of-" + topic);
        DefaultMessageListenerContainer subscriber =
                container(factory, topic, message -> received.add(described(message)));
        subscriber.setPubSubDomain(true);
        subscriber.setSubscriptionDurable(true);
        subscriber.setSubscriptionName("audit");
        DefaultMessageListenerContainer receiver =
                container(factory, queue, message -> received.add(described(message)));
        start(subscriber);
        start(receiver);
        eventually(() -> assertThat(subscriber.isRegisteredWithDestination()).isTrue());
        JmsTemplate template = new JmsTemplate(factory);
        template.convertAndSend(queue, "to the queue");
        template.setPubSubDomain(true);
        template.convertAndSend(topic, "to the topic");
        eventually(
                () ->
                        assertThat(received)
                                .containsExactlyInAnyOrder("to the queue#1", "to the topic#1"));
        subscriber.shutdown();
        template.setPubSubDomain(false);
        template.convertAndSend(queue, "after one has left");
        eventually(() -> assertThat(received).contains("after one has left#1"));
    }

    @Test
    void shouldEndInTheMiddleOfABacklogWithoutLossOrRepetition() throws JMSException {
        String queue = newName("queue");
        int count = 300;
        send(queue, IntStream.range(0, count).mapToObj(i -> "m" + i).toArray(String[]::new));
        List<String> received = new CopyOnWriteArrayList<>();
        for (int round = 1; round <= 3; round++) {
            int enough = round * 50;
            DefaultMessageListenerContainer container =
                    container(factory(), queue, message -> received.add(described(message)));
            container.setConcurrency("3");
            start(container);
            eventually(() -> assertThat(received).hasSizeGreaterThanOrEqualTo(enough));
            container.shutdown();
        }
        List<String> all = new CopyOnWriteArrayList<>(received);
        drain(queue).forEach(text -> all.add(text + "#1"));
        assertThat(all).hasSize(count).doesNotHaveDuplicates();
    }

    @Test
    void shouldServeASimpleContainerToo() throws JMSException {
        String queue = newName("queue");
        List<String> received = new CopyOnWriteArrayList<>();
        SimpleMessageListenerContainer container = new SimpleMessageListenerContainer();
        container.setConnectionFactory(factory());
        container.setDestinationName(queue);
        container.setConcurrency("3");
        container.setMessageListener((MessageListener) message -> received.add(described(message)));
        closedLater(container::destroy);
        start(container);
        IntStream.range(0, 30).forEach(i -> send(queue, "m" + i));
        eventually(() -> assertThat(received).hasSizeGreaterThanOrEqualTo(30));
        container.shutdown();
        assertThat(received).hasSize(30).allMatch(text -> text.endsWith("#1"));
        assertThat(drain(queue)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "single", "caching"})
    void shouldGoOnAfterTheBrokerWasRestarted(String kind) throws JMSException {
        String queue = newName("queue");
        List<String> received = new CopyOnWriteArrayList<>();
        ConnectionFactory factory =
                switch (kind) {
                    case "single" -> single(new SingleConnectionFactory(factory()));
                    case "caching" -> single(new CachingConnectionFactory(factory()));
                    default -> factory();
                };
        DefaultMessageListenerContainer container =
                container(factory, queue, message -> received.add(text(message)));
        container.setCacheLevelName("CACHE_CONSUMER");
        start(container);
        send(queue, "before");
        eventually(() -> assertThat(received).containsExactly("before"));
        restartBroker();
        send(queue, "after");
        eventually(() -> assertThat(received).containsExactly("before", "after"));
        container.shutdown();
        assertThat(drain(queue)).isEmpty();
    }

    @Test
    void shouldNotNoticeTheRestartWhenTheConnectionIsMadeAnewByItself() throws JMSException {
        String queue = newName("queue");
        List<String> received = new CopyOnWriteArrayList<>();
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        DefaultMessageListenerContainer container =
                container(
                        new MetaQConnectionFactory(uri() + "?reconnect=true"),
                        queue,
                        message -> received.add(text(message)));
        container.setCacheLevelName("CACHE_CONSUMER");
        container.setExceptionListener(failures::add);
        start(container);
        send(queue, "before");
        eventually(() -> assertThat(received).containsExactly("before"));
        restartBroker();
        send(queue, "after");
        eventually(() -> assertThat(received).containsExactly("before", "after"));
        // before the shutdown: a receive that still waits then is interrupted by Spring
        assertThat(failures).isEmpty();
        container.shutdown();
        assertThat(drain(queue)).isEmpty();
    }

    private <F extends SingleConnectionFactory> F single(F factory) {
        factory.setReconnectOnException(true);
        closedLater(factory::destroy);
        return factory;
    }
}
