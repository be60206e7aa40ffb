package org.metaq.server.config;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.parser.CronParser;

/** Checks times in Quartz' form of cron: seconds, minutes, hours, day, month, weekday, year. */
final class CronSchedule {
    private CronSchedule() {}

    /**
     * Checks the value of a key.
     *
     * @throws ConfigException if it is no such time
     */
    static void check(String key, String text) {
        CronParser parser =
                new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.QUARTZ));
        try {
            parser.parse(text).validate();
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "%s = '%s' is no time in Quartz' form of cron, such as 0 0 6,18 * * ?: %s"
                            .formatted(key, text, e.getMessage()),
                    e);
        }
    }
}
