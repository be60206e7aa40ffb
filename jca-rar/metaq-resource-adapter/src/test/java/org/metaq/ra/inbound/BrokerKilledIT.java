package org.metaq.ra.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.ra.broker.BrokerAccess;
import org.metaq.server.BrokerProcess;

/** A broker in a process of its own, that is killed, or does not answer. */
@Timeout(120)
class BrokerKilledIT {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final long STOP_MAX_MS = 2000;

    private final MetaQQueue queue = new MetaQQueue("orders");
    private final FakeContainer container = new FakeContainer();
    private Path data;
    private int port;
    private BrokerProcess broker;
    private Endpoints endpoints;

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        data = directory.resolve("data");
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        startBroker();
        endpoints = new Endpoints(container, () -> new BrokerAccess(uri(), "", ""), STOP_MAX_MS);
    }

    @AfterEach
    void stop() throws InterruptedException {
        endpoints.stop();
        container.close();
        broker.close();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(EndpointTestBase.ourThreads()).isEmpty());
    }

    private String uri() {
        return "metaq://127.0.0.1:" + port;
    }

    private void startBroker() throws IOException, InterruptedException {
        broker = BrokerProcess.on(data).port(port).start();
    }

    @Test
    void shouldDealWithEveryMessageThoughTheBrokerIsKilledMeanwhile() throws Exception {
        List<String> texts = IntStream.range(0, 300).mapToObj(Integer::toString).toList();
        try (JMSContext context = new MetaQConnectionFactory(uri()).createContext()) {
            texts.forEach(text -> context.createProducer().send(queue, text));
        }
        Set<String> seen = ConcurrentHashMap.newKeySet();
        FakeBean bean = new FakeBean(message -> seen.add(message.getBody(String.class)));
        bean.style = FakeTransaction.Style.TWO_PHASE;
        endpoints.activate(bean, EndpointTestBase.spec(queue));
        for (int least : new int[] {20, 100}) {
            await().atMost(PATIENCE).until(() -> bean.done.size() >= least);
            broker.kill9();
            startBroker();
        }
        await().atMost(PATIENCE).until(() -> seen.containsAll(texts));
        await().atMost(PATIENCE).until(() -> bean.underWay() == 0 && bean.done.size() >= 250);
        assertThat(bean.done).doesNotHaveDuplicates();
    }

    /** B32: it neither refuses nor answers. */
    @Test
    void shouldStopInTimeWhileTheBrokerDoesNotAnswer() throws Exception {
        FakeBean bean = FakeBean.accepting();
        endpoints.activate(bean, EndpointTestBase.spec(queue));
        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(endpoints.states())
                                        .containsExactly(Activation.State.RUNNING));
        signal("STOP");
        long startNs = System.nanoTime();
        endpoints.stop();
        Duration taken = Duration.ofNanos(System.nanoTime() - startNs);
        signal("CONT");
        assertThat(taken).isLessThan(Duration.ofMillis(STOP_MAX_MS + 1000));
    }

    private void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(broker.pid())).start();
        assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(kill.exitValue()).isZero();
    }
}
