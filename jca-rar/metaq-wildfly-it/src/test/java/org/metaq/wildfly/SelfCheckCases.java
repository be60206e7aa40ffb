package org.metaq.wildfly;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import org.metaq.container.PayaraMicroServer;
import org.metaq.container.PayaraServer;
import org.metaq.container.ServerType;
import org.metaq.container.WildFlyServer;

/** {@code metaq ra-selfcheck} of a server that is set up as the documents say. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(300)
public abstract class SelfCheckCases {
    private static final String NO_TRANSACTION =
            "resources.connector-connection-pool.metaqPool.transaction-support=NoTransaction";

    private static final ServerType TYPE = ServerType.of(System.getProperty("metaq.it.server"));

    private final String factory = TYPE == ServerType.WILDFLY ? "java:/jms/metaq" : "jms/metaq";
    private Site site;

    @BeforeAll
    void start() throws Exception {
        site = Site.ofTestApplication("self-check").start();
    }

    @AfterAll
    void stop() throws Exception {
        site.close();
    }

    /** What the command prints, and its exit status. */
    private String check(String name) throws IOException, InterruptedException {
        Process command =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                "org.metaq.server.RaSelfCheckMain",
                                "--pid",
                                Long.toString(site.server().pid()),
                                name)
                        .redirectErrorStream(true)
                        .start();
        String said = new String(command.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return said + "exit status " + command.waitFor();
    }

    @Test
    @Order(1)
    void shouldSayThatThereIsNoSuchFactory() throws Exception {
        assertThat(check("jms/nothing"))
                .contains("there is nothing of that name", "SELF-CHECK FAILED", "exit status 1");
    }

    @Test
    @Order(2)
    void shouldSeeEnlistmentAndThenRecovery() throws Exception {
        assertThat(check(factory))
                .contains("SELF-CHECK WAITING", "exit status 3")
                .doesNotContain("FAILED");
        switch (TYPE) {
            case WILDFLY -> {} // scans while it runs
            case PAYARA, PAYARA_MICRO -> restart(); // recover when they start
            case OPEN_LIBERTY -> crash(); // asks those who were in transactions then
        }
        Awaitility.await().atMost(Site.MAX).until(() -> site.view().inDoubt() == 0);
        assertThat(check(factory)).contains("SELF-CHECK OK", "exit status 0");
        assertThat(site.view().depth("metaq.selfcheck")).isZero();
    }

    @Test
    @Order(3)
    protected void shouldSayThatThePoolDoesNotEnlist() throws Exception {
        if (site.server() instanceof WildFlyServer wildFly) {
            wildFly.cli(
                    "/subsystem=resource-adapters/resource-adapter=metaq:write-attribute("
                            + "name=transaction-support,value=NoTransaction)");
        } else if (site.server() instanceof PayaraServer payara) {
            payara.asadmin("set", NO_TRANSACTION);
        } else if (site.server() instanceof PayaraMicroServer micro) {
            micro.addPreBootCommand("set " + NO_TRANSACTION);
        }
        restart();
        assertThat(check(factory)).contains("the message is there before the commit");
        assertThat(site.view().depth("metaq.selfcheck")).isZero();
    }

    private void crash() throws IOException, InterruptedException {
        assertThat(site.run("send", "queue", "test.out", "text", "two resources").statusCode())
                .isEqualTo(200);
        site.server().kill9();
        site.startServer();
    }

    private void restart() throws IOException, InterruptedException {
        site.server().stop();
        site.startServer();
    }
}
