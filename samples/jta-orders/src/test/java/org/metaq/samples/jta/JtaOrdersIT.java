package org.metaq.samples.jta;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.server.BrokerProcess;

/** The sample in a JVM of its own, with a broker in another. */
@Timeout(120)
class JtaOrdersIT {
    private static final int COUNT = 50;

    @TempDir Path directory;

    @Test
    void shouldMoveEachOrderOnceAndConfirmIt() throws Exception {
        List<String> orders = IntStream.rangeClosed(1, COUNT).mapToObj(i -> i + " chairs").toList();
        try (BrokerProcess broker = BrokerProcess.on(directory.resolve("broker")).start()) {
            String uri = "metaq://127.0.0.1:" + broker.port();
            try (JMSContext context = new MetaQConnectionFactory(uri).createContext()) {
                for (String order : orders) {
                    context.createProducer().send(context.createQueue("orders"), order);
                }
                assertThat(run(uri)).contains("moved " + COUNT + " orders");
                assertThat(run(uri)).contains("moved 0 orders");
                List<String> confirmations = new ArrayList<>();
                var consumer = context.createConsumer(context.createQueue("confirmations"));
                for (String text = consumer.receiveBody(String.class, 10_000);
                        text != null;
                        text = consumer.receiveBodyNoWait(String.class)) {
                    confirmations.add(text);
                }
                assertThat(confirmations).containsExactlyElementsOf(orders);
            }
        }
        assertThat(rows()).containsExactlyInAnyOrderElementsOf(orders);
    }

    private String run(String uri) throws IOException, InterruptedException {
        Process sample =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                JtaOrders.class.getName(),
                                uri,
                                directory.toString())
                        .redirectErrorStream(true)
                        .start();
        try {
            String output =
                    new String(sample.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(sample.waitFor()).as(output).isZero();
            return output;
        } finally {
            sample.destroyForcibly();
        }
    }

    private List<String> rows() throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(
                                "jdbc:h2:file:" + directory.resolve("database"));
                ResultSet rows =
                        connection.createStatement().executeQuery("select text from orders")) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        }
    }
}
