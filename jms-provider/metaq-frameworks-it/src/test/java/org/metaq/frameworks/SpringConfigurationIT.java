package org.metaq.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.metaq.jms.MetaQConnectionFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jms.annotation.EnableJms;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.connection.JmsTransactionManager;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The configuration that docs/frameworks.md shows, as it stands there. */
class SpringConfigurationIT extends FrameworkTestBase {

    @Configuration
    @EnableJms
    static class Messaging {
        @Bean
        MetaQConnectionFactory metaq(@Value("${metaq.uri}") String uri) {
            return new MetaQConnectionFactory(uri);
        }

        /** For sending: keeps one connection, and its sessions and producers, open. */
        @Bean
        CachingConnectionFactory connectionFactory(MetaQConnectionFactory metaq) {
            CachingConnectionFactory factory = new CachingConnectionFactory(metaq);
            factory.setReconnectOnException(true);
            factory.setCacheConsumers(false);
            return factory;
        }

        @Bean
        JmsTemplate jmsTemplate(CachingConnectionFactory connectionFactory) {
            JmsTemplate template = new JmsTemplate(connectionFactory);
            template.setReceiveTimeout(5_000);
            return template;
        }

        @Bean
        PlatformTransactionManager transactionManager(CachingConnectionFactory connectionFactory) {
            return new JmsTransactionManager(connectionFactory);
        }

        /** For {@code @JmsListener} on queues: the session commits when the method returns. */
        @Bean
        DefaultJmsListenerContainerFactory jmsListenerContainerFactory(
                MetaQConnectionFactory metaq) {
            DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
            factory.setConnectionFactory(metaq);
            factory.setSessionTransacted(true);
            factory.setConcurrency("1-5");
            return factory;
        }

        /** For {@code @JmsListener} on topics: a durable subscription that consumers share. */
        @Bean
        DefaultJmsListenerContainerFactory topicListenerContainerFactory(
                MetaQConnectionFactory metaq) {
            DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
            factory.setConnectionFactory(metaq);
            factory.setSessionTransacted(true);
            factory.setPubSubDomain(true);
            factory.setSubscriptionDurable(true);
            factory.setSubscriptionShared(true);
            factory.setConcurrency("2");
            return factory;
        }
    }

    @Component
    static class Orders {
        final List<String> handled = new CopyOnWriteArrayList<>();
        final List<String> audited = new CopyOnWriteArrayList<>();

        @JmsListener(destination = "orders", selector = "region = 'eu' AND amount >= 100")
        void handle(String order, @Header("JMSXDeliveryCount") int deliveryCount) {
            if (order.equals("fails once") && deliveryCount == 1) {
                throw new IllegalStateException("it comes again");
            }
            handled.add(order + "#" + deliveryCount);
        }

        @JmsListener(
                destination = "events",
                subscription = "audit",
                containerFactory = "topicListenerContainerFactory")
        void audit(String event) {
            audited.add(event);
        }

        @JmsListener(destination = "questions")
        @SendTo("answers")
        String answer(String question) {
            return "re: " + question;
        }
    }

    private AnnotationConfigApplicationContext start() {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("metaq.uri", uri())));
        context.register(Messaging.class, Orders.class);
        context.refresh();
        return closedLater(context);
    }

    @Test
    void shouldRunWhatTheDocumentShows() throws Exception {
        AnnotationConfigApplicationContext context = start();
        Orders orders = context.getBean(Orders.class);
        JmsTemplate jms = context.getBean(JmsTemplate.class);

        jms.convertAndSend("questions", "why?");
        assertThat(jms.receiveAndConvert("answers")).isEqualTo("re: why?");
        var reply = jms.sendAndReceive("questions", session -> session.createTextMessage("how?"));
        assertThat(reply).isNotNull();
        assertThat(reply.getBody(String.class)).isEqualTo("re: how?");

        sendOrder(jms, "big", "eu", 100);
        sendOrder(jms, "small", "eu", 99);
        sendOrder(jms, "elsewhere", "us", 200);
        sendOrder(jms, "fails once", "eu", 300);
        eventually(
                () ->
                        assertThat(orders.handled)
                                .containsExactlyInAnyOrder("big#1", "fails once#2"));

        jms.setPubSubDomain(true);
        eventually(
                () -> {
                    jms.convertAndSend("events", "an event");
                    assertThat(orders.audited).isNotEmpty();
                });
        context.close();
        assertThat(drain("orders")).containsExactly("small", "elsewhere");
    }

    private static void sendOrder(JmsTemplate jms, String text, String region, int amount) {
        jms.convertAndSend(
                "orders",
                text,
                message -> {
                    message.setStringProperty("region", region);
                    message.setIntProperty("amount", amount);
                    return message;
                });
    }

    @Test
    void shouldRollBackWhatTheTransactionManagerRollsBack() throws Exception {
        AnnotationConfigApplicationContext context = start();
        JmsTemplate jms = context.getBean(JmsTemplate.class);
        var transaction =
                new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        transaction.executeWithoutResult(
                status -> {
                    jms.convertAndSend("transactions", "rolled back");
                    status.setRollbackOnly();
                });
        transaction.executeWithoutResult(status -> jms.convertAndSend("transactions", "committed"));
        assertThat(drain("transactions")).containsExactly("committed");
    }
}
