package org.metaq.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.metaq.jms.MetaQConnectionFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.core.JmsClient;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.messaging.handler.annotation.Header;

/** Spring Boot's own JMS support, which needs a connection factory and nothing else. */
class SpringBootIT extends FrameworkTestBase {

    @Configuration
    static class Messaging {
        /** Boot's templates use it as it is; its listener containers use what it wraps. */
        @Bean
        CachingConnectionFactory connectionFactory(@Value("${metaq.uri}") String uri) {
            CachingConnectionFactory factory =
                    new CachingConnectionFactory(new MetaQConnectionFactory(uri));
            factory.setReconnectOnException(true);
            factory.setCacheConsumers(false);
            return factory;
        }
    }

    @Configuration
    @EnableAutoConfiguration
    static class Application {
        final List<String> handled = new CopyOnWriteArrayList<>();

        @JmsListener(id = "orders", destination = "boot.orders", selector = "amount >= 100")
        void handle(String order, @Header("JMSXDeliveryCount") int deliveryCount) {
            if (order.equals("fails once") && deliveryCount == 1) {
                throw new IllegalStateException("it comes again");
            }
            handled.add(order + "#" + deliveryCount);
        }
    }

    @Test
    void shouldRunWithBootsAutoConfiguration() throws Exception {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment()
                .getPropertySources()
                .addFirst(
                        new MapPropertySource(
                                "test",
                                Map.of(
                                        "metaq.uri",
                                        uri(),
                                        "spring.jms.listener.min-concurrency",
                                        1,
                                        "spring.jms.listener.max-concurrency",
                                        5,
                                        "spring.jms.template.receive-timeout",
                                        "5s")));
        context.register(Messaging.class, Application.class);
        context.refresh();
        closedLater(context);
        var registry = context.getBean(JmsListenerEndpointRegistry.class);
        var container = (DefaultMessageListenerContainer) registry.getListenerContainer("orders");
        assertThat(container).isNotNull();
        assertThat(container.getMaxConcurrentConsumers()).isEqualTo(5);
        assertThat(container.isSessionTransacted()).isTrue();
        assertThat(container.getConnectionFactory()).isInstanceOf(MetaQConnectionFactory.class);

        JmsClient client = context.getBean(JmsClient.class);
        client.destination("boot.orders").send("big", Map.of("amount", 100));
        client.destination("boot.orders").send("small", Map.of("amount", 99));
        client.destination("boot.orders").send("fails once", Map.of("amount", 300));
        Application application = context.getBean(Application.class);
        eventually(
                () ->
                        assertThat(application.handled)
                                .containsExactlyInAnyOrder("big#1", "fails once#2"));

        JmsTemplate template = context.getBean(JmsTemplate.class);
        assertThat(template.receiveAndConvert("boot.orders")).isEqualTo("small");
        context.close();
        assertThat(drain("boot.orders")).isEmpty();
    }
}
