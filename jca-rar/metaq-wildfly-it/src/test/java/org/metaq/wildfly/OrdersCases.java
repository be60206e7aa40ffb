package org.metaq.wildfly;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.metaq.container.LogTail;
import org.metaq.samples.ordersdemo.OrdersFlow;

/** The sample, set up by the script that users have, and killed on the way. */
@Timeout(700)
public abstract class OrdersCases {
    private static final int ORDERS = 1000;

    /**
     * Payara after some kills: it runs out of memory while it reads its own log of transactions,
     * and from then on recovers nothing. That says nothing about the adapter.
     */
    private static final String SERVER_LOST_ITS_LOG = "JTS5066";

    @Test
    void shouldProcessEachOrderOnceThoughTheServerIsKilled() throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        if (!isJudged("orders", said)) {
            said.reset();
            assertThat(isJudged("orders-again", said)).as(SERVER_LOST_ITS_LOG).isTrue();
        }
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("OK: 1000 orders, 1000 processed, 0 lost, 0 duplicated, 0 in doubt");
    }

    /** False if the server could not recover, for a reason of its own. */
    private static boolean isJudged(String name, ByteArrayOutputStream said) throws Exception {
        try (Site site = Site.ofSample(name).start();
                PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            return new OrdersFlow(site.server(), site.broker().uri(), ORDERS, out).run()
                    || !new LogTail(site.server().log(), 0).contains(SERVER_LOST_ITS_LOG);
        }
    }
}
