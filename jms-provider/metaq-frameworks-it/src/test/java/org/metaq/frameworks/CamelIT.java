package org.metaq.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.camel.CamelContext;
import org.apache.camel.ExchangeTimedOutException;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.jms.JmsComponent;
import org.apache.camel.component.jms.JmsQueueEndpoint;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.jms.MetaQConnectionFactory;
import org.springframework.jms.connection.CachingConnectionFactory;

/** Camel's JMS component. */
class CamelIT extends FrameworkTestBase {

    /** A context with the component {@code jms}, as docs/frameworks.md shows it. */
    private CamelContext camel(RouteBuilder... routes) throws Exception {
        MetaQConnectionFactory metaq = factory();
        CachingConnectionFactory sending = new CachingConnectionFactory(metaq);
        sending.setReconnectOnException(true);
        sending.setCacheConsumers(false);
        closedLater(sending::destroy);

        JmsComponent jms = new JmsComponent();
        jms.setConnectionFactory(metaq);
        jms.setTemplateConnectionFactory(sending);
        jms.setTransacted(true);
        jms.setLazyCreateTransactionManager(false);
        jms.setCacheLevelName("CACHE_CONSUMER");
        jms.setReceiveTimeout(200);

        CamelContext camel = new DefaultCamelContext();
        camel.addComponent("jms", jms);
        for (RouteBuilder route : routes) {
            camel.addRoutes(route);
        }
        closedLater(camel);
        camel.start();
        return camel;
    }

    private static MockEndpoint mock(CamelContext camel) {
        MockEndpoint mock = camel.getEndpoint("mock:out", MockEndpoint.class);
        mock.setResultWaitTime(PATIENCE.toMillis());
        return mock;
    }

    @Test
    void shouldMoveMessagesInTransactions() throws Exception {
        String from = newName("queue");
        String to = newName("queue");
        CamelContext camel =
                camel(
                        new RouteBuilder() {
                            @Override
                            public void configure() {
                                from("jms:queue:" + from + "?concurrentConsumers=2")
                                        .setBody(simple("${body} moved"))
                                        .to("jms:queue:" + to);
                            }
                        });
        String[] texts = IntStream.range(0, 20).mapToObj(i -> "m" + i).toArray(String[]::new);
        send(from, texts);
        List<String> moved = new ArrayList<>();
        eventually(
                () -> {
                    moved.addAll(drain(to));
                    assertThat(moved).hasSize(20);
                });
        camel.stop();
        assertThat(moved).doesNotHaveDuplicates();
        assertThat(drain(from)).isEmpty();
    }

    @Test
    void shouldGetBackWhatARouteRollsBack() throws Exception {
        String from = newName("queue");
        CamelContext camel =
                camel(
                        new RouteBuilder() {
                            @Override
                            public void configure() {
                                from("jms:queue:" + from)
                                        .process(
                                                exchange -> {
                                                    int count =
                                                            exchange.getIn()
                                                                    .getHeader(
                                                                            "JMSXDeliveryCount",
                                                                            Integer.class);
                                                    if (count < 3) {
                                                        throw new IllegalStateException("again");
                                                    }
                                                })
                                        .to("mock:out");
                            }
                        });
        MockEndpoint mock = mock(camel);
        mock.expectedBodiesReceived("a");
        mock.expectedHeaderReceived("JMSXDeliveryCount", 3);
        mock.expectedHeaderReceived("JMSRedelivered", true);
        send(from, "a");
        mock.assertIsSatisfied();
        camel.stop();
        assertThat(drain(from)).isEmpty();
    }

