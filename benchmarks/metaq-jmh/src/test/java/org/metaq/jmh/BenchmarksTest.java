package org.metaq.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

class BenchmarksTest {
    @TempDir private Path directory;

    @Test
    void shouldRunEachBenchmarkOnce() throws RunnerException {
        Collection<RunResult> results =
                new Runner(
                                new OptionsBuilder()
                                        .forks(0)
                                        .mode(Mode.SingleShotTime)
                                        .warmupIterations(0)
                                        .measurementIterations(1)
                                        .shouldFailOnError(true)
                                        .output(directory.resolve("jmh.txt").toString())
                                        .build())
                        .run();
        Set<String> classes = new TreeSet<>();
        results.forEach(
                result -> {
                    String name = result.getParams().getBenchmark();
                    classes.add(name.substring(0, name.lastIndexOf('.')));
                });
        assertThat(classes)
                .containsExactly(
                        "org.metaq.client.ReplyDecodeBenchmark",
                        "org.metaq.jmh.BrokerBenchmark",
                        "org.metaq.jmh.JournalBenchmark",
                        "org.metaq.jmh.MessageCodecBenchmark",
                        "org.metaq.jmh.PartitionLogBenchmark",
                        "org.metaq.jmh.SelectorBenchmark",
                        "org.metaq.server.CommandCodecBenchmark",
                        "org.metaq.server.ReplyEncodeBenchmark");
    }
}
