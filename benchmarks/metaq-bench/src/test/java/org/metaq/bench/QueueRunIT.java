package org.metaq.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.server.BrokerServer;
import org.metaq.server.config.ServerConfig;

/** Every workload against a broker in this process. */
@Timeout(120)
class QueueRunIT {
    private static final QueueRun.Times SHORT =
            new QueueRun.Times(
                    TimeUnit.MILLISECONDS.toNanos(200), TimeUnit.MILLISECONDS.toNanos(300));

    @TempDir Path directory;
    private BrokerServer server;

    @BeforeEach
    void startBroker() {
        server =
                BrokerServer.start(
                        ServerConfig.builder()
                                .port(0)
                                .bindAddress("127.0.0.1")
                                .dataPath(directory.resolve("data"))
                                .build());
    }

    @AfterEach
    void stopBroker() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(Workload.class)
    void shouldReceiveOnceWhatItSent(Workload workload) throws Exception {
        QueueRun run =
                new QueueRun(
                        workload,
                        new MetaQConnectionFactory("metaq://127.0.0.1:" + server.port()),
                        ProcessHandle.current().pid(),
                        SHORT);
        List<Measurement> measurements = run.run();
        assertThat(measurements)
                .isNotEmpty()
                .allSatisfy(
                        measurement -> {
                            assertThat(measurement.isComplete()).isTrue();
                            assertThat(measurement.value(Metric.SENT))
                                    .isPositive()
                                    .isEqualTo(measurement.value(Metric.RECEIVED));
                        });
    }
}
