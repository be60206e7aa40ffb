package org.metaq.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.metaq.conformance.TestResult.Outcome;
import org.opentest4j.TestAbortedException;

/**
 * Notes how each test with a {@link Spec} ended, and behind the last one writes the page of clauses
 * and ends the provider. JUnit finds it as a service; thread-safe, as tests run in parallel.
 */
public final class ConformanceListener implements TestExecutionListener {
    /** System property with the folder of the report. */
    static final String REPORT_PROPERTY = "conformance.report";

    private static final String DEFAULT_REPORT = "target/conformance";
    private static final String PAGE = "index.html";

    private final Map<String, TestResult> results = new ConcurrentSkipListMap<>();
    private @Nullable TestPlan plan;

    @Override
    public void testPlanExecutionStarted(TestPlan testPlan) {
        plan = testPlan;
    }

    @Override
    public void executionSkipped(TestIdentifier identifier, String reason) {
        note(identifier, Outcome.SKIPPED, reason);
        TestPlan known = plan;
        if (known != null) {
            known.getDescendants(identifier).forEach(below -> note(below, Outcome.SKIPPED, reason));
        }
    }

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        Throwable thrown = result.getThrowable().orElse(null);
        boolean isTest = identifier.isTest();
        switch (result.getStatus()) {
            case SUCCESSFUL -> {
                if (isTest) {
                    note(identifier, Outcome.PASSED, "");
                }
            }
            case ABORTED -> note(identifier, aborted(thrown), described(identifier, thrown));
            case FAILED -> {
                note(identifier, Outcome.FAILED, described(identifier, thrown));
                TestPlan known = plan;
                if (!isTest && known != null) {
                    known.getDescendants(identifier)
                            .forEach(
                                    below ->
                                            note(
                                                    below,
                                                    Outcome.FAILED,
                                                    described(identifier, thrown)));
                }
            }
        }
    }

    private static Outcome aborted(@Nullable Throwable thrown) {
        return String.valueOf(thrown == null ? null : thrown.getMessage())
                        .startsWith(ConformanceExtension.DIFFERENCE)
                ? Outcome.DIFFERENCE
                : Outcome.SKIPPED;
    }

    private static String described(TestIdentifier identifier, @Nullable Throwable thrown) {
        String reason = String.valueOf(thrown);
        if (thrown instanceof TestAbortedException && thrown.getMessage() != null) {
            reason = thrown.getMessage();
        }
        return identifier.getDisplayName() + ": " + reason;
    }

    private void note(TestIdentifier identifier, Outcome outcome, String reason) {
        TestSource source = identifier.getSource().orElse(null);
        if (!(source instanceof MethodSource method)) {
            return;
        }
        Method java = method.getJavaMethod();
        Spec spec = java.getAnnotation(Spec.class);
        if (spec == null) {
            return;
        }
        List<String> reasons = reason.isEmpty() ? List.of() : List.of(reason);
        TestResult result =
                new TestResult(
                        List.of(spec.value()),
                        method.getJavaClass().getSimpleName(),
                        java.getName(),
                        outcome,
                        1,
                        reasons);
        results.merge(
                result.testClass() + "." + result.method(), result, ConformanceListener::together);
    }

    private static TestResult together(TestResult one, TestResult other) {
        List<String> reasons = new ArrayList<>(one.reasons());
        reasons.addAll(other.reasons());
        return new TestResult(
                one.clauses(),
                one.testClass(),
                one.method(),
                one.outcome().worse(other.outcome()),
                one.invocations() + other.invocations(),
                reasons);
    }

    @Override
    public void testPlanExecutionFinished(TestPlan testPlan) {
        String provider = ProviderInUse.name();
        ProviderInUse.close();
        if (results.isEmpty()) {
            return;
        }
        Path folder = Path.of(System.getProperty(REPORT_PROPERTY, DEFAULT_REPORT));
        try {
            Files.createDirectories(folder);
            Files.writeString(
                    folder.resolve(PAGE),
                    new CoveragePage(provider, Clause.all(), List.copyOf(results.values())).html());
        } catch (IOException e) {
            throw new UncheckedIOException("no report in " + folder, e);
        }
    }
}
