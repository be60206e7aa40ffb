package org.metaq.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** One broker's turn: a fresh one, a fresh client, all workloads. */
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
     * @throws IOException if directories cannot be made or deleted
     */
    void run(Provider provider) throws InterruptedException, IOException {
        List<String> jms = plan.workloads().stream().filter(Round::isInOneRun).toList();
        runAll(provider, jms, (directory, left) -> Client.start(provider, plan, directory, left));
        if (plan.workloads().contains(BacklogRound.NAME)) {
            runBacklog(provider);
        }
    }

    /** As {@link #run}, with the workloads of original MetaQ clients. */
    void runClassic(Server server) throws InterruptedException, IOException {
        runAll(
                server,
                plan.workloads().stream().filter(ClassicNames::contains).toList(),
                (directory, left) -> Client.startClassic(server, plan, directory, left));
    }

    /** True if the client of a Jakarta Messaging provider runs it after others. */
    static boolean isInOneRun(String workload) {
        return !workload.equals(BacklogRound.NAME) && !ClassicNames.contains(workload);
    }

    /** Starts a client for workloads. */
    private interface ClientStarter {
        Client start(Path directory, List<String> workloads)
                throws BenchException, InterruptedException;
    }

    private void runAll(Server server, List<String> workloads, ClientStarter starter)
            throws InterruptedException, IOException {
        if (workloads.isEmpty()) {
            return;
        }
        Path directory = Files.createTempDirectory(plan.data(), server.name() + "-");
        RoundListener listener = new RoundListener(server.name(), workloads);
        try (Server.Broker broker = server.start(directory)) {
            while (!listener.left.isEmpty()) {
                runRest(starter, broker, directory, listener);
            }
        } catch (BenchException e) {
            progress.explain(e);
            listener.failed(ClientSession.ALL, firstLine(e));
        }
        if (listener.failures == 0) {
            delete(directory);
        }
    }

    /** Until the end, or until a workload fails: after it another client runs the rest. */
    private void runRest(
            ClientStarter starter, Server.Broker broker, Path directory, RoundListener listener)
            throws InterruptedException {
        int failures = listener.failures;
        List<String> workloads = new ArrayList<>(listener.left);
        if (plan.warmUpJvmSeconds() > 0) {
            workloads.add(0, WarmUp.NAME);
        }
        try (Client client = starter.start(directory, workloads)) {
            client.run(broker, listener);
        } catch (BenchException e) {
            if (listener.failures == failures) {
                progress.explain(e);
                listener.failed(listener.current, firstLine(e));
            }
        }
        listener.endCurrent();
        if (listener.failures == failures && !listener.left.isEmpty()) {
            listener.failed(ClientSession.ALL, "the client ended before its last workload");
        }
    }

    private void runBacklog(Provider provider) throws InterruptedException, IOException {
        Path directory = Files.createTempDirectory(plan.data(), provider.name() + "-");
        progress.begin(provider.name(), BacklogRound.NAME);
        try {
            for (Measurement measurement : BacklogRound.run(provider, plan, directory)) {
                results.add(provider.name(), measurement);
                progress.show(provider.name(), measurement);
            }
            delete(directory);
        } catch (BenchException e) {
            progress.explain(e);
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

    /** Adds up what clients tell. */
    private final class RoundListener implements Client.Listener {
        private final String provider;
        private final List<String> left;
        private String current = ClientSession.ALL;
        private int failures;

        private RoundListener(String provider, List<String> workloads) {
            this.provider = provider;
            this.left = new ArrayList<>(workloads);
        }

        @Override
        public void begun(String workload) {
            endCurrent();
            current = workload;
            progress.begin(provider, workload);
        }

        @Override
        public void measured(Measurement measurement) {
            results.add(provider, measurement);
            progress.show(provider, measurement);
        }

        @Override
        public void noted(String text) {
            progress.note(provider, text);
        }

        @Override
        public void failed(String workload, String why) {
            failures++;
            // Without a warm-up nothing is comparable.
            boolean isAll = workload.equals(ClientSession.ALL) || workload.equals(WarmUp.NAME);
            List<String> failed = isAll ? List.copyOf(left) : List.of(workload);
            Selection.rows(failed).forEach(row -> results.addFailure(provider, row, why));
            progress.fail(provider, String.join(", ", failed), why);
            failed.forEach(this::end);
        }

        /** Nothing of the workload that runs is to be expected any more. */
        private void endCurrent() {
            end(current);
            current = ClientSession.ALL;
        }

        private void end(String workload) {
            if (left.remove(workload) || workload.equals(WarmUp.NAME)) {
                progress.end(workload);
            }
        }
    }
}
