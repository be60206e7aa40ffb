package org.metaq.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.platform.commons.support.ReflectionSupport;

/** The table of clauses and the tests fit together. */
class ClauseTest {
    private static final String SUITE = "org.metaq.conformance.suite";

    private static List<Method> testMethods() {
        return ReflectionSupport.findAllClassesInPackage(
                        SUITE, type -> true, name -> name.endsWith("IT"))
                .stream()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(
                        method ->
                                method.isAnnotationPresent(Test.class)
                                        || method.isAnnotationPresent(ParameterizedTest.class))
                .toList();
    }

    private static Set<String> testedClauses() {
        return testMethods().stream()
                .flatMap(method -> Stream.of(method.getAnnotation(Spec.class).value()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void shouldNameAClauseForEachTest() {
        assertThat(testMethods())
                .isNotEmpty()
                .allSatisfy(method -> assertThat(method.isAnnotationPresent(Spec.class)).isTrue());
    }

    @Test
    void shouldKnowEachClauseThatATestNames() {
        assertThat(Clause.all().stream().map(Clause::number).toList())
                .doesNotHaveDuplicates()
                .containsAll(testedClauses());
    }

    @Test
    void shouldHaveATestForEachClauseThatNeedsOne() {
        Set<String> tested = testedClauses();
        assertThat(Clause.all())
                .allSatisfy(
                        clause ->
                                assertThat(tested.contains(clause.number()))
                                        .as(clause.number())
                                        .isEqualTo(clause.whyUntested().isEmpty()));
    }
}
