package org.metaq.soak;

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
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import javax.transaction.xa.XAResource;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.narayana.MetaQRecovery;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Main class of the application of a {@link KillSoak}: threads move messages from a queue of one
 * broker to a queue of another, and their numbers into a database, each in a transaction of
 * Narayana over the three, until the process is killed. Answers orders meanwhile.
 */
public final class SoakWorker {
    static final String SOURCE = "source";
    static final String TARGET = "target";

    /** First line of the output. */
    static final String READY = "ready: worker";

    private static final Logger LOG = LoggerFactory.getLogger(SoakWorker.class);
    private static final int MOVERS = 4;
    private static final long RECEIVE_MS = 500;
    private static final int ORPHAN_AGE_MS = 1_000;
    private static final Duration SCAN_PERIOD = Duration.ofMillis(500);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final MetaQConnectionFactory from;
    private final MetaQConnectionFactory to;
    private final WorkerDatabase database;
    private final WorkerNarayana narayana;
    private final TransactionManager manager;
    private final List<Thread> movers = new ArrayList<>();

    // Written by the main thread, read by the movers.
    private volatile boolean isMoving = true;

    private SoakWorker(String from, String to, Path database, Path log)
            throws SQLException, CoreEnvironmentBeanException {
        this.from = new MetaQConnectionFactory(from);
        this.to = new MetaQConnectionFactory(to);
        this.database = WorkerDatabase.h2(database);
        this.narayana = new WorkerNarayana(log, ORPHAN_AGE_MS);
        MetaQRecovery.register(this.from);
        MetaQRecovery.register(this.to);
        narayana.register(this.database);
        this.manager = narayana.transactionManager();
    }

    /** Arguments: URIs of both brokers, file of the database, directory of the transaction log. */
    public static void main(String[] args) throws Exception {
        Console.start(line -> false);
        SoakWorker worker = new SoakWorker(args[0], args[1], Path.of(args[2]), Path.of(args[3]));
        System.out.println(READY);
        while (true) {
            System.out.println(Actor.DONE + worker.run(Console.nextOrder()));
        }
    }

    private void start() {
        for (int i = 0; i < MOVERS; i++) {
            movers.add(new Thread(this::move, "mover-" + i));
        }
        movers.forEach(SoakWorker::run);
        run(new Thread(this::scan, "scan"));
    }

    /** What nobody expects ends the process, and so the run. */
    private static void run(Thread thread) {
        thread.setUncaughtExceptionHandler(
                (ended, cause) -> {
                    LOG.error("{} ended", ended.getName(), cause);
                    Runtime.getRuntime().halt(1);
                });
        thread.start();
    }

    /** Lets each mover end its transaction. */
    private void stop() throws InterruptedException {
        isMoving = false;
        for (Thread mover : movers) {
            mover.join();
        }
    }

    private String run(String order) throws Exception {
        return switch (order) {
            case "numbers" ->
                    database.numbers().stream()
                            .map(String::valueOf)
                            .collect(Collectors.joining(" "));
            case "create" -> {
                database.create();
                yield "";
            }
            case "start" -> {
                start();
                yield "";
            }
            case "count" -> String.valueOf(database.count());
            case "stop" -> {
                stop();
                yield "";
            }
            case "in-doubt" -> String.valueOf(database.inDoubt());
            default -> throw new IllegalArgumentException("no order: " + order);
        };
    }

    private void scan() {
        while (true) {
            narayana.scan();
            LockSupport.parkNanos(SCAN_PERIOD.toNanos());
        }
    }

    /** Moves messages, over new connections after every failure. */
    private void move() {
        while (isMoving) {
            try (XAConnection source = from.createXAConnection();
                    XAConnection target = to.createXAConnection();
                    WorkerDatabase.Rows rows = database.connect()) {
                source.start();
                Links links = new Links(source.createXASession(), target.createXASession(), rows);
                while (isMoving) {
                    transact(links);
                }
            } catch (JMSException
                    | SQLException
                    | RollbackException
                    | SystemException
                    | NotSupportedException
                    | HeuristicMixedException
                    | HeuristicRollbackException e) {
                LOG.info("again: {}", e.toString());
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    private void transact(Links links)
            throws JMSException,
                    SQLException,
                    RollbackException,
                    SystemException,
                    NotSupportedException,
                    HeuristicMixedException,
                    HeuristicRollbackException {
        manager.begin();
        boolean isDecided = false;
        try {
            enlist(links.source.getXAResource());
            Message message = links.consumer.receive(RECEIVE_MS);
            if (message == null) {
                return;
            }
            String number = message.getBody(String.class);
            enlist(links.target.getXAResource());
            links.producer.send(links.target.createTextMessage(number));
            enlist(links.rows.resource());
            links.rows.insert(Integer.parseInt(number));
            isDecided = true;
            manager.commit();
        } finally {
            if (!isDecided && manager.getStatus() != Status.STATUS_NO_TRANSACTION) {
                manager.rollback();
            }
        }
    }

    private void enlist(XAResource resource) throws RollbackException, SystemException {
        if (!manager.getTransaction().enlistResource(resource)) {
            throw new SystemException("not enlisted: " + resource);
        }
    }

    /** What a mover works with. Confined to its thread. */
    private static final class Links {
        private final XASession source;
        private final XASession target;
        private final WorkerDatabase.Rows rows;
        private final MessageConsumer consumer;
        private final MessageProducer producer;

        Links(XASession source, XASession target, WorkerDatabase.Rows rows) throws JMSException {
            this.source = source;
            this.target = target;
            this.rows = rows;
            consumer = source.createConsumer(source.createQueue(SOURCE));
            producer = target.createProducer(target.createQueue(TARGET));
        }
    }
}
