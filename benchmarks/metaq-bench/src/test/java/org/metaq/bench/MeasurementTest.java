package org.metaq.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasurementTest {
    @Test
    void shouldReadTheLineThatItWrote() {
        Measurement measurement =
                new Measurement(
                        "W4p", Map.of(Metric.RATE, 3511.25, Metric.LOST, 0.0, Metric.DOUBLED, 1.0));
        assertThat(Measurement.parse(measurement.toLine())).isEqualTo(measurement);
        assertThat(measurement.isComplete()).isFalse();
    }

    @Test
    void shouldNotBeCompleteWhenNothingWasCounted() {
        assertThat(new Measurement("W1", Map.of(Metric.RATE, 1.0)).isComplete()).isFalse();
    }

    @Test
    void shouldRefuseALineThatIsNoResult() {
        assertThatThrownBy(() -> Measurement.parse("W1 fast"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Measurement.parse("W1 beauty=1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("beauty");
    }
}