    /** The three ways in which Camel finds its replies; "Shared" selects them by correlation id. */
    @ParameterizedTest
    @ValueSource(strings = {"Temporary", "Shared", "Exclusive"})
    void shouldAskAndBeAnswered(String replyToType) throws Exception {
        String queue = newName("queue");
        String replies = newName("queue");
        String fixed = replyToType.equals("Temporary") ? "" : "&replyTo=queue:" + replies;
        CamelContext camel =
                camel(
                        new RouteBuilder() {
                            @Override
                            public void configure() {
                                from("jms:queue:" + queue + "?concurrentConsumers=2")
                                        .transform(simple("re: ${body}"));
                                from("direct:ask")
                                        .to(
                                                "jms:queue:"
                                                        + queue
                                                        + "?exchangePattern=InOut&transacted=false"
                                                        + "&requestTimeout=20000&replyToType="
                                                        + replyToType
                                                        + fixed);
                            }
                        });
        ProducerTemplate ask = camel.createProducerTemplate();
        for (int i = 0; i < 5; i++) {
            assertThat(ask.requestBody("direct:ask", "q" + i, String.class)).isEqualTo("re: q" + i);
        }
        List<CompletableFuture<String>> answers =
                IntStream.range(0, 20)
                        .mapToObj(i -> ask.asyncRequestBody("direct:ask", "p" + i, String.class))
                        .toList();
        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i).get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo("re: p" + i);
        }
    }

    @Test
    void shouldGiveUpAskingAfterTheTimeOfTheEndpoint() throws Exception {
        String queue = newName("queue");
        CamelContext camel = camel();
        ProducerTemplate ask = camel.createProducerTemplate();
        String endpoint = "jms:queue:" + queue + "?transacted=false&requestTimeout=300";
        assertThatThrownBy(() -> ask.requestBody(endpoint, "nobody is there"))
                .hasCauseInstanceOf(ExchangeTimedOutException.class);
        camel.stop();
        // Camel lets a question expire with the time to wait for its answer.
        eventually(() -> assertThat(drain(queue)).isEmpty());
    }

    @Test
    void shouldCarryEveryKindOfBodyAndHeader() throws Exception {
        String queue = newName("queue");
        CamelContext camel =
                camel(
                        new RouteBuilder() {
                            @Override
                            public void configure() {
                                from("jms:queue:" + queue).to("mock:out");
                            }
                        });
        MockEndpoint mock = mock(camel);
        byte[] large = new byte[2 * 1024 * 1024];
        large[large.length - 1] = 1;
        Map<String, Object> map = new HashMap<>(Map.of("a", 1, "b", "two"));
        mock.expectedBodiesReceived("größe", new byte[] {0, -1}, map, large);
        mock.expectedHeaderReceived("number", 7L);
        mock.expectedHeaderReceived("flag", true);
        mock.expectedHeaderReceived("JMSPriority", 8);
        ProducerTemplate producer = camel.createProducerTemplate();
        for (Object body : new Object[] {"größe", new byte[] {0, -1}, map, large}) {
            producer.sendBodyAndHeaders(
                    "jms:queue:" + queue + "?priority=8&explicitQosEnabled=true",
                    body,
                    Map.of("number", 7L, "flag", true));
        }
        mock.assertIsSatisfied();
    }

    @Test
    void shouldBrowseAQueue() throws Exception {
        String queue = newName("queue");
        CamelContext camel = camel();
        send(queue, "a", "b");
        JmsQueueEndpoint endpoint = camel.getEndpoint("jms:queue:" + queue, JmsQueueEndpoint.class);
        assertThat(endpoint.getExchanges())
                .extracting(exchange -> exchange.getIn().getBody(String.class))
                .containsExactly("a", "b");
        camel.stop();
        assertThat(drain(queue)).containsExactly("a", "b");
    }

    @Test
    void shouldGoOnAfterTheBrokerWasRestarted() throws Exception {
        String queue = newName("queue");
        CamelContext camel =
                camel(
                        new RouteBuilder() {
                            @Override
                            public void configure() {
                                from("jms:queue:" + queue + "?recoveryInterval=100").to("mock:out");
                            }
                        });
        MockEndpoint mock = mock(camel);
        mock.expectedBodiesReceived("before", "after");
        send(queue, "before");
        eventually(() -> assertThat(mock.getReceivedCounter()).isEqualTo(1));
        restartBroker();
        send(queue, "after");
        mock.assertIsSatisfied();
    }

    @Test
    void shouldTakeOnlyWhatTheSelectorWants() throws Exception {
        String queue = newName("queue");
        CamelContext camel =
                camel(
                        new RouteBuilder() {
                            @Override
                            public void configure() {
                                from("jms:queue:" + queue + "?selector=RAW(region LIKE 'e_%')")
                                        .to("mock:out");
                            }
                        });
        MockEndpoint mock = mock(camel);
        mock.expectedBodiesReceived("eu");
        ProducerTemplate producer = camel.createProducerTemplate();
        for (String region : List.of("us", "eu", "jp")) {
            producer.sendBodyAndHeaders(
                    "jms:queue:" + queue, region, Map.<String, Object>of("region", region));
        }
        mock.assertIsSatisfied();
        camel.stop();
        assertThat(drain(queue)).containsExactly("us", "jp");
    }

    @Test
    void shouldShareADurableSubscription() throws Exception {
        String topic = newName("topic");
        subscribe(topic);
        CamelContext camel =
                camel(
                        new RouteBuilder() {
                            @Override
                            public void configure() {
                                for (int i = 0; i < 2; i++) {
                                    from("jms:topic:"
                                                    + topic
                                                    + "?subscriptionDurable=true"
                                                    + "&subscriptionShared=true"
                                                    + "&subscriptionName=workers")
                                            .routeId("worker " + i)
                                            .to("mock:out");
                                }
                            }
                        });
        MockEndpoint mock = mock(camel);
        String[] texts = IntStream.range(0, 20).mapToObj(i -> "m" + i).toArray(String[]::new);
        mock.expectedBodiesReceivedInAnyOrder((Object[]) texts);
        publish(topic, texts);
        mock.assertIsSatisfied();

        camel.getRouteController().stopRoute("worker 0");
        camel.getRouteController().stopRoute("worker 1");
        publish(topic, "while away");
        mock.reset();
        mock.setResultWaitTime(PATIENCE.toMillis());
        mock.expectedBodiesReceived("while away");
        camel.getRouteController().startRoute("worker 1");
        mock.assertIsSatisfied();
    }

    /** Makes the subscription before anything is published, whoever consumes first. */
    private void subscribe(String topic) {
        try (JMSContext context = factory().createContext()) {
            context.createSharedDurableConsumer(context.createTopic(topic), "workers").close();
        }
    }

    private void publish(String topic, String... texts) {
        try (JMSContext context = factory().createContext()) {
            for (String text : texts) {
                context.createProducer().send(context.createTopic(topic), text);
            }
        }
    }
}
