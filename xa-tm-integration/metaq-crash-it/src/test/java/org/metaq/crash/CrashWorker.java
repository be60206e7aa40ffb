package org.metaq.crash;

import com.arjuna.ats.arjuna.common.CoreEnvironmentBeanException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Locale;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.mariadb.jdbc.MariaDbDataSource;
import org.metaq.crash.TroubledResource.Commits;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.narayana.MetaQRecovery;
import org.metaq.soak.Actor;
import org.metaq.soak.Console;
import org.metaq.soak.WorkerDatabase;
import org.metaq.soak.WorkerNarayana;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Main class of the application that is killed: moves messages from one queue to another, and their
 * numbers into a database, in transactions of Narayana. Does what its parent orders, one thing at a
 * time, and answers each order with a line.
 */
public final class CrashWorker {
    static final String IN = "in";
    static final String OUT = "out";

    /** First line of the output. */
    static final String READY = "ready: worker";

    private static final Logger LOG = LoggerFactory.getLogger(CrashWorker.class);
    private static final long RECEIVE_MS = 10_000;
    private static final int FORGET_SCANS = 3;

    /**
     * There are no transactions of other threads, so what the log does not know is an orphan at
     * once: with an age a scan would roll it back or not, as fast as it is.
     */
    private static final int ORPHAN_AGE_MS = 0;

    private final MetaQConnectionFactory factory;
    private final WorkerDatabase database;
    private final WorkerNarayana narayana;
    private final TransactionManager manager;

    /** What a transaction ended with, as its application was told. */
    enum Told {
        COMMITTED,
        ROLLED_BACK,
        /** Perhaps committed: the manager says that it does not know. */
        UNKNOWN;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private CrashWorker(String uri, String database, Path log)
            throws SQLException, CoreEnvironmentBeanException {
        this.factory = new MetaQConnectionFactory(uri);
        this.database =
                database.startsWith("jdbc:")
                        ? new WorkerDatabase(new MariaDbDataSource(database))
                        : WorkerDatabase.h2(Path.of(database));
        this.narayana = new WorkerNarayana(log, ORPHAN_AGE_MS);
        MetaQRecovery.register(factory);
        narayana.register(this.database);
        this.manager = narayana.transactionManager();
    }

    /**
     * Arguments: URI of the broker, URL or file of the database, directory of the transaction log.
     */
    public static void main(String[] args) throws Exception {
        CrashWorker worker = new CrashWorker(args[0], args[1], Path.of(args[2]));
        System.out.println(READY);
        while (true) {
            String order = Console.nextOrder();
            System.out.println(Actor.DONE + worker.run(order.split(" ", -1)));
        }
    }

    private String run(String[] order) throws Exception {
        int number = order.length > 1 ? Integer.parseInt(order[1]) : 0;
        return switch (order[0]) {
            case "commit" -> transact(number, Commits.THROUGH, true).word();
            case "leave" -> transact(number, Commits.DEAF, true).word();
            case "rollback" -> transact(number, Commits.THROUGH, false).word();
            case "one-phase" -> transactAlone(number).word();
            case "recover" -> recover();
            case "forget" -> forget();
            case "create" -> {
                database.create();
                yield "";
            }
            case "rows" -> String.valueOf(Collections.frequency(database.numbers(), number));
            case "in-doubt" -> String.valueOf(database.inDoubt());
            default -> throw new IllegalArgumentException("no order: " + String.join(" ", order));
        };
    }

    // ---- transactions

    /** With the database. */
    private Told transact(int number, Commits commits, boolean isToCommit)
            throws SQLException, SystemException, NotSupportedException {
        try (WorkerDatabase.Rows rows = database.connect()) {
            return transact(
                    commits,
                    isToCommit,
                    session -> {
                        move(session, number);
                        enlist(rows.resource());
                        rows.insert(number);
                    });
        }
    }

    /** With the broker alone, so that it commits in one phase. */
    private Told transactAlone(int number) throws SystemException, NotSupportedException {
        return transact(Commits.ASKED_AGAIN, true, session -> move(session, number));
    }

    private interface Work {
        void in(XASession session)
                throws JMSException, SQLException, RollbackException, SystemException;
    }

    private Told transact(Commits commits, boolean isToCommit, Work work)
            throws SystemException, NotSupportedException {
        manager.begin();
        Told told = null;
        try (XAConnection connection = factory.createXAConnection()) {
            told = transact(connection, commits, isToCommit, work);
        } catch (JMSException e) {
            LOG.info("connection failed", e);
        }
        return told == null ? rollback() : told;
    }

    private Told transact(XAConnection connection, Commits commits, boolean isToCommit, Work work)
            throws SystemException {
        try {
            XASession session = connection.createXASession();
            enlist(TroubledResource.of(session.getXAResource(), commits));
            connection.start();
            work.in(session);
        } catch (JMSException | SQLException | RollbackException | SystemException e) {
            LOG.info("work failed", e);
            return rollback();
        }
        return isToCommit ? commit() : rollback();
    }

    private void enlist(XAResource resource) throws RollbackException, SystemException {
        if (!manager.getTransaction().enlistResource(resource)) {
            throw new SystemException("not enlisted: " + resource);
        }
    }

    private static void move(XASession session, int number) throws JMSException {
        MessageConsumer consumer = session.createConsumer(session.createQueue(IN));
        Message message = consumer.receive(RECEIVE_MS);
        if (message == null || Integer.parseInt(message.getBody(String.class)) != number) {
            throw new JMSException("received " + message + " instead of " + number);
        }
        MessageProducer producer = session.createProducer(session.createQueue(OUT));
        producer.send(session.createTextMessage(String.valueOf(number)));
    }

    private Told commit() throws SystemException {
        try {
            manager.commit();
            return Told.COMMITTED;
        } catch (RollbackException e) {
            LOG.info("rolled back", e);
            return Told.ROLLED_BACK;
        } catch (HeuristicMixedException | HeuristicRollbackException e) {
            LOG.warn("not known to be committed", e);
            return Told.UNKNOWN;
        }
    }

    /** Whatever fails here: what was never told to commit will not be committed. */
    private Told rollback() {
        try {
            manager.rollback();
        } catch (SystemException e) {
            LOG.info("rollback failed", e);
        }
        return Told.ROLLED_BACK;
    }

    // ---- recovery

    private String recover() {
        narayana.scan();
        narayana.scan();
        return "";
    }

    /** Recovers, and forgets by itself what Narayana has not forgotten. */
    private String forget() {
        for (int i = 0; i < FORGET_SCANS; i++) {
            narayana.scan();
        }
        try (XAConnection connection = factory.createXAConnection()) {
            XAResource resource = connection.createXASession().getXAResource();
            for (Xid xid : resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)) {
                resource.forget(xid);
            }
        } catch (JMSException | XAException e) {
            LOG.info("nothing forgotten", e);
        }
        return "";
    }
}
