package org.metaq.samples.springjta;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.server.BrokerProcess;
import org.metaq.tm.TransactionalConnectionFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** The sample in this JVM, with a broker in another. */
@Timeout(120)
class SpringOrdersIT {
    private static final int COUNT = 50;

    @TempDir Path directory;

    @Test
    void shouldMoveEachOrderOnceAndConfirmIt() throws Exception {
        List<String> orders = IntStream.rangeClosed(1, COUNT).mapToObj(i -> i + " chairs").toList();
        try (BrokerProcess broker = BrokerProcess.on(directory.resolve("broker")).start()) {
            String uri = "metaq://127.0.0.1:" + broker.port();
            try (ConfigurableApplicationContext sample = start(uri);
                    JMSContext context = new MetaQConnectionFactory(uri).createContext()) {
                for (String order : orders) {
                    context.createProducer().send(context.createQueue("orders"), order);
                }
                List<String> confirmed = new ArrayList<>();
                var consumer = context.createConsumer(context.createQueue("confirmations"));
                for (int i = 0; i < COUNT; i++) {
                    confirmed.add(consumer.receiveBody(String.class, 30_000));
                }
                assertThat(confirmed).containsExactlyElementsOf(orders);
                assertThat(consumer.receiveNoWait()).isNull();
                assertThat(
                                sample.getBean(JdbcTemplate.class)
                                        .queryForList("select text from orders", String.class))
                        .containsExactlyInAnyOrderElementsOf(orders);
                assertThat(sample.getBean(TransactionalConnectionFactory.class).connectionCount())
                        .isBetween(1, 2);
            }
        }
    }

    private ConfigurableApplicationContext start(String uri) {
        return SpringApplication.run(
                SpringOrders.class, "--metaq.uri=" + uri, "--orders.directory=" + directory);
    }
}
