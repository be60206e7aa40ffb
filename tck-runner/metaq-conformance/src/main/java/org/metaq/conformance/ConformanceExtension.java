package org.metaq.conformance;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * Skips what {@link Requires} a feature that the provider does not have, and turns failures that
 * are {@linkplain ProviderUnderTest#knownDifferences() known} into differences.
 */
public final class ConformanceExtension implements ExecutionCondition, InvocationInterceptor {
    /** What the reason of an aborted test begins with if it is a known difference. */
    static final String DIFFERENCE = "known difference: ";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        List<Feature> missing =
                context.getElement()
                        .map(element -> element.getAnnotation(Requires.class))
                        .map(requires -> Arrays.stream(requires.value()))
                        .orElse(Stream.empty())
                        .filter(feature -> !ProviderInUse.get().features().contains(feature))
                        .toList();
        return missing.isEmpty()
                ? ConditionEvaluationResult.enabled("has all features")
                : ConditionEvaluationResult.disabled("the provider has no " + missing);
    }

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context)
            throws Throwable {
        intercept(invocation, context, true);
    }

    /** What fails for some parameters only may be listed as a whole. */
    @Override
    public void interceptTestTemplateMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context)
            throws Throwable {
        intercept(invocation, context, false);
    }

    private static void intercept(
            Invocation<@Nullable Void> invocation, ExtensionContext context, boolean isToFail)
            throws Throwable {
        Optional<String> difference = knownDifference(context);
        if (difference.isEmpty()) {
            invocation.proceed();
            return;
        }
        try {
            invocation.proceed();
        } catch (Exception | AssertionError failure) {
            throw new TestAbortedException(DIFFERENCE + difference.get(), failure);
        }
        if (isToFail) {
            throw new AssertionFailedError(
                    "passes, and is listed as a difference: " + difference.get());
        }
    }

    /** By {@code Class.method}, or for one invocation by {@code Class.method: display name}. */
    private static Optional<String> knownDifference(ExtensionContext context) {
        String method =
                context.getRequiredTestClass().getSimpleName()
                        + "."
                        + context.getRequiredTestMethod().getName();
        var known = ProviderInUse.get().knownDifferences();
        return Optional.ofNullable(known.get(method))
                .or(() -> Optional.ofNullable(known.get(method + ": " + context.getDisplayName())));
    }
}
