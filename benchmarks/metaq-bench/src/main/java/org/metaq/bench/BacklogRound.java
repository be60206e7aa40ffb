package org.metaq.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The workload with a large backlog: a fresh broker is filled, stopped, started again on the same
 * directory, and drained; each phase by a client of its own.
 */
final class BacklogRound {
    /** Name of the workload. */
    static final String NAME = "W9";

    /** One line for people. */
    static final String DESCRIPTION =
            "durable backlog, 100 per commit, no consumer: fill, clean stop, start, drain";

    /** Names of its measurements. */
    static final List<String> ROWS = List.of(BacklogPhase.FILL.name(), BacklogPhase.DRAIN.name());

    private BacklogRound() {}

    /**
     * Runs it.
     *
     * @param directory an empty one, for the broker and the clients
     * @throws BenchException if a client fails, or the broker does not stop or start
     */
    static List<Measurement> run(Provider provider, Plan plan, Path directory)
            throws BenchException, InterruptedException, IOException {
        Map<Metric, Double> in;
        double stopSeconds;
        try (Server.Broker broker = provider.start(directory)) {
            ForkedProcess process = broker.process();
            if (process == null) {
                throw new BenchException("this broker cannot be stopped and started from here");
            }
            try (Client client = client(provider, plan, directory, BacklogPhase.FILL)) {
                in = runPhase(client, broker);
            }
            in.put(Metric.DISK_GB, length(directory) / 1e9);
            long stopNs = System.nanoTime();
            process.stop();
            stopSeconds = secondsSince(stopNs);
        }
        // The client waits before the broker starts: its own start is not measured.
        try (Client client = client(provider, plan, directory, BacklogPhase.DRAIN)) {
            long startNs = System.nanoTime();
            double startedAtMs = System.currentTimeMillis();
            try (Server.Broker broker = provider.start(directory)) {
                double readySeconds = secondsSince(startNs);
                Map<Metric, Double> out = runPhase(client, broker);
                Double firstAtMs = out.remove(Metric.FIRST_MESSAGE_AT_MS);
                if (firstAtMs != null) {
                    out.put(Metric.FIRST_MESSAGE_S, (firstAtMs - startedAtMs) / 1e3);
                }
                out.put(Metric.STOP_S, stopSeconds);
                out.put(Metric.READY_S, readySeconds);
                return List.of(
                        new Measurement(BacklogPhase.FILL.name(), in),
                        new Measurement(BacklogPhase.DRAIN.name(), out));
            }
        }
    }

    private static Client client(Provider provider, Plan plan, Path directory, BacklogPhase phase)
            throws BenchException, InterruptedException {
        return Client.start(provider, plan, directory, List.of(phase.name()));
    }

    private static Map<Metric, Double> runPhase(Client client, Server.Broker broker)
            throws BenchException, InterruptedException {
        Collected collected = new Collected();
        client.run(broker, collected);
        if (collected.measurements.size() != 1) {
            throw new BenchException(collected.why);
        }
        return new EnumMap<>(collected.measurements.get(0).values());
    }

    private static double secondsSince(long startNs) {
        return (System.nanoTime() - startNs) / 1e9;
    }

    /** Bytes in all files below. */
    private static long length(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            long sum = 0;
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                sum += Files.size(file);
            }
            return sum;
        }
    }

    private static final class Collected implements Client.Listener {
        private final List<Measurement> measurements = new ArrayList<>();
        private String why = "the client ended without a result";

        @Override
        public void begun(String workload) {}

        @Override
        public void measured(Measurement measurement) {
            measurements.add(measurement);
        }

        @Override
        public void noted(String text) {}

        @Override
        public void failed(String workload, String why) {
            this.why = workload + ": " + why;
        }
    }
}
