package org.metaq.mdbbench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.metaq.container.BrokerProcess;
import org.metaq.container.Ports;
import org.metaq.container.Script;
import org.metaq.container.WildFlyServer;

/**
 * A WildFly with the application once for each provider, one database, and a broker of ours. Of
 * these only what a round needs has work. Confined to its thread.
 */
final class Site implements AutoCloseable {
    /** Those of WildFly's own start script. */
    private static final List<String> SERVER_OPTIONS = List.of("-Xms64m", "-Xmx512m");

    /** That of {@code metaq broker}. */
    private static final List<String> BROKER_OPTIONS = List.of("-XX:+ExitOnOutOfMemoryError");

    private static final Duration ROUND_MAX = Duration.ofMinutes(5);
    private static final int POLL_MS = 100;
    private static final int BATCH = 100;
    private static final int BODY_LENGTH = 1024;

    private final BrokerProcess broker;
    private final WildFlyServer server;

    private Site(BrokerProcess broker, WildFlyServer server) {
        this.broker = broker;
        this.server = server;
    }

    /**
     * Sets all up and starts it.
     *
     * @param home an unpacked WildFly, which is only read
     * @param rar our resource adapter
     * @param artemisBufferNs how long Artemis' journal waits for more before a force
     * @param directory for databases, journals and logs; exists
     */
    static Site start(Path home, Path rar, long artemisBufferNs, Path directory)
            throws IOException, InterruptedException {
        BrokerProcess broker = new BrokerProcess(directory, Ports.free(), BROKER_OPTIONS);
        Path base = directory.resolve("server");
        Script script =
                new Script(WarFile.text("setup.cli"))
                        .with("@RAR@", rar.toAbsolutePath().toString())
                        .with("@URI@", broker.uri())
                        .with("@BUFFER_TIMEOUT@", Long.toString(artemisBufferNs));
        WildFlyServer.configure(home, base, script);
        Site site = new Site(broker, new WildFlyServer(home, base, SERVER_OPTIONS));
        try {
            broker.start();
            site.server.start();
            for (Provider provider : Provider.values()) {
                site.server.deploy(WarFile.write(directory, provider));
            }
            return site;
        } catch (IOException e) {
            site.close();
            throw e;
        }
    }

    /**
     * Has a provider deliver so many messages.
     *
     * @throws IOException if a message is not one row in the end
     */
    Outcome run(Provider provider, Load load, int count) throws IOException, InterruptedException {
        call(provider, "clear");
        if (load.senders() == 0) {
            call(provider, sending(load, 0, count, BATCH));
        }
        double serverCpuNs = cpuNs(server.pid());
        double brokerCpuNs = cpuNs(broker.pid());
        call(provider, "startDelivery&bean=" + load.bean());
        sendWith(provider, load, count);
        awaitRows(provider, count);
        serverCpuNs = cpuNs(server.pid()) - serverCpuNs;
        brokerCpuNs = cpuNs(broker.pid()) - brokerCpuNs;
        call(provider, "stopDelivery&bean=" + load.bean());
        return new Outcome(
                (count - 1) * 1e9 / nsOfRows(provider, count),
                serverCpuNs / 1e3 / count,
                brokerCpuNs / 1e3 / count);
    }

    private static String sending(Load load, int first, int count, int batch) {
        return String.format(
                "send&bean=%s&first=%d&count=%d&batch=%d", load.bean(), first, count, batch);
    }

    /** Sends with all senders of a load, each its part, and waits for their end. */
    private void sendWith(Provider provider, Load load, int count)
            throws IOException, InterruptedException {
        if (load.senders() == 0) {
            return;
        }
        ExecutorService senders = Executors.newFixedThreadPool(load.senders());
        try {
            int each = count / load.senders();
            List<Future<String>> sent = new ArrayList<>();
            for (int i = 0; i < load.senders(); i++) {
                String what = sending(load, i * each, each, 1);
                sent.add(senders.submit(() -> call(provider, what)));
            }
            for (Future<String> future : sent) {
                future.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("a sender failed", e);
        } finally {
            senders.shutdownNow();
        }
    }

    private void awaitRows(Provider provider, int count) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        long rows = 0;
        while (rows < count) {
            if (System.nanoTime() - startNs > ROUND_MAX.toNanos()) {
                throw new IOException(
                        rows
                                + " of "
                                + count
                                + " messages of "
                                + provider
                                + "; see "
                                + server.log());
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            rows = Long.parseLong(call(provider, "count"));
        }
    }

    private double nsOfRows(Provider provider, int count) throws IOException, InterruptedException {
        String expected = count + " " + count + " " + (long) count * BODY_LENGTH + " ";
        String found = call(provider, "rows");
        if (!found.startsWith(expected)) {
            throw new IOException(
                    "rows, different ones, bytes: "
                            + found
                            + " of "
                            + provider
                            + ", not "
                            + expected);
        }
        return Double.parseDouble(found.substring(expected.length()));
    }

    private String call(Provider provider, String what) throws IOException, InterruptedException {
        var answer = server.get("/" + provider.application() + "/run?do=" + what);
        if (answer.statusCode() != 200) {
            throw new IOException(what + " of " + provider + ": " + answer.body());
        }
        return answer.body();
    }

    private static double cpuNs(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .orElse(Duration.ZERO)
                .toNanos();
    }

    /** Kills both processes. */
    @Override
    public void close() throws InterruptedException {
        server.close();
        broker.close();
    }
}
