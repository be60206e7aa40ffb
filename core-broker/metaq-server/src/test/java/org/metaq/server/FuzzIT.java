package org.metaq.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.common.DestinationKind;
import org.metaq.protocol.Command;
import org.metaq.protocol.CommandCodec;
import org.metaq.protocol.Durability;
import org.metaq.protocol.Settlement;

/**
 * A hundred thousand commands that are wrong in some way, over many connections, at a broker with a
 * small heap. A failure names its seed; {@code -Dmetaq.fuzz.seed=N} sends the same bytes again.
 */
@Timeout(240)
class FuzzIT {
    private static final int COMMANDS = Integer.getInteger("metaq.fuzz.commands", 100_000);
    private static final long SEED = Long.getLong("metaq.fuzz.seed", System.nanoTime());
    private static final int WORKERS = 6;
    private static final int SLOW_READERS = 8;
    private static final int IDLE_CONNECTIONS = 100;

    /** Opaque number of the last command of a connection that should live so long. */
    private static final int LAST = 2_000_000_000;

    private static final long PATIENCE_SECONDS = 60;

    /** What the broker may hold in the end: nothing of all the connections that are gone. */
    private static final long HEAP_MAX_BYTES = 40L << 20;

    @TempDir Path directory;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger tameConnections = new AtomicInteger();
    private final AtomicInteger finished = new AtomicInteger();
    private final AtomicInteger replies = new AtomicInteger();
    private final List<RawClient> held = new ArrayList<>();
    private volatile boolean isOver;

    @Test
    void shouldServeValidClientsWhileOthersSendWhatIsNoneAndKeepItsMemory() throws Exception {
        System.out.println("fuzz seed " + SEED);
        try (BrokerProcess broker =
                BrokerProcess.on(directory.resolve("data")).jvmOptions("-Xmx128m").start()) {
            fuzz(broker);
            assertThat(broker.isAlive()).isTrue();
            assertThat(broker.log())
                    .as("seed %d", SEED)
                    .doesNotContain("OutOfMemory")
                    .doesNotContain("ERROR")
                    .doesNotContain("connection-failed");
            assertHeap(broker);
            assertThat(broker.terminate()).as("a clean stop").isEqualTo(143);
        } catch (AssertionError e) {
            throw new AssertionError("replay with -Dmetaq.fuzz.seed=" + SEED, e);
        } finally {
            threads.shutdownNow();
        }
    }

