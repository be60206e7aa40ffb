package org.metaq.server;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.Map;
import org.metaq.broker.RetentionTimes;

/** Evaluates {@code deleteWhen}, Quartz cron, in a time zone. Confined to the writer thread. */
final class CronTimes implements RetentionTimes {
    private final ZoneId zone;
    private final CronParser parser =
            new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.QUARTZ));
    private final Map<String, ExecutionTime> byText = new HashMap<>();

    CronTimes(ZoneId zone) {
        this.zone = zone;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if it is no cron expression; configuration is checked before
     */
    @Override
    public long nextMs(String deleteWhen, long afterMs) {
        ExecutionTime times =
                byText.computeIfAbsent(
                        deleteWhen, text -> ExecutionTime.forCron(parser.parse(text)));
        ZonedDateTime after = Instant.ofEpochMilli(afterMs).atZone(zone);
        return times.nextExecution(after)
                .map(next -> next.toInstant().toEpochMilli())
                .orElse(Long.MAX_VALUE);
    }
}
