package org.metaq.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.metaq.bench.BrokerProcess;
import org.metaq.server.BrokerMain;

/** Each scenario at a small size, its clients in this JVM. */
@EnabledOnOs(OS.LINUX)
class ScaleIT {
    private static final double FACTOR = 0.005;
    private static final int MESSAGE_LENGTH = 100;
    private static final double BROKER_RSS_MAX_MB = 400;

    /** A thread that never sleeps makes it 100; compilers still work. */
    private static final double IDLE_MAX_PERCENT = 50;

    @TempDir private Path directory;

    @ParameterizedTest
    @EnumSource(Scenario.class)
    void shouldRunEachScenarioInBoundedMemoryAndIdleAtRest(Scenario scenario) throws Exception {
        try (BrokerProcess broker = BrokerProcess.start(launch(), directory)) {
            Run run =
                    new Run(
                            new Run.Size(FACTOR, MESSAGE_LENGTH),
                            broker,
                            new PrintStream(directory.resolve("progress.txt").toFile()));
            scenario.run(run);
            assertThat(run.measures())
                    .anyMatch(measure -> measure.name().equals("broker peak RSS"))
                    .allSatisfy(ScaleIT::assertBounded);
        }
    }

    private static void assertBounded(Measure measure) {
        switch (measure.name()) {
            case "broker peak RSS" ->
                    assertThat(measure.value()).as("%s", measure).isLessThan(BROKER_RSS_MAX_MB);
            case "broker CPU, idle" ->
                    assertThat(measure.value()).as("%s", measure).isLessThan(IDLE_MAX_PERCENT);
            case "the same, by that of 1 subscription" ->
                    assertThat(measure.isMet()).as("%s", measure).isTrue();
            default -> assertThat(measure.value()).as("%s", measure).isFinite();
        }
    }

    private static BrokerProcess.Launch launch() {
        return new BrokerProcess.Launch(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BrokerMain.class.getName()),
                "",
                List.of());
    }
}
