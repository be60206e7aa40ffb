package org.metaq.wildfly;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** A server that is killed within a commit, at a place that the application stops it at. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(300)
public abstract class KillCases {
    private Site site;

    @BeforeAll
    void start() throws Exception {
        site = Site.ofTestApplication("kill").start();
    }

    @AfterAll
    void stop() throws Exception {
        site.close();
    }

    @Test
    @Order(1)
    void shouldCommitASendThatWasDecided() throws Exception {
        stallASend("commit", "decided send");
        assertThat(site.view().inDoubt()).isPositive();
        restartServer();
        assertThat(site.receiveTexts("test.out", 1)).containsExactly("decided send");
        site.awaitRows("sent", "decided send 0");
        site.awaitQuiet("test.out");
    }

    @Test
    @Order(2)
    void shouldRollBackASendThatWasNotDecided() throws Exception {
        stallASend("prepare", "undecided send");
        assertThat(site.view().inDoubt()).isPositive();
        restartServer();
        site.awaitQuiet("test.out");
        assertThat(site.rows("sent")).doesNotContain("undecided send 0");
        assertThat(site.run("send", "queue", "test.out", "text", "next").statusCode())
                .isEqualTo(200);
        assertThat(site.receiveTexts("test.out", 1)).containsExactly("next");
    }

    @Test
    @Order(3)
    void shouldDeliverAgainWhatWasNotDecided() throws Exception {
        Path stopped = site.file("undecided-delivery");
        String text = "prepare-stall " + stopped;
        site.send("test.in", "test.replies", text);
        await(stopped);
        assertThat(site.view().inDoubt()).isPositive();
        restartServer();
        // It does not stop a second time, as its file is there.
        assertThat(site.receiveTexts("test.replies", 1)).containsExactly(text);
        assertThat(site.rows("queue")).filteredOn(row -> row.startsWith(text)).hasSize(1);
        site.awaitQuiet("test.in");
    }

    @Test
    @Order(4)
    void shouldCommitADeliveryThatWasDecidedWhileTheBrokerWasAway() throws Exception {
        Path stopped = site.file("decided-delivery");
        String text = "decided-stall " + stopped;
        site.send("test.in", "test.replies", text);
        await(stopped);
        site.broker().kill9();
        Files.createFile(Path.of(stopped + ".go"));
        await(Path.of(stopped + ".decided"));
        site.server().kill9();
        site.broker().start();
        assertThat(site.view().inDoubt()).isPositive();
        site.startServer();
        assertThat(site.receiveTexts("test.replies", 1)).containsExactly(text);
        Awaitility.await()
                .atMost(Site.MAX)
                .untilAsserted(() -> assertThat(site.rows("queue")).contains(text + " 1"));
        site.awaitQuiet("test.in");
        assertThat(site.rows("queue")).filteredOn(row -> row.startsWith(text)).hasSize(1);
    }

    private void stallASend(String step, String text) throws InterruptedException {
        Path stopped = site.file(step);
        Thread client =
                new Thread(
                        () -> {
                            try {
                                site.run(
                                        "stall",
                                        "queue",
                                        "test.out",
                                        "text",
                                        text,
                                        "step",
                                        step,
                                        "file",
                                        stopped.toString());
                            } catch (IOException | InterruptedException e) {
                                // The server is killed, and does not answer.
                                Thread.currentThread().interrupt();
                            }
                        },
                        "stalled-client");
        client.setDaemon(true);
        client.start();
        await(stopped);
    }

    private static void await(Path file) {
        Awaitility.await().atMost(Site.MAX).until(() -> Files.exists(file));
    }

    private void restartServer() throws IOException, InterruptedException {
        site.server().kill9();
        site.startServer();
    }
}
