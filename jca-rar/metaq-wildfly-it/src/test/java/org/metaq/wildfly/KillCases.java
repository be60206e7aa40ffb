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

/** A server that is killed within commits, at places that the application stops them at. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(300)
public abstract class KillCases {
    /**
     * It prepares a delivery's own branch last, so that no resource of the bean can stop it between
     * the phases.
     */
    private final boolean isLiberty = System.getProperty("metaq.it.server").equals("open-liberty");

    private Site site;
    private String undecidedDelivery;

    /** Three transactions at once, as a server's start takes long. */
    @BeforeAll
    void killWithinThreeTransactions() throws Exception {
        site = Site.ofTestApplication("kill");
        beforeFirstStart(site);
        site.start();
        stallASend("commit", "test.decided", "decided send");
        stallASend("prepare", "test.undecided", "undecided send");
        Path stopped = site.file("undecided-delivery");
        undecidedDelivery = "prepare-stall " + stopped;
        site.send("test.in", "test.replies", undecidedDelivery);
        await(stopped);
        assertThat(site.view().inDoubt()).isGreaterThanOrEqualTo(3);
        site.server().kill9();
        beforeRestart(site);
        site.startServer();
    }

    /** What the server is told beyond what all are. */
    protected void beforeFirstStart(Site site) throws IOException {}

    /** What happens to the files of a server that was killed. */
    protected void beforeRestart(Site killed) throws IOException {}

    @AfterAll
    void stop() throws Exception {
        site.close();
    }

    @Test
    @Order(1)
    void shouldCommitASendThatWasDecided() throws Exception {
        assertThat(site.receiveTexts("test.decided", 1)).containsExactly("decided send");
        site.awaitRows("sent", "decided send 0");
        site.awaitQuiet("test.decided");
    }

    @Test
    @Order(2)
    void shouldRollBackASendThatWasNotDecided() throws Exception {
        site.awaitQuiet("test.undecided");
        assertThat(site.rows("sent")).doesNotContain("undecided send 0");
        assertThat(site.run("send", "queue", "test.undecided", "text", "next").statusCode())
                .isEqualTo(200);
        assertThat(site.receiveTexts("test.undecided", 1)).containsExactly("next");
    }

    @Test
    @Order(3)
    void shouldDeliverAgainWhatWasNotDecided() throws Exception {
        // It does not stop a second time, as its file is there.
        assertThat(site.receiveTexts("test.replies", 1)).containsExactly(undecidedDelivery);
        assertThat(site.rows("queue"))
                .filteredOn(row -> row.startsWith(undecidedDelivery))
                .hasSize(1);
        site.awaitQuiet("test.in");
    }

    @Test
    @Order(4)
    void shouldCommitADeliveryThatWasDecided() throws Exception {
        String text = isLiberty ? killAtDecision() : killWhileBrokerIsAway();
        assertThat(site.view().inDoubt()).isPositive();
        beforeRestart(site);
        site.startServer();
        assertThat(site.receiveTexts("test.replies", 1)).containsExactly(text);
        Awaitility.await()
                .atMost(Site.MAX)
                .untilAsserted(() -> assertThat(site.rows("queue")).contains(text + " 1"));
        site.awaitQuiet("test.in");
        assertThat(site.rows("queue")).filteredOn(row -> row.startsWith(text)).hasSize(1);
    }

    /** The text of a delivery of which nothing has committed when the server is killed. */
    private String killAtDecision() throws Exception {
        Path stopped = site.file("decided-delivery");
        String text = "commit-stall " + stopped;
        site.send("test.in", "test.replies", text);
        await(stopped);
        // The delivery and its reply.
        assertThat(site.view().inDoubt()).isEqualTo(2);
        site.server().kill9();
        return text;
    }

    /** As {@link #killAtDecision}, with a broker that was away. */
    private String killWhileBrokerIsAway() throws Exception {
        Path stopped = site.file("decided-delivery");
        String text = "prepare-stall " + stopped;
        site.send("test.in", "test.replies", text);
        await(stopped);
        site.broker().kill9();
        Files.createFile(Path.of(stopped + ".go"));
        // The first resource is told to commit, and asks for the broker: the decision is logged.
        Awaitility.await()
                .atMost(Site.MAX)
                .until(() -> Footprint.threadDump(site).contains(".PatientCommit.commit("));
        site.server().kill9();
        site.broker().start();
        return text;
    }

    private void stallASend(String step, String queue, String text) throws InterruptedException {
        Path stopped = site.file(step);
        Thread client =
                new Thread(
                        () -> {
                            try {
                                site.run(
                                        "stall",
                                        "queue",
                                        queue,
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
}
