package org.metaq.broker;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * MetaQ's {@code realtime} statistics: counts and sums of the topics that have {@code stat = true},
 * since a window began that ends after half an hour. Confined to the writer thread.
 */
final class RecentStats {
    /** What is counted; the lower-case name is MetaQ's. */
    enum Kind {
        PUT,
        GET,
        OFFSET,
        GET_MISS,
        PUT_FAILED,
        MESSAGE_SIZE
    }

    private static final long WINDOW_MS = 30 * 60 * 1000L;

    private static final class Sum {
        private long count;
        private long value;

        void add(long more) {
            count++;
            value += more;
        }
    }

    private final EnumMap<Kind, Sum> all = new EnumMap<>(Kind.class);
    private final Map<String, EnumMap<Kind, Sum>> byTopic = new HashMap<>();
    private long windowStartMs;

    RecentStats(long nowMs) {
        windowStartMs = nowMs;
    }

    void add(String topic, Kind kind, long value, long nowMs) {
        if (nowMs - windowStartMs >= WINDOW_MS) {
            reset(nowMs);
        }
        all.computeIfAbsent(kind, k -> new Sum()).add(value);
        byTopic.computeIfAbsent(topic, t -> new EnumMap<>(Kind.class))
                .computeIfAbsent(kind, k -> new Sum())
                .add(value);
    }

    void reset(long nowMs) {
        windowStartMs = nowMs;
        all.clear();
        byTopic.clear();
    }

    /** Appends a line for each kind, of one topic or, if it is null, of all. */
    void lines(StringBuilder out, String prefix, @Nullable String topic, long nowMs) {
        Map<Kind, Sum> sums = topic == null ? all : byTopic.getOrDefault(topic, NONE);
        for (Kind kind : Kind.values()) {
            out.append(prefix).append(kind.name().toLowerCase(Locale.ROOT)).append(' ');
            out.append(text(sums.get(kind), (nowMs - windowStartMs) / 1000)).append("\r\n");
        }
    }

    private static final EnumMap<Kind, Sum> NONE = new EnumMap<>(Kind.class);

    private static String text(@Nullable Sum sum, long seconds) {
        if (sum == null) {
            return "null";
        }
        DecimalFormat ratio =
                new DecimalFormat("0.##", DecimalFormatSymbols.getInstance(Locale.ROOT));
        return "Count=%d,Value=%d,Value/Count=%s,Count/Duration=%s,Duration=%d"
                .formatted(
                        sum.count,
                        sum.value,
                        ratio.format((double) sum.value / sum.count),
                        ratio.format((double) sum.count / Math.max(1, seconds)),
                        seconds);
    }
}