    private void fuzz(BrokerProcess broker) throws Exception {
        Future<Integer> classic = threads.submit(() -> putAndGet(broker.port()));
        Future<Integer> session = threads.submit(() -> sendAndAcquire(broker.port()));
        holdConnections(broker.port());
        List<Future<?>> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            Random random = new Random(SEED * 31 + i);
            workers.add(threads.submit(() -> work(broker, random)));
        }
        for (Future<?> each : workers) {
            each.get();
        }
        isOver = true;
        assertThat(classic.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isGreaterThan(10);
        assertThat(session.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isGreaterThan(10);
        for (RawClient each : held) {
            each.close();
        }
        System.out.printf(
                "fuzz commands %d, connections %d, of them tame %d, answered to the end %d, replies"
                        + " %d, valid round trips %d and %d%n",
                sent.get(),
                connections.get(),
                tameConnections.get(),
                finished.get(),
                replies.get(),
                classic.get(),
                session.get());
        assertThat(replies.get()).as("replies").isGreaterThan(COMMANDS / 2);
    }

    // ---- fuzzed connections

    private void work(BrokerProcess broker, Random random) {
        try {
            FuzzInput input = new FuzzInput(random);
            while (sent.get() < COMMANDS) {
                oneConnection(broker.port(), random, input);
                try (RawClient probe = new RawClient(broker.port())) {
                    assertThat(probe.ask("version 1\r\n").line()).startsWith("result 200 ");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a valid probe was not answered", e);
        }
    }

    /**
     * Ends in a reply to the last command, or in a close by the broker: at once, or when it has
     * seen our end.
     */
    private void oneConnection(int port, Random random, FuzzInput input) throws IOException {
        connections.incrementAndGet();
        try (RawClient client = new RawClient(port)) {
            boolean isTame = random.nextInt(100) < 45;
            Future<?> reader = threads.submit(() -> readToTheEnd(client));
            write(client, random, input, isTame);
            if (isTame) {
                tameConnections.incrementAndGet();
            } else if (random.nextInt(20) == 0) {
                // gone without a word, as a machine that crashes
                client.socket().setSoLinger(true, 0);
                client.close();
            } else if (!client.socket().isClosed()) {
                client.socket().shutdownOutput();
            }
            reader.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (SocketException e) {
            // closed by the broker between two of our steps: an answer too
            assertThat(e).hasMessageNotContaining("refused");
        } catch (Exception e) {
            throw new AssertionError("a fuzzed connection is neither answered nor closed", e);
        }
    }

    private void write(RawClient client, Random random, FuzzInput input, boolean isTame) {
        int count = 1 + random.nextInt(isTame ? 150 : 6);
        try {
            if (isTame && random.nextInt(10) > 0) {
                client.send(input.open());
            }
            for (int i = 0; i < count; i++) {
                sent.incrementAndGet();
                client.send(isTame ? input.tame() : input.wild());
            }
            if (isTame) {
                client.send("version " + LAST + "\r\n");
            }
        } catch (IOException e) {
            // the broker closed: what follows is not sent
            connections.get();
        }
    }

    /** What comes are whole replies, up to an end. */
    private void readToTheEnd(RawClient client) {
        try {
            while (true) {
                RawClient.Answer answer = client.read();
                assertThat(answer.line()).matches("(result \\d+|value) \\d+ -?\\d+");
                replies.incrementAndGet();
                if (answer.line().endsWith(" " + LAST)) {
                    finished.incrementAndGet();
                    return;
                }
            }
        } catch (EOFException | SocketException e) {
            // closed
            connections.get();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Connections that begin a command and say no more, and some that read nothing. */
    private void holdConnections(int port) throws IOException {
        for (int i = 0; i < IDLE_CONNECTIONS; i++) {
            RawClient idle = new RawClient(port);
            held.add(idle);
            idle.send(i % 2 == 0 ? "put fuzz 0 1000000 0 1\r\nx" : "get fuzz g 0");
        }
        for (int i = 0; i < SLOW_READERS; i++) {
            RawClient slow = new RawClient(port, 4096);
            held.add(slow);
            threads.submit(() -> askWithoutReading(slow));
        }
    }

    private void askWithoutReading(RawClient slow) {
        try {
            for (int i = 0; !isOver; i++) {
                slow.send("stats  " + i + "\r\nget fuzz g 0 0 1048576 " + i + "\r\n");
            }
        } catch (IOException e) {
            // closed by either side
            connections.get();
        }
    }

    // ---- valid connections

    private int putAndGet(int port) throws IOException {
        int count = 0;
        try (RawClient client = new RawClient(port)) {
            long offset = 0;
            while (!isOver) {
                String body = "message " + count;
                RawClient.Answer put =
                        client.ask("put valid 0 " + body.length() + " 0 7\r\n" + body);
                assertThat(put.line()).startsWith("result 200 ").endsWith(" 7");
                assertThat(put.text()).endsWith(" 0 " + offset);
                RawClient.Answer got = client.ask("get valid g 0 " + offset + " 1000 8\r\n");
                assertThat(got.line()).isEqualTo("value " + (20 + body.length()) + " 8");
                assertThat(got.text()).endsWith(body);
                offset += 20 + body.length();
                count++;
            }
        }
        return count;
    }

    private int sendAndAcquire(int port) throws IOException {
        int count = 0;
        try (RawClient client = new RawClient(port)) {
            ask(client, new Command.Open(CommandCodec.PROTOCOL_VERSION, "", "", "valid", 1));
            ask(client, new Command.Resolve(DestinationKind.QUEUE, "valid", 2));
            ask(client, new Command.Subscribe(1, "queue@valid", "", true, true, false, "", 3));
            while (!isOver) {
                String text = "message " + count;
                ByteBuffer body = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                ask(
                        client,
                        new Command.Send(
                                "queue@valid",
                                -1,
                                0,
                                -1,
                                9,
                                count + 1,
                                Durability.SYNC,
                                null,
                                body,
                                4));
                String got = ask(client, new Command.Acquire(1, 10, 1000, 30_000, 5)).text();
                assertThat(got).endsWith(text);
                count++;
            }
            ask(client, new Command.CloseConsumer(1, Settlement.NONE, 6));
        }
        return count;
    }

    private static RawClient.Answer ask(RawClient client, Command command) throws IOException {
        CommandCodec.Frame frame = CommandCodec.encode(command);
        client.send(frame.line());
        byte[] body = new byte[frame.body().remaining()];
        frame.body().get(body);
        client.send(body);
        RawClient.Answer answer = client.read();
        assertThat(answer.line()).matches("(result 200|value) .* " + command.opaque());
        return answer;
    }

    // ---- memory

    /** A histogram of the heap counts what is alive after a full collection. */
    private static void assertHeap(BrokerProcess broker) {
        // the broker may still be letting go of the last connections
        await().atMost(Duration.ofSeconds(PATIENCE_SECONDS))
                .untilAsserted(
                        () ->
                                assertThat(liveHeapBytes(broker))
                                        .as("bytes of live objects")
                                        .isBetween(1L, HEAP_MAX_BYTES));
    }

    private static long liveHeapBytes(BrokerProcess broker) throws Exception {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process process =
                new ProcessBuilder(
                                jcmd.toString(), Long.toString(broker.pid()), "GC.class_histogram")
                        .redirectErrorStream(true)
                        .start();
        String histogram =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(histogram).isZero();
        String total = histogram.strip().substring(histogram.strip().lastIndexOf('\n') + 1);
        System.out.println("fuzz heap: " + total);
        return Long.parseLong(total.strip().split(" +")[2]);
    }
}
