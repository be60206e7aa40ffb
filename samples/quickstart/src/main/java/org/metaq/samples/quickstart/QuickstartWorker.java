package org.metaq.samples.quickstart;

import jakarta.jms.JMSException;
import jakarta.transaction.TransactionManager;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAException;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.narayana.MetaQRecovery;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Main class of the worker: moves orders from the queue into the database until all are there. On
 * its standard output it tells its parent how far it is, see {@link WorkerJvm}; when its standard
 * input ends, its parent is gone, and so it goes too.
 */
public final class QuickstartWorker {
    private static final Logger LOG = LoggerFactory.getLogger(QuickstartWorker.class);
    private static final int MOVERS = 24;
    private static final long REPORT_PERIOD_MS = 100;

    /** All movers found the queue empty for so long, though rows are missing: they are lost. */
    private static final long LOST_AFTER_MS = 20_000;

    private QuickstartWorker() {}

    /** Runs until all orders are rows and no branch is in doubt. */
    public static void main(String[] args)
            throws SQLException, JMSException, XAException, InterruptedException {
        WorkerOptions options = WorkerOptions.parse(args);
        endWithParent();
        Orderbook orderbook = new Orderbook(options.directory());
        MetaQConnectionFactory factory = new MetaQConnectionFactory(options.uri());
        TransactionManager manager = Narayana.start(options.directory().resolve("transaction-log"));
        // That is all there is to recovery: every scan now looks at the broker and the database.
        MetaQRecovery.register(factory);
        OrderbookRecovery.register(orderbook);
        Narayana.startRecovery();

        HoldPoint holdPoint = new HoldPoint(options.holdAfter());
        List<OrderMover> movers = new ArrayList<>();
        for (int i = 0; i < MOVERS; i++) {
            OrderMover mover =
                    new OrderMover(manager, factory, orderbook, options.group(), holdPoint);
            movers.add(mover);
            Thread thread = new Thread(mover, "order-mover-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        report(options, orderbook, factory, movers);
        System.exit(0);
    }

    /** Tells the rows until there is nothing more to do. */
    private static void report(
            WorkerOptions options,
            Orderbook orderbook,
            MetaQConnectionFactory factory,
            List<OrderMover> movers)
            throws SQLException, XAException, InterruptedException {
        long lastBusyNs = System.nanoTime();
        while (true) {
            TimeUnit.MILLISECONDS.sleep(REPORT_PERIOD_MS);
            long rows = orderbook.count();
            System.out.println(WorkerJvm.ROWS + " " + rows);
            if (!movers.stream().allMatch(OrderMover::isIdle)) {
                lastBusyNs = System.nanoTime();
            } else if (rows >= options.orders()
                    || System.nanoTime() - lastBusyNs > LOST_AFTER_MS * 1_000_000) {
                if (inDoubt(orderbook, factory) == 0) {
                    break;
                }
            }
        }
        orderbook.close();
        System.out.println(WorkerJvm.FINISHED);
    }

    private static int inDoubt(Orderbook orderbook, MetaQConnectionFactory factory)
            throws SQLException, XAException {
        try {
            return orderbook.inDoubt() + Audit.inDoubt(factory);
        } catch (JMSException e) {
            LOG.info("asked for branches in doubt: {}", e.getMessage());
            return 1;
        }
    }

    private static void endWithParent() {
        Thread watch =
                new Thread(
                        () -> {
                            try {
                                while (System.in.read() >= 0) {
                                    // The parent says nothing; its pipe only breaks.
                                }
                            } catch (IOException e) {
                                LOG.info("parent gone: {}", e.getMessage());
                            }
                            Runtime.getRuntime().halt(1);
                        },
                        "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }
}
