package org.metaq.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** One provider's turn: a fresh broker, a fresh client, all workloads. */
final class Round {
    private final Plan plan;
    private final Results results;
    private final Progress progress;

    Round(Plan plan, Results results, Progress progress) {
        this.plan = plan;
        this.results = results;
        this.progress = progress;
    }

    /**
     * Runs it. What the broker stored is deleted if all went well, and kept else.
     *
     * @throws BenchException if the broker does not start, or a client ends before its first
     *     workload
     */
    void run(Provider provider) throws BenchException, InterruptedException, IOException {
        List<String> jms =
                plan.workloads().stream().filter(name -> !name.equals(BacklogRound.NAME)).toList();
        if (!jms.isEmpty()) {
            runAll(provider, jms);
        }
        if (plan.workloads().contains(BacklogRound.NAME)) {
            runBacklog(provider);
        }
    }

    private void runAll(Provider provider, List<String> workloads)
            throws BenchException, InterruptedException, IOException {
        Path directory = Files.createTempDirectory(plan.data(), provider.name() + "-");
        List<String> left = new ArrayList<>(workloads);
        boolean hasFailed = false;
        try (Provider.Broker broker = provider.start(directory)) {
            while (!left.isEmpty()) {
                RoundListener listener = new RoundListener(provider.name());
                try (Client client =
                        Client.start(provider, plan, directory, plan.warmUpJvmSeconds(), left)) {
                    client.run(broker, listener);
                } catch (BenchException e) {
                    listener.failCurrent(e);
                }
                // After a failure the rest is run by another client.
                left.subList(0, left.indexOf(listener.current) + 1).clear();
                hasFailed |= listener.hasFailed;
            }
        }
        if (!hasFailed) {
            delete(directory);
        }
    }

    private void runBacklog(Provider provider)
            throws BenchException, InterruptedException, IOException {
        Path directory = Files.createTempDirectory(plan.data(), provider.name() + "-");
        progress.begin(provider.name(), BacklogRound.NAME);
        try {
            for (Measurement measurement : BacklogRound.run(provider, plan, directory)) {
                results.add(provider.name(), measurement);
                progress.show(provider.name(), measurement);
            }
            delete(directory);
        } catch (BenchException e) {
            String why = firstLine(e);
            BacklogRound.ROWS.forEach(row -> results.addFailure(provider.name(), row, why));
            progress.fail(provider.name(), BacklogRound.NAME, why);
        }
        progress.end(BacklogRound.NAME);
    }

    private static String firstLine(BenchException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Adds up what a client tells. */
    private final class RoundListener implements Client.Listener {
        private final String provider;
        private String current = "";
        private boolean hasFailed;

        private RoundListener(String provider) {
            this.provider = provider;
        }

        @Override
        public void begun(String workload) {
            if (!current.isEmpty()) {
                progress.end(current);
            }
            current = workload;
            progress.begin(provider, workload);
        }

        @Override
        public void measured(Measurement measurement) {
            results.add(provider, measurement);
            progress.show(provider, measurement);
        }

        @Override
        public void failed(String workload, String why) {
            hasFailed = true;
            Workloads.named(workload).rows().forEach(row -> results.addFailure(provider, row, why));
            progress.fail(provider, workload, why);
        }

        /** The client ended in a workload, or before its first one: then nothing can be run. */
        private void failCurrent(BenchException cause) throws BenchException {
            if (current.isEmpty()) {
                throw cause;
            }
            failed(current, firstLine(cause));
        }
    }
}
