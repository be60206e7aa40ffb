package org.metaq.samples.quickstart;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.transaction.xa.XAException;

/**
 * What happens, in order: a broker starts; the orders are sent to it; the worker moves them;
 * halfway the broker is killed and started again; at three quarters the worker is killed between
 * prepare and commit and started again; what came out is compared with what went in.
 */
final class Scenario implements AutoCloseable {
    private final OrderFile orders;
    private final Path directory;
    private final PrintStream out;
    private final Progress progress;
    private final BrokerJvm broker;
    private final Orderbook orderbook;

    Scenario(OrderFile orders, Path directory, PrintStream out) {
        this.orders = orders;
        this.directory = directory;
        this.out = out;
        this.progress = new Progress(out, Jvms.isTerminal());
        this.broker = new BrokerJvm(directory);
        this.orderbook = new Orderbook(directory);
    }

    /**
     * Runs it all and prints the result.
     *
     * @return differences between input and output; none: the OK line is printed
     * @throws FailedException if it cannot come to an end
     */
    List<String> run() throws FailedException, InterruptedException {
        try {
            broker.start();
            progress.event("broker runs on port " + broker.port());
            new Audit(broker.factory()).subscribe();
            orderbook.create();
            orderbook.close();
            Feeder feeder = new Feeder(broker.factory(), progress);
            progress.phase("orders sent", 0, 0);
            feeder.feed(orders);
            OrderHash sent = feeder.sent();
            if (sent.count() == 0) {
                throw new FailedException("there are no orders in " + orders);
            }
            progress.event(sent.count() + " orders of " + orders + " are in the queue");
            move(sent.count(), Batching.of(sent.count(), feeder.bytes()));
            return compare(sent);
        } catch (IOException | JMSException | SQLException | XAException e) {
            throw new FailedException(String.valueOf(e), e);
        } finally {
            progress.end();
        }
    }

    private void move(int count, Batching batching)
            throws IOException,
                    FailedException,
                    InterruptedException,
                    JMSException,
                    SQLException,
                    XAException {
        progress.phase("rows", 0, count);
        int holdAfter = (int) (count * 3L / 4);
        // A held transaction's order is no row: halfway must come before, also for two orders.
        int halfway = Math.max(0, Math.min(count / 2, holdAfter - 1));
        WorkerJvm worker =
                new WorkerJvm(
                        directory, progress, broker.uri(batching.prefetch()), count, batching);
        try (worker) {
            worker.start(holdAfter);
            worker.awaitRows(halfway);
            broker.kill();
            progress.event("killed the broker with -9 at " + worker.rows() + " rows");
            broker.start();
            progress.event("broker runs again on port " + broker.port());
            worker.awaitBlocked();
            worker.kill();
            progress.event(
                    "killed the worker with -9 between prepare and commit; in doubt: "
                            + requireInDoubt("the broker", Audit.inDoubt(broker.factory()))
                            + " at the broker, "
                            + requireInDoubt("the database", inDoubtInOrderbook())
                            + " in the database");
            progress.phase("rows", worker.rows(), count);
            worker.start(WorkerOptions.NEVER);
            worker.awaitFinished();
        }
    }

    /** The kill must have hit where it was meant to. */
    private static int requireInDoubt(String where, int count) throws FailedException {
        if (count == 0) {
            throw new FailedException("no branch is in doubt at " + where + " after the kill");
        }
        return count;
    }

    private int inDoubtInOrderbook() throws SQLException, XAException {
        int count = orderbook.inDoubt();
        orderbook.close();
        return count;
    }

    private List<String> compare(OrderHash sent) throws JMSException, SQLException, XAException {
        Tally rows = new Tally("rows", sent);
        Tally confirmations = new Tally("confirmations", sent);
        orderbook.read(rows);
        progress.phase("confirmations", 0, sent.count());
        new Audit(broker.factory()).drain(confirmations, progress);
        List<String> differences = new ArrayList<>(rows.differences());
        differences.addAll(confirmations.differences());
        int inDoubt = orderbook.inDoubt() + Audit.inDoubt(broker.factory());
        orderbook.close();
        if (inDoubt > 0) {
            differences.add("branches in doubt: " + inDoubt);
        }
        progress.end();
        out.println(
                "quickstart "
                        + (differences.isEmpty() ? "OK" : "FAILED")
                        + ": "
                        + sent.count()
                        + " orders in, "
                        + rows.total()
                        + " rows, "
                        + confirmations.total()
                        + " confirmations, "
                        + (rows.lost().size() + confirmations.lost().size())
                        + " lost, "
                        + (rows.duplicated().size() + confirmations.duplicated().size())
                        + " duplicated");
        return differences;
    }

    @Override
    public void close() throws InterruptedException {
        broker.close();
    }
}
