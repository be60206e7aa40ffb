package org.metaq.protocol;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer wants beyond the terms of its subscription.
 *
 * @param start where the subscription starts to read; null: where it is, or at the end if it is new
 * @param resets whether one that exists is moved to {@code start}; else only a new one starts there
 * @param redelivery values that replace those of the broker's policy for the destination, by the
 *     keys of {@link RedeliveryPolicy}
 */
public record SubscribeOptions(
        @Nullable StartPosition start, boolean resets, Map<String, String> redelivery) {
    /** Nothing. */
    public static final SubscribeOptions NONE = new SubscribeOptions(null, false, Map.of());

    /** Key of a {@code start} that resets. */
    public static final String FROM = "from";

    /** Key of a {@code start} for a new subscription. */
    public static final String START_FROM = "startFrom";

    /** Keys of a redelivery policy. */
    public static final Set<String> REDELIVERY_KEYS =
            Set.of(
                    RedeliveryPolicy.MAX_DELIVERIES,
                    RedeliveryPolicy.DELAY,
                    RedeliveryPolicy.BACK_OFF,
                    RedeliveryPolicy.MAX_DELAY,
                    RedeliveryPolicy.STRICT_ORDER,
                    RedeliveryPolicy.DEAD_LETTER);

    /** Keeps a copy of the values. */
    public SubscribeOptions {
        redelivery = Map.copyOf(redelivery);
    }

    /** The same without a start position: for who opens the consumer again. */
    public SubscribeOptions withoutStart() {
        return new SubscribeOptions(null, false, redelivery);
    }

    /** Writes int32 count, then string key and string value of each, by key. */
    void write(BodyWriter out) {
        Map<String, String> all = new TreeMap<>(redelivery);
        if (start != null) {
            all.put(resets ? FROM : START_FROM, start.toString());
        }
        out.i32(all.size());
        all.forEach((key, value) -> out.string(key).string(value));
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws ProtocolException if a key is unknown or a value is not valid
     */
    static SubscribeOptions read(BodyReader in) throws ProtocolException {
        Map<String, String> redelivery = new LinkedHashMap<>();
        StartPosition start = null;
        boolean resets = false;
        for (int i = in.count(2 * Integer.BYTES); i > 0; i--) {
            String key = in.string();
            String value = in.string();
            if (key.equals(FROM) || key.equals(START_FROM)) {
                start = StartPosition.parse(value);
                resets = key.equals(FROM);
            } else if (REDELIVERY_KEYS.contains(key)) {
                redelivery.put(key, value);
            } else {
                throw new ProtocolException("'subscribe' with an unknown option '" + key + "'");
            }
        }
        RedeliveryPolicy.DEFAULT.with(redelivery);
        return new SubscribeOptions(start, resets, redelivery);
    }
}
