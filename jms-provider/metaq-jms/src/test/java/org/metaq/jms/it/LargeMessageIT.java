package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.server.BrokerProcess;

/** A broker whose heap is hardly larger than one message. */
@Timeout(180)
class LargeMessageIT {
    private static final int LENGTH = 100_000_000;
    private static final long PATIENCE_SECONDS = 120;

    @TempDir Path directory;
    private final List<Connection> connections = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final byte[] payload = new byte[LENGTH];
    private BrokerProcess broker;

    @BeforeEach
    void startBroker() throws Exception {
        new Random(LENGTH).nextBytes(payload);
        broker = start(0);
    }

    private BrokerProcess start(int port) throws Exception {
        return BrokerProcess.on(directory.resolve("data"))
                .port(port)
                .jvmOptions("-Xmx128m")
                .start();
    }

    @AfterEach
    void stop() throws Exception {
        threads.shutdownNow();
        for (Connection connection : connections) {
            connection.close();
        }
        assertThat(broker.isAlive()).as("the broker lives").isTrue();
        assertThat(broker.log()).doesNotContain("OutOfMemory").doesNotContain("ERROR");
        broker.close();
        BrokerTestBase.awaitNoClientThreads();
    }

    private synchronized Connection connect() throws JMSException {
        Connection connection =
                new MetaQConnectionFactory("metaq://127.0.0.1:" + broker.port()).createConnection();
        connections.add(connection);
        connection.start();
        return connection;
    }

    /** The payload, but for its first byte. */
    private void send(Session session, MetaQQueue queue, int first) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeByte((byte) first);
        message.writeBytes(payload, 1, LENGTH - 1);
        MessageProducer producer = session.createProducer(queue);
        producer.send(message);
        producer.close();
    }

    /** Receives one, checks it, and gives its first byte. */
    private int receive(MetaQQueue queue) throws JMSException {
        Session session = connect().createSession();
        MessageConsumer consumer = session.createConsumer(queue);
        Message message = consumer.receive(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        assertThat(message).as("a message of " + queue).isNotNull();
        byte[] body = message.getBody(byte[].class);
        consumer.close();
        assertThat(body.length).isEqualTo(LENGTH);
        assertThat(Arrays.equals(body, 1, LENGTH, payload, 1, LENGTH)).as("as it was").isTrue();
        return body[0];
    }

    /** What other clients can do meanwhile: round trips until the work is done. */
    private int roundTripsDuring(List<Callable<Integer>> work) throws Exception {
        MetaQQueue queue = BrokerTestBase.newQueue();
        Session session = connect().createSession();
        MessageConsumer consumer = session.createConsumer(queue);
        List<Future<Integer>> done = new ArrayList<>();
        work.forEach(each -> done.add(threads.submit(each)));
        int count = 0;
        while (!done.stream().allMatch(Future::isDone)) {
            BrokerTestBase.send(session, queue, "small " + count);
            Message got = consumer.receive(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            assertThat(BrokerTestBase.text(got)).isEqualTo("small " + count);
            count++;
        }
        for (int i = 0; i < done.size(); i++) {
            assertThat(done.get(i).get()).isEqualTo(i);
        }
        return count;
    }

    @Test
    void shouldTakeAndDeliverMessagesOfAHundredMegabytesWhileSmallTrafficGoesOn() throws Exception {
        List<MetaQQueue> queues =
                List.of(
                        BrokerTestBase.newQueue(),
                        BrokerTestBase.newQueue(),
                        BrokerTestBase.newQueue());
        List<Callable<Integer>> sends = new ArrayList<>();
        List<Callable<Integer>> receives = new ArrayList<>();
        for (int i = 0; i < queues.size(); i++) {
            int number = i;
            boolean isTransacted = i == 1;
            sends.add(
                    () -> {
                        Session session =
                                connect()
                                        .createSession(
                                                isTransacted
                                                        ? Session.SESSION_TRANSACTED
                                                        : Session.AUTO_ACKNOWLEDGE);
                        send(session, queues.get(number), number);
                        if (isTransacted) {
                            session.commit();
                        }
                        return number;
                    });
            receives.add(() -> receive(queues.get(number)));
        }
        assertThat(roundTripsDuring(sends)).isPositive();
        assertThat(roundTripsDuring(receives)).isPositive();
    }

    @Test
    void shouldKeepALargeMessageWhenTheBrokerIsKilledAndLeaveNothingOfAnUncommittedOne()
            throws Exception {
        MetaQQueue queue = BrokerTestBase.newQueue();
        send(connect().createSession(), queue, 1);
        send(connect().createSession(Session.SESSION_TRANSACTED), queue, 2);
        int port = broker.port();
        broker.kill9();
        broker = start(port);
        assertThat(receive(queue)).isEqualTo(1);
        Session session = connect().createSession();
        assertThat(session.createConsumer(queue).receiveNoWait()).isNull();
    }

    @Test
    void shouldSayThatATemporaryQueueCannotHoldSoMuch() throws Exception {
        Session session = connect().createSession();
        TemporaryQueue queue = session.createTemporaryQueue();
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(payload);
        assertThatThrownBy(() -> session.createProducer(queue).send(message))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("temporary");
        session.createProducer(queue).send(session.createTextMessage("small"));
        assertThat(BrokerTestBase.text(session.createConsumer(queue).receive(20_000)))
                .isEqualTo("small");
    }
}
