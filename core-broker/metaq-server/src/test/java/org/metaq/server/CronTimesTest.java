package org.metaq.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.metaq.broker.TopicSettings;

class CronTimesTest {
    private static long ms(String instant) {
        return Instant.parse(instant).toEpochMilli();
    }

    private static String next(String zone, String cron, String after) {
        return Instant.ofEpochMilli(new CronTimes(ZoneId.of(zone)).nextMs(cron, ms(after)))
                .toString();
    }

    @Test
    void shouldBeDueAtMetaqsHoursInTheTimeZoneOfTheBroker() {
        String cron = TopicSettings.DELETE_WHEN;

        assertThat(next("UTC", cron, "2024-03-01T05:59:59Z")).isEqualTo("2024-03-01T06:00:00Z");
        assertThat(next("UTC", cron, "2024-03-01T06:00:00Z")).isEqualTo("2024-03-01T18:00:00Z");
        assertThat(next("Asia/Shanghai", cron, "2024-03-01T05:59:59Z"))
                .isEqualTo("2024-03-01T10:00:00Z");
    }

    @Test
    void shouldTakeQuartzWithSecondsWeekdaysAndYears() {
        assertThat(next("UTC", "0/5 * * * * ?", "2024-03-01T00:00:01Z"))
                .isEqualTo("2024-03-01T00:00:05Z");
        assertThat(next("UTC", "0 0 2 ? * SUN", "2024-03-01T00:00:00Z"))
                .isEqualTo("2024-03-03T02:00:00Z");
        assertThat(
                        new CronTimes(ZoneId.of("UTC"))
                                .nextMs("0 0 0 1 1 ? 2020", ms("2024-03-01T00:00:00Z")))
                .isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> next("UTC", "every day", "2024-03-01T00:00:00Z"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
