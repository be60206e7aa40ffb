package org.metaq.tck;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Tells what JUnit does, and ends the JVM when a test takes too long: a thread that waits for ever
 * can be ended in no other way. Thread-safe: by a lock.
 */
final class WorkerListener implements TestExecutionListener {
    private final ReentrantLock lock = new ReentrantLock();
    private final DataOutputStream events;
    private final TestLog log;
    private final long testLimitMs;
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(
                    task -> {
                        Thread thread = new Thread(task, "tck-clock");
                        thread.setDaemon(true);
                        return thread;
                    });
    private @Nullable TestId running;
    private long startTimeNs;
    private @Nullable ScheduledFuture<?> limit;
    private String classFailure = "";

    /**
     * A listener that is told nothing yet.
     *
     * @param testLimitMs after which a test counts as stuck
     */
    WorkerListener(DataOutputStream events, TestLog log, long testLimitMs) {
        this.events = events;
        this.log = log;
        this.testLimitMs = testLimitMs;
    }

    @Override
    public void executionStarted(TestIdentifier identifier) {
        Optional<TestId> test = test(identifier);
        if (test.isEmpty()) {
            return;
        }
        lock.lock();
        try {
            running = test.get();
            log.begin(test.get());
            WorkerEvent.started(test.get().method()).write(events);
            startTimeNs = System.nanoTime();
            limit = clock.schedule(this::stuck, testLimitMs, TimeUnit.MILLISECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void executionSkipped(TestIdentifier identifier, String reason) {
        test(identifier)
                .ifPresentOrElse(
                        test ->
                                send(
                                        WorkerEvent.Kind.FAILED,
                                        test.method(),
                                        0,
                                        "skipped: " + reason,
                                        ""),
                        () -> classFailure = "skipped: " + reason);
    }

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        @Nullable Throwable failure = result.getThrowable().orElse(null);
        boolean isPassed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
        lock.lock();
        try {
            if (test(identifier).isEmpty()) {
                classFailure = isPassed ? "" : line(failure);
                return;
            }
            if (limit != null) {
                limit.cancel(false);
            }
            if (failure != null) {
                // Into the test's log.
                failure.printStackTrace();
            }
            log.end(!isPassed);
            TestId ended = running;
            running = null;
            if (ended != null) {
                send(
                        isPassed ? WorkerEvent.Kind.PASSED : WorkerEvent.Kind.FAILED,
                        ended.method(),
                        elapsedMs(),
                        isPassed ? "" : line(failure),
                        trace(failure));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    /** Tells that a class is through. */
    void classEnded() {
        lock.lock();
        try {
            send(WorkerEvent.Kind.CLASS_ENDED, "", 0, classFailure, "");
            classFailure = "";
        } finally {
            lock.unlock();
        }
    }

    private long elapsedMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startTimeNs);
    }

    /** Runs on the clock's thread. */
    private void stuck() {
        lock.lock();
        try {
            TestId test = running;
            if (test == null) {
                return;
            }
            String reason = "did not end in " + testLimitMs / 1000 + " s";
            System.err.println(reason + "; what the threads do:");
            System.err.println(threads());
            log.end(true);
            send(WorkerEvent.Kind.STUCK, test.method(), elapsedMs(), reason, "");
            Runtime.getRuntime().halt(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    private static String threads() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet()) {
            text.append('\n').append(each.getKey()).append('\n');
            for (StackTraceElement frame : each.getValue()) {
                text.append("    at ").append(frame).append('\n');
            }
        }
        return text.toString();
    }

    private void send(
            WorkerEvent.Kind kind, String method, long timeMs, String reason, String trace) {
        lock.lock();
        try {
            new WorkerEvent(kind, method, timeMs, reason, trace).write(events);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    private static Optional<TestId> test(TestIdentifier identifier) {
        return identifier.isTest()
                        && identifier.getSource().orElse(null) instanceof MethodSource source
                ? Optional.of(new TestId(source.getClassName(), source.getMethodName()))
                : Optional.empty();
    }

    private static String line(@Nullable Throwable failure) {
        return failure == null
                ? "neither passed nor failed"
                : failure.toString().replaceAll("\\s*[\\r\\n]+\\s*", " ");
    }

    private static String trace(@Nullable Throwable failure) {
        if (failure == null) {
            return "";
        }
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }
}
