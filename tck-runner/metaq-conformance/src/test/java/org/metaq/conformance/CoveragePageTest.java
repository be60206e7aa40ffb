package org.metaq.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.metaq.conformance.TestResult.Outcome;

class CoveragePageTest {
    private static final List<Clause> CLAUSES =
            List.of(
                    new Clause("1.1", "Tested", "A < B", ""),
                    new Clause("1.2", "Words", "", "only words"),
                    new Clause("1.3", "Forgotten", "Demands", ""));

    private static TestResult result(Outcome outcome, String... reasons) {
        return new TestResult(List.of("1.1"), "SomeIT", "shouldWork", outcome, 2, List.of(reasons));
    }

    private static String page(TestResult... results) {
        return new CoveragePage("P & Q", CLAUSES, List.of(results)).html();
    }

    @Test
    void shouldShowTestsUnderTheirClause() {
        assertThat(page(result(Outcome.PASSED)))
                .contains("A &lt; B", "<li class=\"passed\">SomeIT.shouldWork ×2: passed</li>");
    }

    @Test
    void shouldShowWhyATestFailed() {
        assertThat(page(result(Outcome.FAILED, "[1]: expected <a>")))
                .contains("class=\"failed\"", "[1]: expected &lt;a&gt;");
    }

    @Test
    void shouldShowWhyAClauseHasNoTest() {
        assertThat(page()).contains("only words", "no test ran", "Conformance of P &amp; Q");
    }

    @Test
    void shouldCountClausesAndTests() {
        assertThat(page(result(Outcome.DIFFERENCE, "known difference: x")))
                .contains(
                        "3 clauses: 1 with tests, 1 that need none, 1 without. 1 tests, 2 with all"
                                + " their parameters: 0 passed, 0 skipped, 1 difference, 0 failed.");
    }
}
