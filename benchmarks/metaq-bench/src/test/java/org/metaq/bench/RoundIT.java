package org.metaq.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.server.BrokerServer;
import org.metaq.server.config.ServerConfig;

/** A round with clients in JVMs of their own, and a broker in this one. */
@Timeout(120)
class RoundIT {
    private static final String NAME = "here";

    @TempDir Path data;
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
    private BrokerServer server;

    @BeforeEach
    void startBroker() {
        server =
                BrokerServer.start(
                        ServerConfig.builder()
                                .port(0)
                                .bindAddress("127.0.0.1")
                                .dataPath(data.resolve("broker"))
                                .build());
    }

    @AfterEach
    void stopBroker() {
        server.close();
    }

    private Results run(List<String> workloads) throws Exception {
        return run(workloads, 0);
    }

    private Results run(List<String> workloads, double warmUpSeconds) throws Exception {
        Path clients = Files.createDirectories(data.resolve("clients"));
        Plan plan = new Plan(workloads, warmUpSeconds, 0.1, 0.2, 1000, List.of(), "", "", clients);
        Results results = new Results(Selection.rows(workloads));
        PrintStream out = new PrintStream(shown, true, StandardCharsets.UTF_8);
        new Round(plan, results, new Progress(out, Map.of("W1", 1.0), 2))
                .run(
                        ExternalProvider.parse(
                                "name="
                                        + NAME
                                        + ",class-path="
                                        + System.getProperty("java.class.path")
                                        + ",factory=org.metaq.jms.MetaQConnectionFactory"
                                        + ",uri=metaq://127.0.0.1:"
                                        + server.port()
                                        + ",pid="
                                        + ProcessHandle.current().pid()));
        return results;
    }

    private List<Path> kept() throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("clients"))) {
            return files.toList();
        }
    }

    @Test
    void shouldMeasureWithClientsOfTheirOwnAndLeaveNothing() throws Exception {
        Results results = run(List.of("W1", "W12session"));
        assertThat(results.isComplete(NAME)).isTrue();
        assertThat(results.names()).containsExactly("W1", "W12session");
        assertThat(results.spread("W1", NAME, Metric.RATE).median()).isPositive();
        assertThat(results.spread("W1", NAME, Metric.BROKER_CPU_US).median()).isPositive();
        assertThat(shown.toString(StandardCharsets.UTF_8))
                .contains("here: W1 runs...", "here: W12session runs... about 0:");
        assertThat(kept()).isEmpty();
    }

    @Test
    void shouldSayWhyAWorkloadCannotBeDoneAndRunTheRest() throws Exception {
        Results results = run(List.of("W5x1", "W12session", "W9"));
        assertThat(results.failures("W5x1", NAME))
                .containsExactly("the provider has no XAConnectionFactory");
        assertThat(results.failures("W9in", NAME)).hasSize(1);
        assertThat(results.failures("W9out", NAME))
                .containsExactly("this broker cannot be stopped and started from here");
        assertThat(results.rounds("W12session", NAME)).hasSize(1);
        assertThat(kept()).isNotEmpty();
    }

    @Test
    void shouldWarmUpWithAllThatTheProviderCanDo() throws Exception {
        Results results = run(List.of("W12session"), 0.7);
        assertThat(results.isComplete(NAME)).isTrue();
        assertThat(shown.toString(StandardCharsets.UTF_8))
                .containsSubsequence(
                        "here: warm-up runs...",
                        "here: warm-up-xa failed: the provider has no XAConnectionFactory",
                        "here: W12session runs...")
                .containsOnlyOnce("failed");
    }

    @Test
    void shouldSayOfEveryWorkloadThatNoClientCanConnect() throws Exception {
        server.close();
        Results results = run(List.of("W1", "W2"));
        assertThat(results.failures("W1", NAME)).hasSize(1);
        assertThat(results.rounds("W2", NAME)).isEmpty();
    }
}
