package org.metaq.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestFilterTest {
    private static final String TEST = "core.queuetests.QueueTestsIT.autoAckQueueTest";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "queuetests",
                "autoAck",
                TEST,
                "core.queuetests.*",
                "*.autoAck*",
                "*",
                "c*t"
            })
    void shouldAcceptAPartOrWhatAPatternMatchesWhole(String pattern) {
        assertThat(new TestFilter(List.of("nothing", pattern)).accepts(TEST)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"queuetestsX", "queuetests.*", "core.*.auto", "core.queuetest..*"})
    void shouldRefuseAllElse(String pattern) {
        assertThat(new TestFilter(List.of(pattern)).accepts(TEST)).isFalse();
    }

    @Test
    void shouldAcceptAllWithoutPatterns() {
        assertThat(new TestFilter(List.of()).accepts(TEST)).isTrue();
        assertThat(new TestFilter(List.of()).isAll()).isTrue();
    }
}
