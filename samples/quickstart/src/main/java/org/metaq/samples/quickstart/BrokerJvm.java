package org.metaq.samples.quickstart;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.MetaQConnectionFactory;

/** The broker: a process that can be killed and started again on its port and data. */
final class BrokerJvm implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("ready: .* on port (\\d+),.*");
    private static final long START_TIMEOUT_MS = 60_000;

    private final Path data;
    private final Path log;
    private int port;
    private @Nullable ChildJvm process;

    BrokerJvm(Path directory) {
        this.data = directory.resolve("broker");
        this.log = directory.resolve("broker.log");
    }

    /** Starts it and waits until it serves; the first time on any free port. */
    void start() throws IOException, FailedException, InterruptedException {
        ChildJvm started = ChildJvm.start("broker", Jvms.broker(data, port), log);
        process = started;
        String line = started.line(START_TIMEOUT_MS);
        Matcher ready = READY.matcher(String.valueOf(line));
        if (!ready.matches()) {
            throw new FailedException("the broker did not become ready; see " + log);
        }
        port = Integer.parseInt(ready.group(1));
    }

    /** Kills it with -9. */
    void kill() throws InterruptedException {
        if (process != null) {
            process.kill();
        }
    }

    int port() {
        return port;
    }

    /**
     * Where applications reach it.
     *
     * @param prefetch messages that a consumer takes ahead
     */
    String uri(int prefetch) {
        return "metaq://127.0.0.1:" + port + "?prefetch=" + prefetch;
    }

    MetaQConnectionFactory factory() {
        return new MetaQConnectionFactory(uri(Batching.AUDIT_PREFETCH));
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
