package org.metaq.samples.ordersdemo;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.transaction.xa.XAException;
import org.metaq.container.AppServer;
import org.metaq.container.BrokerView;

/**
 * Orders are placed; when half of them are taken the server is killed and started again; in the end
 * each order must be a row, processed once, and nothing may be in doubt.
 */
public final class OrdersFlow {
    private static final Duration MAX = Duration.ofMinutes(4);
    private static final int POLL_MS = 200;

    /** How long no order may be taken by a server that runs. */
    private static final long STUCK_NS = TimeUnit.SECONDS.toNanos(15);

    private static final Pattern STATUS =
            Pattern.compile("orders=(\\d+) processed=(\\d+) duplicated=(\\d+)");

    private final AppServer server;
    private final BrokerView broker;
    private final int count;
    private final PrintStream out;
    private final long endNs = System.nanoTime() + MAX.toNanos();

    /**
     * A flow through a server that runs and has the sample deployed.
     *
     * @param brokerUri the broker that the server uses
     * @param count how many orders
     * @param out for a line about each step
     */
    public OrdersFlow(AppServer server, String brokerUri, int count, PrintStream out) {
        this.server = server;
        this.broker = new BrokerView(brokerUri);
        this.count = count;
        this.out = out;
    }

    /**
     * Runs it and prints the result in one line.
     *
     * @return whether nothing was lost, duplicated or left in doubt
     */
    public boolean run() throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        try (OrderClients clients = new OrderClients(server, count)) {
            clients.start();
            while (clients.accepted() < count / 2 && isInTime()) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            out.println(clients.accepted() + " orders taken: kill -9 of the server");
            server.kill9();
            out.println("server killed; in doubt at the broker: " + broker.inDoubt());
            server.start();
            out.println("server runs again");
            awaitAllTaken(clients);
            out.printf(
                    "%d orders taken, %d requests repeated%n",
                    clients.accepted(), clients.repeated());
            return awaitResult(startNs);
        } catch (JMSException | XAException e) {
            throw new IOException("the broker does not answer", e);
        }
    }

    /**
     * H2's driver rolls back one branch for each scan of recovery, and says that it did for all. A
     * Payara scans when it starts, and no more: until it is started again, an order cannot be taken
     * whose row is in such a branch.
     */
    private void awaitAllTaken(OrderClients clients)
            throws IOException, InterruptedException, JMSException, XAException {
        int taken = clients.accepted();
        long sinceNs = System.nanoTime();
        while (taken < count && isInTime()) {
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            boolean isStuck = System.nanoTime() - sinceNs > STUCK_NS && broker.inDoubt() == 0;
            if (isStuck) {
                out.println("no order is taken any more: started again, to recover H2 once more");
                server.stop();
                server.start();
            }
            if (isStuck || clients.accepted() > taken) {
                taken = clients.accepted();
                sinceNs = System.nanoTime();
            }
        }
    }

    private boolean awaitResult(long startNs)
            throws IOException, InterruptedException, JMSException, XAException {
        Result result = result();
        while (!result.isOk() && isInTime()) {
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            result = result();
        }
        out.printf(
                Locale.ROOT,
                "%s: %d orders, %d processed, %d lost, %d duplicated, %d in doubt%n",
                result.isOk() ? "OK" : "FAILED",
                result.orders,
                result.processed,
                count - result.processed,
                result.duplicated,
                result.inDoubt);
        if (result.queued > 0) {
            out.println(result.queued + " messages are still in the queue");
        }
        out.printf(Locale.ROOT, "%.1f s%n", (System.nanoTime() - startNs) / 1e9);
        return result.isOk();
    }

    private boolean isInTime() {
        return System.nanoTime() - endNs < 0;
    }

    private Result result() throws IOException, InterruptedException, JMSException, XAException {
        // First the broker: an order that it still has can change the rows.
        int inDoubt = broker.inDoubt();
        int queued = broker.depth("orders");
        Matcher status = STATUS.matcher(server.get("/orders/orders").body());
        if (!status.lookingAt()) {
            return new Result(0, 0, 0, inDoubt, queued);
        }
        return new Result(
                Integer.parseInt(status.group(1)),
                Integer.parseInt(status.group(2)),
                Integer.parseInt(status.group(3)),
                inDoubt,
                queued);
    }

    private final class Result {
        private final int orders;
        private final int processed;
        private final int duplicated;
        private final int inDoubt;
        private final int queued;

        Result(int orders, int processed, int duplicated, int inDoubt, int queued) {
            this.orders = orders;
            this.processed = processed;
            this.duplicated = duplicated;
            this.inDoubt = inDoubt;
            this.queued = queued;
        }

        boolean isOk() {
            return orders == count
                    && processed == count
                    && duplicated == 0
                    && inDoubt == 0
                    && queued == 0;
        }
    }
}
