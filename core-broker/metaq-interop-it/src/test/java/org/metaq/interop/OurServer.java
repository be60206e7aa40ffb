package org.metaq.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.metaq.server.BrokerProcess;

/** Our broker, in a process of its own. */
final class OurServer implements MetaqServer {
    private final Path data;
    private final Path config;
    private final String[] jvmOptions;
    private BrokerProcess process;

    private OurServer(Path data, Path config, String... jvmOptions) {
        this.data = data;
        this.config = config;
        this.jvmOptions = jvmOptions;
    }

    /** Starts one that is registered when this returns. */
    static OurServer start(Path directory, ServerIni ini, String... jvmOptions)
            throws IOException, InterruptedException {
        Files.createDirectories(directory);
        OurServer server =
                new OurServer(
                        directory.resolve("data"),
                        ini.write(directory.resolve("server.ini")),
                        jvmOptions);
        server.startOn(0);
        return server;
    }

    private void startOn(int port) throws IOException, InterruptedException {
        process =
                BrokerProcess.on(data)
                        .port(port)
                        .jvmOptions("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                        .jvmOptions(jvmOptions)
                        .arguments("--config", config.toString())
                        .start();
    }

    /** Puts to partition 0 of a topic until a checkpoint was taken. */
    void awaitCheckpoint(Wire wire, String topic) throws IOException {
        Set<String> before = checkpoints();
        byte[] large = new byte[512 * 1024];
        Awaitility.await()
                .atMost(ClassicClient.TIMEOUT)
                .until(
                        () -> {
                            wire.put(topic, 0, large);
                            return !checkpoints().equals(before);
                        });
    }

    /** Names of checkpoints that are complete. */
    private Set<String> checkpoints() throws IOException {
        Path directory = data.resolve("checkpoints");
        if (!Files.isDirectory(directory)) {
            return Set.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(path -> Files.exists(path.resolve("MANIFEST")))
                    .map(path -> path.getFileName().toString())
                    .collect(Collectors.toSet());
        }
    }

    @Override
    public int port() {
        return process.port();
    }

    @Override
    public void kill9() throws InterruptedException {
        process.kill9();
    }

    @Override
    public void restart() throws IOException, InterruptedException {
        startOn(process.port());
    }

    /** Stops it with SIGTERM. */
    void stop() throws IOException, InterruptedException {
        process.terminate();
    }

    @Override
    public String log() throws IOException {
        return process.log();
    }

    @Override
    public void close() throws InterruptedException {
        process.close();
    }
}
