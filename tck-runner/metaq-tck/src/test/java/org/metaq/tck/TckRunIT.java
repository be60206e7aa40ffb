package org.metaq.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.tck.TestResult.Status;

@Timeout(240)
class TckRunIT {
    private static final long TEST_LIMIT_MS = 20_000;

    @TempDir private Path directory;
    private Path exclusions;
    private Path report;

    @BeforeEach
    void prepare() {
        exclusions = directory.resolve("exclusions.txt");
        report = directory.resolve("report");
    }

    private RunSettings settings() {
        List<Path> classPath =
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(Path::of)
                        .toList();
        return new RunSettings(
                new Distribution(classPath, classPath, classPath, exclusions),
                new TckFiles(List.of(), Optional.empty(), Optional.empty()),
                20_000,
                2,
                TEST_LIMIT_MS,
                report);
    }

    @Test
    void shouldTellHowEachTestEndsWhateverItDoes() throws Exception {
        Files.writeString(exclusions, "core.sample.SampleClient.isExcluded to see it left out\n");
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        TckRun run =
                new TckRun(
                        settings(),
                        new TestFilter(List.of("SampleClient")),
                        Exclusions.read(exclusions),
                        new PrintStream(told, true, StandardCharsets.UTF_8));

        List<TestResult> results = run.run();

        assertThat(results)
                .extracting(result -> result.test().method(), TestResult::status)
                .containsExactlyInAnyOrder(
                        tuple("sendsToTheQueue", Status.PASSED),
                        tuple("hasAClientId", Status.PASSED),
                        tuple("isRefusedWithoutTheRightPassword", Status.PASSED),
                        tuple("fails", Status.FAILED),
                        tuple("cameInSourceOrder", Status.PASSED),
                        tuple("endsItsJvm", Status.ERROR),
                        tuple("doesNotEnd", Status.ERROR),
                        tuple("isDisabled", Status.FAILED),
                        tuple("beginsAnewAfterwards", Status.PASSED));
        assertThat(run.excluded())
                .isEqualTo(Map.of("core.sample.SampleClient.isExcluded", "to see it left out"));
        assertThat(told.toString(StandardCharsets.UTF_8))
                .contains("FAILED core.sample.SampleClient.fails: ")
                .contains("as it should in two lines")
                .contains("printed before the failure")
                .contains("ERROR core.sample.SampleClient.doesNotEnd: did not end in 20 s")
                .contains("[1/1] core.sample: 5 of 9 passed");
        assertThat(report.resolve("log").resolve("core.sample.SampleClient.doesNotEnd.log"))
                .content()
                .contains("com.sun.ts.tests.jms.core.sample.SampleClient.doesNotEnd");
        assertThat(report.resolve("log").resolve("core.sample.SampleClient.hasAClientId.log"))
                .doesNotExist();
    }

    @Test
    void shouldSayThatTheSignatureTestHasNotRunWithoutItsFiles() throws Exception {
        Files.writeString(exclusions, "# none\n");
        TckRun run =
                new TckRun(
                        settings(),
                        new TestFilter(List.of("signature")),
                        Exclusions.read(exclusions),
                        new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));

        assertThat(run.run())
                .singleElement()
                .satisfies(
                        result -> {
                            assertThat(result.status()).isEqualTo(Status.ERROR);
                            assertThat(result.reason()).contains("jakarta.jms.sig");
                        });
    }
}
