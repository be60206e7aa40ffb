package org.metaq.soak;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.MetaQConnectionFactory;

/**
 * A continuous load of transactions over two brokers and a database, in three processes of which
 * one, two or all are killed at random, again and again. At the end every message that was sent has
 * been moved, once, by a transaction that shows everywhere, and nothing is in doubt.
 *
 * <p>Confined to its thread.
 */
public final class KillSoak implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(20);

    /** A kill counts only under load: so many must have been moved since the last. */
    private static final int MOVED_BETWEEN_KILLS = 20;

    private static final int DELAY_MAX_MS = 300;

    private final Path directory;
    private final @Nullable String brokerClassPath;
    private final Random random;
    private final int[] ports = new int[2];
    private final Actor[] brokers;
    private Actor worker;
    private final Feeder feeder;
    private int killCount;

    /**
     * What came of a run.
     *
     * @param transactions those committed
     * @param kills of processes
     * @param lost messages that are not where they should be
     * @param duplicated messages that are there more than once
     * @param inDoubt branches that a broker, the database or the transaction manager had not
     *     finished a minute after the end, and whose they are
     */
    public record Result(
            int transactions, int kills, int lost, int duplicated, List<String> inDoubt) {
        /** Whether nothing is wrong. */
        public boolean isOk() {
            return lost + duplicated == 0 && inDoubt.isEmpty();
        }

        @Override
        public String toString() {
            return String.format(
                    "%s: %d transactions, %d kills, %d lost, %d duplicated, %d in doubt%s",
                    isOk() ? "OK" : "FAILED",
                    transactions,
                    kills,
                    lost,
                    duplicated,
                    inDoubt.size(),
                    inDoubt.isEmpty() ? "" : " " + inDoubt);
        }
    }

    /**
     * Starts the processes.
     *
     * @param directory empty, for all their files
     * @param brokerClassPath null: that of this JVM
     * @param seed of the kills' order and times
     */
    public KillSoak(Path directory, @Nullable String brokerClassPath, long seed)
            throws IOException, InterruptedException {
        this.directory = directory;
        this.brokerClassPath = brokerClassPath;
        this.random = new Random(seed);
        this.brokers = new Actor[] {startBroker(0), startBroker(1)};
        this.worker = startWorker();
        this.feeder = new Feeder(uri(0));
    }

    /**
     * Runs, once, until there have been so many kills and so much time has passed.
     *
     * @param progress told now and then how many kills and transactions there have been
     * @throws IOException if a process ends by itself, or nothing is moved for a minute
     */
    public Result run(int kills, Duration time, Progress progress)
            throws IOException, InterruptedException, JMSException, XAException {
        worker.order("create");
        worker.order("start");
        feeder.start();
        long endNs = System.nanoTime() + time.toNanos();
        while (killCount < kills || System.nanoTime() < endNs) {
            int before = moved();
            progress.reached(killCount, before);
            await("load", () -> moved() >= before + MOVED_BETWEEN_KILLS);
            LockSupport.parkNanos(Duration.ofMillis(random.nextInt(DELAY_MAX_MS)).toNanos());
            killSome();
        }
        BitSet sent = feeder.stop();
        await("all to be moved", () -> moved() >= feeder.sentCount());
        worker.order("stop");
        List<String> inDoubt = settle();
        Tally tally =
                Tally.of(sent, drain(0, SoakWorker.SOURCE), drain(1, SoakWorker.TARGET), rows());
        return new Result(moved(), killCount, tally.lost(), tally.duplicated(), inDoubt);
    }

    /** Is told how it goes. */
    public interface Progress {
        /** There have been so many kills and committed transactions. */
        void reached(int kills, int transactions);
    }

    private interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    private static void await(String what, Condition condition)
            throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > deadlineNs) {
                throw new IOException("waited in vain for " + what);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    // ---- processes

    private Actor startBroker(int index) throws IOException, InterruptedException {
        String name = "broker-" + index;
        Actor started =
                Actor.start(
                        name,
                        directory.resolve(name + ".log"),
                        brokerClassPath,
                        List.of(),
                        "org.metaq.server.BrokerMain",
                        "--data",
                        directory.resolve(name).toString(),
                        "--port",
                        String.valueOf(ports[index]),
                        "--bind",
                        "127.0.0.1");
        ports[index] = started.awaitBroker();
        return started;
    }

    private Actor startWorker() throws IOException, InterruptedException {
        Actor started =
                Actor.start(
                        "worker",
                        directory.resolve("worker.log"),
                        null,
                        List.of(),
                        SoakWorker.class.getName(),
                        uri(0),
                        uri(1),
                        directory.resolve("numbers").toString(),
                        transactionLog().toString());
        started.await(SoakWorker.READY);
        return started;
    }

    private Path transactionLog() {
        return directory.resolve("transactions");
    }

    private String uri(int index) {
        return "metaq://127.0.0.1:" + ports[index];
    }

    /** One, two or all three; then starts them again. */
    private void killSome() throws IOException, InterruptedException {
        int victims = 1 + random.nextInt((1 << (brokers.length + 1)) - 1);
        killCount += Integer.bitCount(victims);
        for (int i = 0; i < brokers.length; i++) {
            if ((victims & 1 << i) != 0) {
                brokers[i].kill9();
            }
        }
        boolean isWorker = (victims & 1 << brokers.length) != 0;
        if (isWorker) {
            worker.kill9();
        }
        for (int i = 0; i < brokers.length; i++) {
            if ((victims & 1 << i) != 0) {
                brokers[i] = startBroker(i);
            }
        }
        if (isWorker) {
            worker = startWorker();
            worker.order("start");
        }
    }

    // ---- what there is

    private int moved() throws IOException, InterruptedException {
        int count = Integer.parseInt(worker.order("count"));
        feeder.moved(count);
        return count;
    }

    private List<Integer> rows() throws IOException, InterruptedException {
        String all = worker.order("numbers");
        return all.isEmpty()
                ? List.of()
                : Arrays.stream(all.split(" ", -1)).map(Integer::valueOf).toList();
    }

    private List<Integer> drain(int index, String queue) throws JMSException {
        List<Integer> all = new ArrayList<>();
        try (Connection connection = new MetaQConnectionFactory(uri(index)).createConnection()) {
            Session session = connection.createSession(Session.DUPS_OK_ACKNOWLEDGE);
            connection.start();
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            for (Message message = consumer.receiveNoWait();
                    message != null;
                    message = consumer.receiveNoWait()) {
                all.add(Integer.valueOf(message.getBody(String.class)));
            }
        }
        return all;
    }

    /** Waits for recovery; what it has left. */
    private List<String> settle()
            throws IOException, InterruptedException, JMSException, XAException {
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        List<String> inDoubt = inDoubt();
        while (!inDoubt.isEmpty() && System.nanoTime() < deadlineNs) {
            LockSupport.parkNanos(PAUSE.toNanos());
            inDoubt = inDoubt();
        }
        return inDoubt;
    }

    private List<String> inDoubt()
            throws IOException, InterruptedException, JMSException, XAException {
        List<String> all =
                new ArrayList<>(
                        Collections.nCopies(
                                Integer.parseInt(worker.order("in-doubt")), "database"));
        for (int i = 0; i < brokers.length; i++) {
            try (XAConnection connection =
                    new MetaQConnectionFactory(uri(i)).createXAConnection()) {
                XAResource resource = connection.createXASession().getXAResource();
                for (Xid xid : resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)) {
                    all.add("broker " + i + ": " + xid);
                }
            }
        }
        WorkerNarayana.unfinished(transactionLog()).forEach(file -> all.add(file.toString()));
        return all;
    }

    /** Ends the processes. */
    @Override
    public void close() throws InterruptedException {
        for (Actor each : brokers) {
            each.close();
        }
        worker.close();
        feeder.stop();
    }
}
