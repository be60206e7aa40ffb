package org.metaq.samples.quickstart;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.MetaQConnectionFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves orders, on a thread of its own: each order from the queue into the database, with a
 * confirmation to the topic. All three happen or none, because one transaction has both resources.
 */
final class OrderMover implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(OrderMover.class);
    private static final long RECEIVE_TIMEOUT_MS = 500;
    private static final long NEXT_TIMEOUT_MS = 20;
    private static final long RECONNECT_PAUSE_MS = 200;

    private final TransactionManager manager;
    private final MetaQConnectionFactory factory;
    private final Orderbook orderbook;
    private final int group;
    private final HoldPoint holdPoint;

    // Written by this mover, read by the thread that reports.
    private volatile boolean isIdle;

    OrderMover(
            TransactionManager manager,
            MetaQConnectionFactory factory,
            Orderbook orderbook,
            int group,
            HoldPoint holdPoint) {
        this.manager = manager;
        this.factory = factory;
        this.orderbook = orderbook;
        this.group = group;
        this.holdPoint = holdPoint;
    }

    /** True if it is connected and its last look found the queue empty. */
    boolean isIdle() {
        return isIdle;
    }

    @Override
    public void run() {
        while (true) {
            // A failure ends the links: the broker may have gone away. A new one is the whole of
            // the repair; what was in the transaction is rolled back or, once decided, recovered.
            try (Links links = Links.open(factory, orderbook)) {
                while (true) {
                    moveInTransaction(links);
                }
            } catch (JMSException | SQLException | RollbackException | SystemException e) {
                LOG.info("again after: {}", e.toString());
            }
            isIdle = false;
            pause();
        }
    }

    private void moveInTransaction(Links links)
            throws JMSException, SQLException, RollbackException, SystemException {
        boolean isDecided = false;
        begin();
        try {
            enlist(holdPoint.resource());
            int moved = move(links);
            if (moved == 0) {
                isIdle = true;
                return;
            }
            isIdle = false;
            holdPoint.took(moved);
            isDecided = true;
            manager.commit();
        } catch (HeuristicMixedException | HeuristicRollbackException e) {
            // Not with these resources: neither decides on its own.
            throw new IllegalStateException("the transaction came out half", e);
        } finally {
            if (!isDecided) {
                rollback();
            }
        }
    }

    private void begin() throws SystemException {
        try {
            manager.begin();
        } catch (NotSupportedException e) {
            throw new IllegalStateException("the last transaction is still there", e);
        }
    }

    /** The work of a transaction; returns how many orders it moved. */
    private int move(Links links)
            throws JMSException, SQLException, RollbackException, SystemException {
        // Enlisted before the receive: what is received from here on belongs to the transaction.
        enlist(links.jmsResource());
        Message order = links.receive(RECEIVE_TIMEOUT_MS);
        if (order == null) {
            return 0;
        }
        enlist(links.databaseResource());
        int moved = 0;
        long length = 0;
        while (order != null) {
            String text = order.getBody(String.class);
            int number = order.getIntProperty(Names.NUMBER);
            links.insert(number, text);
            links.confirm(number, OrderHash.of(text));
            moved++;
            length += text.length();
            order =
                    moved < group && length < Batching.BYTES_MAX
                            ? links.receive(NEXT_TIMEOUT_MS)
                            : null;
        }
        return moved;
    }

    private void enlist(@Nullable XAResource resource) throws RollbackException, SystemException {
        if (resource == null) {
            return;
        }
        Transaction transaction = manager.getTransaction();
        if (!transaction.enlistResource(resource)) {
            throw new SystemException(resource + " does not take part in " + transaction);
        }
    }

    private void rollback() throws SystemException {
        if (manager.getStatus() != Status.STATUS_NO_TRANSACTION) {
            manager.rollback();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(RECONNECT_PAUSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("nobody interrupts a mover", e);
        }
    }
}
