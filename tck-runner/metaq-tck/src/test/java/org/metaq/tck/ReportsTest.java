package org.metaq.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.tck.TestResult.Status;

class ReportsTest {
    private static final TestResult PASSED =
            new TestResult(test("core.queuetests.QueueTestsIT", "a"), Status.PASSED, 1500, "", "");
    private static final TestResult FAILED =
            new TestResult(
                    test("core.queuetests.QueueTestsIT", "b"),
                    Status.FAILED,
                    20,
                    "<x> \"y\"",
                    "at");
    private static final TestResult ERROR =
            TestResult.error(test("core20.sessiontests.ClientIT", "c"), 0, "did not end");

    @TempDir private Path directory;

    private static TestId test(String name, String method) {
        return new TestId(TestId.ROOT + "." + name, method);
    }

    private static Summary summary(Map<String, String> excluded, TestResult... results) {
        return new Summary(Map.of("date", "2026-01-02"), List.of(results), excluded, false);
    }

    @Test
    void shouldSucceedOnlyIfAllPassedAndNoneWasExcluded() {
        assertThat(summary(Map.of(), PASSED).isSuccess()).isTrue();
        assertThat(summary(Map.of(), PASSED, FAILED).isSuccess()).isFalse();
        assertThat(summary(Map.of(), PASSED, ERROR).isSuccess()).isFalse();
        assertThat(summary(Map.of("core.x.Y.z", "why"), PASSED).isSuccess()).isFalse();
        assertThat(summary(Map.of()).isSuccess()).isFalse();
    }

    @Test
    void shouldCountByPackageInTheTable() {
        String table =
                MarkdownReport.of(summary(Map.of("core.x.Y.z", "why"), PASSED, FAILED, ERROR));

        assertThat(table.lines())
                .contains(
                        "* date: 2026-01-02",
                        "| core.queuetests | 2 | 1 | 1 | 0 | 1.5 |",
                        "| core20.sessiontests | 1 | 0 | 0 | 1 | 0.0 |",
                        "| **all** | 3 | 1 | 1 | 1 | 1.5 |",
                        "* core.x.Y.z: why",
                        "* ERROR core20.sessiontests.ClientIT.c: did not end");
    }

    @Test
    void shouldCountByPackageInTheJson() {
        assertThat(JsonReport.of(summary(Map.of(), PASSED, FAILED, ERROR)))
                .contains("\"success\": false")
                .contains("\"tests\": 3, \"passed\": 1, \"failed\": 1, \"errors\": 1")
                .contains(
                        "{\"package\": \"core.queuetests\", \"tests\": 2, \"passed\": 1, \"failed\": 1")
                .contains("\"reason\": \"<x> \\\"y\\\"\"")
                .contains("\"exclusions\": []");
    }

    @Test
    void shouldWriteAFileOfAnotherFormPerClass() throws Exception {
        JunitXmlReport.write(summary(Map.of(), PASSED, FAILED, ERROR), directory);

        assertThat(directory.resolve("TEST-com.sun.ts.tests.jms.core.queuetests.QueueTestsIT.xml"))
                .content()
                .contains("tests=\"2\" failures=\"1\" errors=\"0\"")
                .contains("message=\"&lt;x&gt; &quot;y&quot;\"");
        assertThat(Files.list(directory)).hasSize(2);
    }
}
