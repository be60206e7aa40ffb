package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.broker.TestBroker.Client;
import org.metaq.common.BranchId;
import org.metaq.protocol.Settlement;

/** Many small branches in memory for few: they share spill files. */
class SharedSpillTest {
    private static final int BRANCHES = 50;

    @TempDir Path root;
    private TestBroker broker;
    private Client client;
    private String queue;

    @BeforeEach
    void start() {
        broker = new TestBroker(root, BranchGoldenTest.config());
        reconnect();
    }

    private void reconnect() {
        client = broker.connect();
        queue = client.queue("orders");
    }

    private static BranchId xid(int number) {
        return BranchId.xa(1, new byte[] {(byte) number}, new byte[0]);
    }

    private static String text(int branch, int message) {
        return "%02d-%d-%s".formatted(branch, message, "x".repeat(100));
    }

    /** Each sends two messages, in turns, so that those of a branch do not lie together. */
    private void prepareAll() {
        for (int i = 0; i < BRANCHES; i++) {
            client.begin(xid(i));
        }
        for (int message = 0; message < 2; message++) {
            for (int i = 0; i < BRANCHES; i++) {
                client.send(queue, text(i, message), xid(i));
            }
        }
        for (int i = 0; i < BRANCHES; i++) {
            client.end(xid(i), Settlement.NONE);
            client.prepare(xid(i));
        }
    }

    private List<String> spillFiles() throws IOException {
        try (Stream<Path> files = Files.list(root.resolve("spill"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldKeepSmallBranchesInOneFileOverARestart(boolean isClean) throws IOException {
        prepareAll();
        if (isClean) {
            broker.restart();
            assertThat(spillFiles()).hasSize(1);
        } else {
            broker.crash();
        }
        reconnect();
        client.rollback(xid(0));
        for (int i = BRANCHES - 1; i > 0; i--) {
            client.commit(xid(i), false);
        }
        client.consume(1, queue);
        List<String> expected = new ArrayList<>();
        IntStream.iterate(BRANCHES - 1, i -> i > 0, i -> i - 1)
                .forEach(i -> expected.addAll(List.of(text(i, 0), text(i, 1))));
        assertThat(client.texts(1, 2 * BRANCHES)).isEqualTo(expected);
        broker.restart();
        assertThat(spillFiles()).isEmpty();
    }

    @Test
    void shouldStayForPreparedBranchesWhenAnOpenOneEndsWithARestart() throws IOException {
        BranchId open = xid(BRANCHES);
        client.begin(open);
        client.send(queue, "x".repeat(5000), open);
        prepareAll();
        broker.restart();
        assertThat(spillFiles()).hasSize(1);
        reconnect();
        client.consume(1, queue);
        client.commit(xid(1), false);
        assertThat(client.texts(1, 3)).containsExactly(text(1, 0), text(1, 1));
    }

    @Test
    void shouldBeginAnotherFileWhenOneIsFullAndDeleteItWithItsLastBranch() throws IOException {
        String text = "x".repeat(500_000);
        for (int i = 0; i < BRANCHES; i++) {
            client.begin(xid(i));
            client.send(queue, text, xid(i));
            client.end(xid(i), Settlement.NONE);
            client.prepare(xid(i));
        }
        assertThat(spillFiles()).hasSizeBetween(2, 4).contains("1.spill");
        for (int i = 0; i < BRANCHES / 2; i++) {
            client.commit(xid(i), false);
        }
        assertThat(spillFiles()).hasSizeBetween(1, 3).doesNotContain("1.spill");
    }

    @Test
    void shouldMoveABranchThatGrowsToAFileOfItsOwn() throws IOException {
        client.begin(xid(1));
        client.send(queue, "other ".repeat(1000), xid(1));
        client.begin(xid(2));
        for (int i = 0; i < 30; i++) {
            client.send(queue, i + "-" + "x".repeat(50_000), xid(2));
        }
        assertThat(spillFiles()).hasSize(2);
        for (int i = 1; i <= 2; i++) {
            client.end(xid(i), Settlement.NONE);
            client.prepare(xid(i));
        }
        broker.restart();
        assertThat(spillFiles()).hasSize(2);
        reconnect();
        client.commit(xid(2), false);
        assertThat(spillFiles()).hasSizeLessThanOrEqualTo(2);
        client.consume(1, queue);
        List<String> texts = new ArrayList<>(client.texts(1, 20));
        texts.addAll(client.texts(1, 20));
        assertThat(texts).hasSize(30);
        assertThat(texts.get(29)).startsWith("29-");
        client.commit(xid(1), false);
        assertThat(client.texts(1, 20)).containsExactly("other ".repeat(1000));
    }
}
