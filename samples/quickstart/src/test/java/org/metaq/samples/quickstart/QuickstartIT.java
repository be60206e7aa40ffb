package org.metaq.samples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole quickstart, with its kills, on small files. */
class QuickstartIT {
    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 300})
    void shouldMoveEachOrderOnceThoughBrokerAndWorkerAreKilled(int count) throws Exception {
        Path file = directory.resolve("orders.txt");
        List<String> lines =
                IntStream.rangeClosed(1, count).mapToObj(i -> "order " + i + ", größe M").toList();
        Files.write(file, lines);

        Output output = run(file);

        assertThat(output.text)
                .contains("killed the broker with -9")
                .contains("killed the worker with -9 between prepare and commit")
                .contains(
                        "quickstart OK: %1$d orders in, %1$d rows, %1$d confirmations, 0 lost, 0 duplicated"
                                .formatted(count));
        assertThat(output.status).isZero();
    }

    @Test
    void shouldFailOnAFileWithoutOrders() throws Exception {
        Output output = run(Files.createFile(directory.resolve("empty.txt")));

        assertThat(output.status).isOne();
        assertThat(output.text).contains("quickstart FAILED: there are no orders in");
    }

    private record Output(int status, String text) {}

    private Output run(Path file) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int status =
                Quickstart.run(
                        OrderFile.of(file),
                        Files.createDirectory(directory.resolve("run")),
                        new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return new Output(status, bytes.toString(StandardCharsets.UTF_8));
    }
}
