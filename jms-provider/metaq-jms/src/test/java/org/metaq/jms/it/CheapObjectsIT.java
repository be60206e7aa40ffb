package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.XAConnection;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import javax.management.JMX;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.server.operations.BrokerMXBean;

/** Connections, sessions, consumers and producers need no pool: they leave nothing behind. */
@Timeout(300)
class CheapObjectsIT extends BrokerTestBase {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int OBJECTS = 10_000;

    /** Objects that one round of {@link #openAndCloseAll} opens. */
    private static final int OBJECTS_PER_ROUND = 25;

    private static final int WARM_UP_ROUNDS = 40;

    /**
     * What tables of a limited size at the broker, and the JVM, take meanwhile; a session or
     * connection that stays holds several times as much for each object.
     */
    private static final long HEAP_GROWTH_MAX = 200L * OBJECTS;

    @Test
    void shouldLeaveNothingOfTenThousandObjects() throws Exception {
        Queue queue = newQueue();
        Topic topic = newTopic();
        for (int i = 0; i < WARM_UP_ROUNDS; i++) {
            openAndCloseAll(queue, topic, i);
        }
        long heapBefore = usedHeap();
        int threadsBefore = ManagementFactory.getThreadMXBean().getThreadCount();
        int filesBefore = openFiles();
        for (int i = 0; i < OBJECTS / OBJECTS_PER_ROUND; i++) {
            openAndCloseAll(queue, topic, i);
        }
        BrokerMXBean broker = broker();
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            assertThat(broker.getConnectionCount()).isZero();
                            assertThat(broker.getConsumerCount()).isZero();
                            assertThat(broker.getTemporaryDestinationCount()).isZero();
                            assertThat(broker.getVolatileSubscriptionCount()).isZero();
                            assertThat(openFiles()).isLessThanOrEqualTo(filesBefore);
                            assertThat(ManagementFactory.getThreadMXBean().getThreadCount())
                                    .isLessThanOrEqualTo(threadsBefore + 2);
                        });
        assertThat(usedHeap() - heapBefore).isLessThan(HEAP_GROWTH_MAX);
    }

    private void openAndCloseAll(Queue queue, Topic topic, int round) throws Exception {
        MetaQConnectionFactory factory = factory(round % 2 == 0 ? "" : "reconnect=true");
        try (Connection connection = factory.createConnection()) {
            connection.start();
            for (int i = 0; i < 3; i++) {
                try (Session session = connection.createSession(i == 0, i)) {
                    session.createProducer(queue).close();
                    session.createProducer(topic);
                    MessageConsumer consumer = session.createConsumer(queue);
                    session.createConsumer(topic).setMessageListener(message -> {});
                    consumer.close();
                }
            }
            Session session = connection.createSession();
            session.createConsumer(session.createTemporaryQueue());
            session.createBrowser(queue).getEnumeration().hasMoreElements();
        }
        try (XAConnection connection = factory.createXAConnection()) {
            connection.createXASession().createConsumer(topic);
        }
        try (JMSContext context = factory.createContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
            context.createProducer().send(context.createTemporaryTopic(), "nobody");
            context.createSharedConsumer(topic, "shared");
        }
    }

    private BrokerMXBean broker() throws Exception {
        var server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("org.metaq:type=Broker,id=0,port=" + port());
        return JMX.newMXBeanProxy(server, name, BrokerMXBean.class);
    }

    /** After what can go is gone: the least of several looks. */
    private static long usedHeap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    /** Sockets and files of this process; 0 where the system does not tell. */
    private static int openFiles() {
        String[] files = new File("/proc/self/fd").list();
        return files == null ? 0 : files.length;
    }
}
