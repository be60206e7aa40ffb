package org.metaq.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;
import org.metaq.client.TcpProxy;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.soak.Actor;
import org.metaq.soak.WorkerNarayana;

/**
 * A broker and a worker, each in a process of its own, with a network between them that can be cut;
 * and what a test can see of them. They live on from case to case. Confined to its thread.
 */
final class CrashSite implements AutoCloseable {
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final Duration POLL = Duration.ofMillis(20);

    /** More than some journal segments hold. */
    private static final int FILLING_COUNT = 6;

    private static final int FILLING_LENGTH = 512 * 1024;

    private final Path directory;
    private final String databaseUrl;
    private final List<String> options;
    private final Duration patience;
    private final TcpProxy proxy;
    private final MetaQConnectionFactory factory;
    private Actor broker;
    private Actor worker;
    private int port;

    /**
     * Starts both.
     *
     * @param directory empty; for all files but those of the database, unless it is H2
     * @param databaseUrl URL of the worker's MariaDB; null: H2 in the directory
     * @param patience how long recovery may take
     */
    CrashSite(
            Path directory,
            @Nullable String databaseUrl,
            PointAgent.Fault brokerFault,
            Duration patience)
            throws IOException, InterruptedException {
        this.directory = directory;
        this.databaseUrl =
                databaseUrl != null ? databaseUrl : directory.resolve("numbers").toString();
        this.patience = patience;
        Path jar = directory.resolve("points.jar");
        PointAgent.writeJar(jar);
        this.options = List.of("-javaagent:" + jar + "=" + brokerFault);
        Files.writeString(
                directory.resolve("server.ini"),
                "[system]\njournalSegmentSize=1M\ncheckpointBytes=1M\n");
        this.broker = startBroker();
        this.proxy = new TcpProxy(port);
        this.factory = new MetaQConnectionFactory("metaq://127.0.0.1:" + port);
        this.worker = startWorker();
        worker.order("create");
    }

    private Actor startBroker() throws IOException, InterruptedException {
        Actor started =
                Actor.start(
                        "broker",
                        directory.resolve("broker.err"),
                        null,
                        options,
                        "org.metaq.server.BrokerMain",
                        "--data",
                        directory.resolve("data").toString(),
                        "--config",
                        directory.resolve("server.ini").toString(),
                        "--port",
                        String.valueOf(port),
                        "--bind",
                        "127.0.0.1");
        port = started.awaitBroker();
        return started;
    }

    private Actor startWorker() throws IOException, InterruptedException {
        Actor started =
                Actor.start(
                        "worker",
                        directory.resolve("worker.err"),
                        null,
                        options,
                        CrashWorker.class.getName(),
                        "metaq://127.0.0.1:" + proxy.port(),
                        databaseUrl,
                        directory.resolve("log").toString());
        started.await(CrashWorker.READY);
        return started;
    }

    Actor broker() {
        return broker;
    }

    Actor worker() {
        return worker;
    }

    /** A number that no message had, at no site: they may share a database. */
    int nextNumber() {
        return NUMBERS.incrementAndGet();
    }

    /** Deals the blow; who was killed is there again when this returns. */
    void deal(Blow blow) throws IOException, InterruptedException {
        switch (blow) {
            case WORKER -> {
                worker.kill9();
                worker = startWorker();
            }
            case BROKER -> {
                broker.kill9();
                broker = startBroker();
            }
            case CUT -> proxy.cut();
            case CUT_REQUEST -> proxy.cutAtNextRequest();
            case CUT_REPLY -> proxy.cutAtNextReply();
        }
    }

    // ---- messages

    /** Sends the message that the worker is to move; the network is whole. */
    void send(int of) throws JMSException {
        proxy.restore();
        try (Connection connection = factory.createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            session.createProducer(session.createQueue(CrashWorker.IN))
                    .send(session.createTextMessage(String.valueOf(of)));
        }
    }

    /** Takes all messages of both queues: {@code queue number}. */
    List<String> drain() throws JMSException {
        List<String> all = new ArrayList<>();
        try (Connection connection = factory.createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            connection.start();
            for (String queue : List.of(CrashWorker.IN, CrashWorker.OUT)) {
                MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
                Message message = consumer.receiveNoWait();
                while (message != null) {
                    all.add(queue + " " + message.getBody(String.class));
                    message = consumer.receiveNoWait();
                }
            }
        }
        return all;
    }

    // ---- what is left

    /**
     * Has the worker recover until nothing is in doubt anywhere.
     *
     * @param order the order that recovers
     */
    void recover(Order order) {
        await().atMost(patience)
                .pollInterval(POLL)
                .pollDelay(Duration.ZERO)
                .untilAsserted(
                        () -> {
                            worker.order(order.word());
                            assertThat(leftovers()).isEmpty();
                        });
    }

    /** What is not finished: of the broker, the database and the transaction manager. */
    private List<String> leftovers()
            throws IOException, InterruptedException, JMSException, XAException {
        List<String> all = new ArrayList<>();
        String inBroker = PointConsole.ask(broker, "leftovers");
        if (!inBroker.isEmpty()) {
            all.add("broker: " + inBroker);
        }
        try (XAConnection connection = factory.createXAConnection()) {
            XAResource resource = connection.createXASession().getXAResource();
            int count = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN).length;
            if (count > 0) {
                all.add("XA scan: " + count);
            }
        }
        String inDatabase = worker.order("in-doubt");
        if (!inDatabase.equals("0")) {
            all.add("database: " + inDatabase);
        }
        for (Path file : WorkerNarayana.unfinished(directory.resolve("log"))) {
            all.add("transaction log: " + file.getFileName());
        }
        return all;
    }

    private static Stream<Path> files(Path under) throws IOException {
        try (Stream<Path> all = Files.walk(under)) {
            return all.filter(Files::isRegularFile).toList().stream();
        } catch (NoSuchFileException e) {
            return Stream.empty();
        }
    }

    /**
     * Asserts that no branch pins anything of the broker's store: after some megabytes more and a
     * checkpoint only the last journal segments are there, and no spilled messages.
     */
    void assertNothingPinned() throws JMSException, IOException, InterruptedException {
        try (Connection connection = factory.createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = session.createProducer(session.createQueue("filling"));
            for (int i = 0; i < FILLING_COUNT; i++) {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(new byte[FILLING_LENGTH]);
                producer.send(message);
            }
        }
        PointConsole.ask(broker, "checkpoint");
        assertThat(files(directory.resolve("data").resolve("journal")))
                .filteredOn(file -> file.toString().endsWith(".journal"))
                .hasSizeLessThanOrEqualTo(1);
        assertThat(files(directory.resolve("data").resolve("spill"))).isEmpty();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        worker.close();
        broker.close();
        proxy.close();
    }
}
