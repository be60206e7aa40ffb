package org.metaq.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * One broker and one JVM with tests. When that JVM dies, or the broker does, both are replaced: the
 * next test finds an empty store. Confined to the thread that calls it.
 */
final class Shard implements Callable<Void> {
    private final int number;
    private final RunSettings settings;
    private final Path users;
    private final Queue<TestClass> classes;
    private final Results results;
    private int starts;
    private @Nullable BrokerProcess broker;
    private @Nullable WorkerProcess worker;

    /**
     * A shard that has not started anything.
     *
     * @param number of it, from 1
     * @param users file of the users that brokers know
     * @param classes common to all shards; each takes from the head
     */
    Shard(int number, RunSettings settings, Path users, Queue<TestClass> classes, Results results) {
        this.number = number;
        this.settings = settings;
        this.users = users;
        this.classes = classes;
        this.results = results;
    }

    /**
     * Runs classes until there is none left.
     *
     * @throws TckException if a broker or JVM does not start
     */
    @Override
    public @Nullable Void call() throws TckException, InterruptedException {
        try {
            for (TestClass next = classes.poll(); next != null; next = classes.poll()) {
                run(next);
                results.classEnded(next);
            }
        } finally {
            stop();
        }
        return null;
    }

    private void run(TestClass tests) throws TckException, InterruptedException {
        List<String> left = new ArrayList<>(tests.methods());
        while (!left.isEmpty()) {
            int before = left.size();
            if (broker != null && !broker.isAlive()) {
                stop();
            }
            if (!runInOneJvm(tests.name(), left)) {
                stop();
                if (left.size() == before) {
                    giveUp(tests.name(), left, "the JVM of the tests ended before the first");
                }
            }
        }
    }

    /**
     * Runs what is left of a class, as far as it comes.
     *
     * @param left tests to run; those that have a result are removed
     * @return false if the JVM has ended
     */
    private boolean runInOneJvm(String className, List<String> left)
            throws TckException, InterruptedException {
        WorkerProcess jvm = started();
        String running = "";
        try {
            jvm.run(new TestClass(className, left));
            for (Optional<WorkerEvent> next = jvm.next(); next.isPresent(); next = jvm.next()) {
                WorkerEvent event = next.get();
                TestId test = new TestId(className, event.method());
                switch (event.kind()) {
                    case STARTED -> running = event.method();
                    case CLASS_ENDED -> {
                        giveUp(className, left, "not run: " + event.reason());
                        return true;
                    }
                    case PASSED, FAILED, STUCK -> {
                        results.add(result(test, event));
                        left.remove(event.method());
                        running = "";
                    }
                }
            }
        } catch (IOException e) {
            // The pipe broke: the same as its end.
            results.note("the JVM of shard " + number + " is gone: " + e);
        }
        if (!running.isEmpty()) {
            results.add(
                    TestResult.error(
                            new TestId(className, running), 0, "the JVM of the test ended"));
            left.remove(running);
        }
        return false;
    }

    private static TestResult result(TestId test, WorkerEvent event) {
        TestResult.Status status =
                switch (event.kind()) {
                    case PASSED -> TestResult.Status.PASSED;
                    case FAILED -> TestResult.Status.FAILED;
                    default -> TestResult.Status.ERROR;
                };
        return new TestResult(test, status, event.timeMs(), event.reason(), event.trace());
    }

    private void giveUp(String className, List<String> left, String reason) {
        for (String method : left) {
            results.add(TestResult.error(new TestId(className, method), 0, reason));
        }
        left.clear();
    }

    private WorkerProcess started() throws TckException {
        WorkerProcess running = worker;
        if (running != null) {
            return running;
        }
        starts++;
        Path directory = settings.work().resolve("shard-" + number + "-" + starts);
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new TckException("cannot make a directory for a shard: " + e, e);
        }
        BrokerProcess served = BrokerProcess.start(settings.distribution(), users, directory);
        broker = served;
        running = WorkerProcess.start(settings, directory, served.port());
        worker = running;
        return running;
    }

    private void stop() throws InterruptedException {
        if (worker != null) {
            worker.stop();
            worker = null;
        }
        if (broker != null) {
            broker.stop();
            broker = null;
        }
    }
}
