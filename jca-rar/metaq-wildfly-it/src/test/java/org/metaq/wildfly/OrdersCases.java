package org.metaq.wildfly;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.metaq.samples.ordersdemo.OrdersFlow;

/** The sample, set up by the script that users have, and killed on the way. */
@Timeout(400)
public abstract class OrdersCases {
    private static final int ORDERS = 1000;

    @Test
    void shouldProcessEachOrderOnceThoughTheServerIsKilled() throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (Site site = Site.ofSample("orders").start();
                PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            new OrdersFlow(site.server(), site.broker().uri(), ORDERS, out).run();
        }
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("OK: 1000 orders, 1000 processed, 0 lost, 0 duplicated, 0 in doubt");
    }
}
