package org.metaq.tck;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** One run, from the list of tests to their results. Confined to one thread but for its shards. */
final class TckRun {
    private final RunSettings settings;
    private final TestFilter filter;
    private final Exclusions exclusions;
    private final PrintStream out;
    private final Map<String, String> excluded = new LinkedHashMap<>();

    /**
     * A run that has not begun.
     *
     * @param out where progress is told
     */
    TckRun(RunSettings settings, TestFilter filter, Exclusions exclusions, PrintStream out) {
        this.settings = settings;
        this.filter = filter;
        this.exclusions = exclusions;
        this.out = out;
    }

    /** Tests that were wanted but are excluded, with reasons; complete after {@link #run}. */
    Map<String, String> excluded() {
        return Map.copyOf(excluded);
    }

    /**
     * Runs the tests; leaves what failed ones printed and the logs of brokers in the report
     * directory, and no stores.
     *
     * @throws TckException if there is nothing to run, or something does not start
     */
    List<TestResult> run() throws TckException, InterruptedException {
        List<Path> classPath = new ArrayList<>(settings.distribution().client());
        classPath.addAll(settings.tck().jars());
        List<TestClass> wanted = wanted(Discovery.tests(classPath));
        boolean isSignatureWanted = isWanted(SignatureCheck.TEST);
        if (wanted.isEmpty() && !isSignatureWanted) {
            throw new TckException("no test of the TCK is named so");
        }
        try {
            for (String old : List.of("log", "work", "junit")) {
                delete(settings.report().resolve(old));
            }
            Files.createDirectories(settings.work());
            Results results = new Results(out, settings.logs(), wanted.size());
            out.println(
                    wanted.stream().mapToInt(each -> each.methods().size()).sum()
                            + " tests in "
                            + wanted.size()
                            + " classes");
            if (isSignatureWanted) {
                results.add(new SignatureCheck(settings).run());
            }
            runShards(wanted, results);
            deleteStores();
            return results.all();
        } catch (IOException e) {
            throw new TckException("cannot write the report: " + e, e);
        }
    }

    private List<TestClass> wanted(List<TestClass> found) {
        List<TestClass> wanted = new ArrayList<>();
        for (TestClass each : found) {
            List<String> methods =
                    each.tests().stream().filter(this::isWanted).map(TestId::method).toList();
            if (!methods.isEmpty()) {
                wanted.add(new TestClass(each.name(), methods));
            }
        }
        return wanted;
    }

    private boolean isWanted(TestId test) {
        if (!filter.accepts(test.toString())) {
            return false;
        }
        if (exclusions.contains(test)) {
            excluded.put(test.toString(), exclusions.reasons().get(test.toString()));
            return false;
        }
        return true;
    }

    private void runShards(List<TestClass> wanted, Results results)
            throws TckException, InterruptedException {
        int shards = Math.min(settings.shards(), wanted.size());
        if (shards == 0) {
            return;
        }
        Path users = Users.write(settings);
        List<TestClass> inOrder = new ArrayList<>(wanted);
        if (shards > 1) {
            // The slow classes are at the end of the alphabet; no shard should wait for them.
            Collections.reverse(inOrder);
        }
        Queue<TestClass> classes = new ConcurrentLinkedQueue<>(inOrder);
        ExecutorService threads = Executors.newFixedThreadPool(shards);
        try {
            List<Future<Void>> running = new ArrayList<>();
            for (int i = 1; i <= shards; i++) {
                running.add(threads.submit(new Shard(i, settings, users, classes, results)));
            }
            for (Future<Void> each : running) {
                each.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TckException reason) {
                throw reason;
            }
            throw new TckException("a shard failed: " + e.getCause(), e);
        } finally {
            threads.shutdownNow();
        }
    }

    private void deleteStores() throws IOException {
        try (Stream<Path> shards = Files.list(settings.work())) {
            for (Path shard : shards.toList()) {
                delete(shard.resolve("store"));
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
