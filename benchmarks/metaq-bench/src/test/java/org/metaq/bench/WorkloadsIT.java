package org.metaq.bench;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Session;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.server.BrokerServer;
import org.metaq.server.config.ServerConfig;

/** Every workload against a broker in this process. */
@Timeout(120)
class WorkloadsIT {
    private static final Context.Times SHORT =
            new Context.Times(
                    TimeUnit.MILLISECONDS.toNanos(200), TimeUnit.MILLISECONDS.toNanos(300));
    private static final int BACKLOG_COUNT = 2000;

    @TempDir static Path log;

    @TempDir Path directory;
    private BrokerServer server;
    private Context context;

    @BeforeAll
    static void setUpTransactionManager() {
        for (String option : NarayanaBranches.jvmOptions(log)) {
            String[] property = option.substring("-D".length()).split("=", 2);
            System.setProperty(property[0], property[1]);
        }
    }

    @BeforeEach
    void startBroker() {
        server =
                BrokerServer.start(
                        ServerConfig.builder()
                                .port(0)
                                .bindAddress("127.0.0.1")
                                .dataPath(directory.resolve("data"))
                                .build());
        MetaQConnectionFactory factory =
                new MetaQConnectionFactory("metaq://127.0.0.1:" + server.port());
        context =
                new Context(
                        factory,
                        factory,
                        ProcessHandle.current().pid(),
                        SHORT,
                        directory,
                        BACKLOG_COUNT);
    }

    @AfterEach
    void stopBroker() {
        server.close();
    }

    /** All, but the large ones in small. */
    static Stream<Workload> workloads() {
        return Workloads.ALL.stream()
                .map(
                        workload -> {
                            if (workload instanceof ManyQueuesWorkload) {
                                return new ManyQueuesWorkload("W10", "", 10);
                            }
                            if (workload instanceof SelectorBacklogWorkload) {
                                return new SelectorBacklogWorkload("W11backlog", "", 1000, 1);
                            }
                            return workload;
                        });
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void shouldReceiveOnceWhatItSent(Workload workload) throws Exception {
        List<Measurement> measurements = workload.run(context);
        assertThat(measurements).extracting(Measurement::name).isEqualTo(workload.rows());
        assertThat(measurements)
                .allSatisfy(
                        measurement -> {
                            assertThat(measurement.isComplete()).isTrue();
                            assertThat(measurement.value(Metric.RATE)).isPositive();
                            assertThat(measurement.value(Metric.P50_US)).isPositive();
                        });
    }

    @Test
    void shouldDrainTheBacklogThatItFilled() throws Exception {
        Measurement in = BacklogPhase.FILL.run(context).get(0);
        Measurement out = BacklogPhase.DRAIN.run(context).get(0);
        assertThat(List.of(in, out))
                .allSatisfy(
                        phase -> {
                            assertThat(phase.value(Metric.SENT)).isEqualTo(BACKLOG_COUNT);
                            assertThat(phase.isComplete()).isTrue();
                            assertThat(phase.value(Metric.FIRST_TENTH_RATE)).isPositive();
                            assertThat(phase.value(Metric.LAST_TENTH_RATE)).isPositive();
                        });
        assertThat(out.value(Metric.FIRST_MESSAGE_AT_MS)).isPositive();
    }

    @Test
    void shouldUnsubscribeOneAfterTheOther() throws Exception {
        Overlap overlap = new Overlap("unsubscribe");
        Context watched =
                new Context(
                        overlap.watch(ConnectionFactory.class, context.factory()),
                        null,
                        context.brokerPid(),
                        SHORT,
                        directory,
                        BACKLOG_COUNT);
        new TopicWorkload("topic", "", 5).run(watched);
        assertThat(overlap.calls()).isEqualTo(5);
        assertThat(overlap.isSeen()).isFalse();
    }

    /** Watches whether calls of one method, of whatever object, are ever under way at once. */
    private static final class Overlap {
        /** How long each call is made to last, so that another can come. */
        private static final long CALL_MS = 100;

        private final String method;
        private final AtomicInteger calls = new AtomicInteger();
        private final AtomicInteger running = new AtomicInteger();
        private final CountDownLatch seen = new CountDownLatch(1);

        private Overlap(String method) {
            this.method = method;
        }

        private int calls() {
            return calls.get();
        }

        private boolean isSeen() {
            return seen.getCount() == 0;
        }

        /** The same object, and all that its methods return, watched. */
        private <T> T watch(Class<T> type, Object target) {
            Object proxy =
                    Proxy.newProxyInstance(
                            type.getClassLoader(),
                            new Class<?>[] {type},
                            (self, called, arguments) -> call(target, called, arguments));
            return type.cast(proxy);
        }

        private @Nullable Object call(Object target, Method called, Object @Nullable [] arguments)
                throws Throwable {
            boolean isWatched = called.getName().equals(method);
            if (isWatched) {
                calls.incrementAndGet();
                if (running.incrementAndGet() > 1) {
                    seen.countDown();
                }
                seen.await(CALL_MS, TimeUnit.MILLISECONDS);
            }
            try {
                Object result = called.invoke(target, arguments);
                boolean isOwner = result instanceof Connection || result instanceof Session;
                return isOwner ? watch(called.getReturnType(), result) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            } finally {
                if (isWatched) {
                    running.decrementAndGet();
                }
            }
        }
    }
}
