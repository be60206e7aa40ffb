package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.client.TcpProxy;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.server.BrokerServer;
import org.metaq.server.config.ConfigKey;
import org.metaq.server.config.ServerConfig;

/** A network that is silent without an end of the connection: each side finds out by itself. */
@Timeout(60)
class SilentPeerIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Test
    void shouldBeNoticedByTheClientAndByTheBroker(@TempDir Path directory) throws Exception {
        try (BrokerServer server =
                        BrokerServer.start(
                                ServerConfig.builder()
                                        .set(ConfigKey.CLIENT_IDLE_TIMEOUT, "3000")
                                        .set(ConfigKey.JOURNAL_SEGMENT_SIZE, "1M")
                                        .dataPath(directory.resolve("data"))
                                        .port(0)
                                        .bindAddress("127.0.0.1")
                                        .build());
                TcpProxy proxy = new TcpProxy(server.port())) {
            Queue queue = BrokerTestBase.newQueue();
            Connection lost = connect(proxy.port(), "heartbeat=1000");
            Session session = lost.createSession(false, Session.CLIENT_ACKNOWLEDGE);
            BrokerTestBase.send(session, queue, "held", "fetched");
            MessageConsumer holder = session.createConsumer(queue);
            assertThat(BrokerTestBase.described(BrokerTestBase.receive(holder)))
                    .isEqualTo("held#1");
            List<JMSException> told = new CopyOnWriteArrayList<>();
            lost.setExceptionListener(told::add);

            proxy.freeze();
            await().atMost(PATIENCE).until(() -> told.size() == 1);
            assertThat(told.get(0)).hasMessageContaining("was silent for");

            Connection other = connect(server.port(), "");
            MessageConsumer heir = other.createSession().createConsumer(queue);
            assertThat(BrokerTestBase.described(BrokerTestBase.receive(heir)))
                    .as("the broker has given the frozen client up")
                    .isEqualTo("held#2R");
            assertThat(BrokerTestBase.text(BrokerTestBase.receive(heir))).isEqualTo("fetched");
            other.close();
            lost.close();
            assertThat(told).hasSize(1);
        }
        BrokerTestBase.awaitNoClientThreads();
    }

    private static Connection connect(int port, String options) throws JMSException {
        Connection connection =
                new MetaQConnectionFactory(
                                "metaq://127.0.0.1:"
                                        + port
                                        + (options.isEmpty() ? "" : "?" + options))
                        .createConnection();
        connection.start();
        return connection;
    }
}
