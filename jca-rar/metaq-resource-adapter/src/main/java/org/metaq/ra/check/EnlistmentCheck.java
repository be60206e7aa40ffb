package org.metaq.ra.check;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import java.util.UUID;
import javax.transaction.xa.XAException;

/**
 * Whether what is sent and received over a connection factory belongs to the server's transaction.
 * For one thread.
 */
final class EnlistmentCheck {
    private static final String NOT_ENLISTED =
            "the factory's connections do not join transactions. Usually its pool is configured"
                    + " without XA: it needs XATransaction as transaction-support (WildFly: of the"
                    + " resource-adapter; Payara: of the connector-connection-pool)";

    private final ServerTransactions transactions;
    private final ConnectionFactory factory;
    private final CheckQueue queue;
    private final String check = UUID.randomUUID().toString();

    /**
     * @param queue at the factory's broker, outside of transactions
     */
    EnlistmentCheck(ServerTransactions transactions, ConnectionFactory factory, CheckQueue queue) {
        this.transactions = transactions;
        this.factory = factory;
        this.queue = queue;
    }

    /** Adds a line for each step, to the first that fails; true if none does. */
    boolean run(Report report) {
        boolean isWell =
                report.step("what is sent and rolled back never comes", this::sendAndRollBack)
                        && report.step("what is sent comes with the commit", this::sendAndCommit)
                        && report.step(
                                "what is received and rolled back comes again",
                                this::receiveAndRollBack);
        boolean isTidy =
                report.step("what the check has sent is taken away", () -> queue.discard(check));
        return isWell && isTidy;
    }

    private void sendAndRollBack() throws CheckFailed, JMSException, XAException {
        transactions.rollBackAfter(this::sendUnseen);
        if (queue.isVisible(check)) {
            throw new CheckFailed("the message is there after the rollback: " + NOT_ENLISTED);
        }
    }

    private void sendAndCommit() throws CheckFailed, JMSException, XAException {
        transactions.commitAfter(this::sendUnseen);
        if (!queue.isVisible(check)) {
            throw new CheckFailed(
                    "the message is not there after the commit: its branch was rolled back, or"
                            + " the factory leads to another broker than its properties say");
        }
    }

    private void sendUnseen() throws CheckFailed, JMSException {
        try (JMSContext context = factory.createContext()) {
            CheckQueue.send(context, check);
        }
        if (queue.isVisible(check)) {
            throw new CheckFailed("the message is there before the commit: " + NOT_ENLISTED);
        }
    }

    private void receiveAndRollBack() throws CheckFailed, JMSException, XAException {
        transactions.rollBackAfter(
                () -> {
                    try (JMSContext context = factory.createContext()) {
                        if (!CheckQueue.isReceived(context, check)) {
                            throw new CheckFailed("the message is not received");
                        }
                    }
                });
        if (!queue.isReceived(check)) {
            throw new CheckFailed("the message was acknowledged at once: " + NOT_ENLISTED);
        }
    }
}
