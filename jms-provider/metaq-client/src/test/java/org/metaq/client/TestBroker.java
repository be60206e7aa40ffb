package org.metaq.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.metaq.client.cluster.Cluster;
import org.metaq.server.BrokerProcess;

/** A real broker in a process of its own, for tests of the native client. Not thread-safe. */
public final class TestBroker implements AutoCloseable {
    private final Path data;
    private final Path config;
    private BrokerProcess process;

    private TestBroker(Path data, Path config, BrokerProcess process) {
        this.data = data;
        this.config = config;
        this.process = process;
    }

    /** Starts one with these partitions per topic; its data is below the directory. */
    public static TestBroker start(Path directory, int brokerId, int partitions, String... topics)
            throws IOException, InterruptedException {
        return start(directory, brokerId, partitions, List.of(), topics);
    }

    /** As the other, with more lines of {@code server.ini}, sections of their own. */
    public static TestBroker start(
            Path directory,
            int brokerId,
            int partitions,
            List<String> moreSections,
            String... topics)
            throws IOException, InterruptedException {
        Path config = directory.resolve("server-" + brokerId + ".ini");
        List<String> lines = new ArrayList<>();
        lines.add("[system]");
        lines.add("brokerId=" + brokerId);
        lines.add("hostName=127.0.0.1");
        lines.add("numPartitions=" + partitions);
        for (String topic : topics) {
            lines.add("[topic=" + topic + "]");
        }
        lines.addAll(moreSections);
        Files.write(config, lines);
        Path data = directory.resolve("data-" + brokerId);
        return new TestBroker(data, config, launch(data, config, 0));
    }

    private static BrokerProcess launch(Path data, Path config, int port)
            throws IOException, InterruptedException {
        return BrokerProcess.on(data)
                .port(port)
                .jvmOptions("-Xmx128m")
                .arguments("--config", config.toString())
                .start();
    }

    /** Where it listens. */
    public Address address() {
        return new Address("127.0.0.1", process.port());
    }

    /** A cluster of this broker alone. */
    public Cluster cluster() {
        return Cluster.of("metaq://" + address());
    }

    /** Kills it. */
    public void kill() throws InterruptedException {
        process.kill9();
    }

    /** Starts it again on its data and port after a kill. */
    public void restart() throws IOException, InterruptedException {
        process = launch(data, config, process.port());
    }

    @Override
    public void close() throws InterruptedException {
        process.close();
    }
}
