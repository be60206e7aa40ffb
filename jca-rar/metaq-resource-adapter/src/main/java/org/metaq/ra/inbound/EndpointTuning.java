package org.metaq.ra.inbound;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.option.RedeliveryOption;

/**
 * The properties of a {@link MetaQActivationSpec} that say how, not what, an endpoint gets: how
 * many at a time, and what happens when it or the broker fails. Times are milliseconds. Not
 * thread-safe: servers set the properties before the activation begins.
 */
public abstract class EndpointTuning implements Serializable {
    private static final long serialVersionUID = 1;

    private int maxSessions = 10;

    // What is null was not given, and may come from the connection URI.
    private @Nullable Integer prefetch;
    private @Nullable Integer maxDeliveries;
    private @Nullable Long redeliveryDelay;
    private @Nullable Double redeliveryBackOff;
    private @Nullable Long maxRedeliveryDelay;
    private @Nullable Boolean strictOrder;
    private @Nullable String deadLetterQueue;

    private int breakerThreshold = 10;
    private long breakerDelay = 1000;
    private long breakerMaxDelay = 30_000;
    private long reconnectDelay = 500;
    private long reconnectMaxDelay = 30_000;

    EndpointTuning() {}

    private static <T> T or(@Nullable T given, T otherwise) {
        return given == null ? otherwise : given;
    }

    /** Messages that the endpoint works on at a time: 1 to 1000; default 10. */
    public int getMaxSessions() {
        return maxSessions;
    }

    /** See {@link #getMaxSessions}. */
    public void setMaxSessions(int count) {
        maxSessions = count;
    }

    /** Another name of {@link #setMaxSessions}. */
    public void setMaxSession(int count) {
        maxSessions = count;
    }

    /** Messages that each session takes ahead: 1 to 10,000; default 32. */
    public int getPrefetch() {
        return or(prefetch, 32);
    }

    /** See {@link #getPrefetch}. */
    public void setPrefetch(int count) {
        prefetch = count;
    }

    /** Deliveries after which a message is a dead letter: &gt;= 0; 0: no limit; default 10. */
    public int getMaxDeliveries() {
        return or(maxDeliveries, 10);
    }

    /** See {@link #getMaxDeliveries}. */
    public void setMaxDeliveries(int count) {
        maxDeliveries = count;
    }

    /** Time before the second delivery, up to a year; default 1000. */
    public long getRedeliveryDelay() {
        return or(redeliveryDelay, 1000L);
    }

    /** See {@link #getRedeliveryDelay}. */
    public void setRedeliveryDelay(long ms) {
        redeliveryDelay = ms;
    }

    /** What the delay is multiplied with for each further delivery: 1 to 1000; default 2. */
    public double getRedeliveryBackOff() {
        return or(redeliveryBackOff, 2.0);
    }

    /** See {@link #getRedeliveryBackOff}. */
    public void setRedeliveryBackOff(double factor) {
        redeliveryBackOff = factor;
    }

    /** What the back-off does not exceed, up to a year; default 60,000. */
    public long getMaxRedeliveryDelay() {
        return or(maxRedeliveryDelay, 60_000L);
    }

    /** See {@link #getMaxRedeliveryDelay}. */
    public void setMaxRedeliveryDelay(long ms) {
        maxRedeliveryDelay = ms;
    }

    /** Whether a message group waits for its message that waits for its delay; default false. */
    public boolean isStrictOrder() {
        return or(strictOrder, false);
    }

    /** See {@link #isStrictOrder}. */
    public void setStrictOrder(boolean strict) {
        strictOrder = strict;
    }

    /** Name of the queue for dead letters; null, the default: the broker's. */
    public @Nullable String getDeadLetterQueue() {
        return deadLetterQueue;
    }

    /** See {@link #getDeadLetterQueue}; empty is as null. */
    public void setDeadLetterQueue(@Nullable String name) {
        deadLetterQueue = MetaQActivationSpec.orNull(name);
    }

    /**
     * Failures in a row of different messages after which deliveries pause: 2 to 1000, or 0: they
     * never do; default 10.
     */
    public int getBreakerThreshold() {
        return breakerThreshold;
    }

    /** See {@link #getBreakerThreshold}. */
    public void setBreakerThreshold(int count) {
        breakerThreshold = count;
    }

    /** Time until the first probe of a pause: 1 to an hour; default 1000. */
    public long getBreakerDelay() {
        return breakerDelay;
    }

    /** See {@link #getBreakerDelay}. */
    public void setBreakerDelay(long ms) {
        breakerDelay = ms;
    }

    /** What the doubled time between probes does not exceed, up to an hour; default 30,000. */
    public long getBreakerMaxDelay() {
        return breakerMaxDelay;
    }

    /** See {@link #getBreakerMaxDelay}. */
    public void setBreakerMaxDelay(long ms) {
        breakerMaxDelay = ms;
    }

    /** Time between the first attempts to connect: 1 to an hour; default 500. */
    public long getReconnectDelay() {
        return reconnectDelay;
    }

    /** See {@link #getReconnectDelay}. */
    public void setReconnectDelay(long ms) {
        reconnectDelay = ms;
    }

    /** What the doubled time between attempts does not exceed, up to an hour; default 30,000. */
    public long getReconnectMaxDelay() {
        return reconnectMaxDelay;
    }

    /** See {@link #getReconnectMaxDelay}. */
    public void setReconnectMaxDelay(long ms) {
        reconnectMaxDelay = ms;
    }

    /** The redelivery policy that was given, by option. */
    Map<RedeliveryOption, String> givenRedelivery() {
        Map<RedeliveryOption, @Nullable Object> all = new LinkedHashMap<>();
        all.put(RedeliveryOption.MAX_DELIVERIES, maxDeliveries);
        all.put(RedeliveryOption.DELAY, redeliveryDelay);
        all.put(RedeliveryOption.BACK_OFF, redeliveryBackOff);
        all.put(RedeliveryOption.MAX_DELAY, maxRedeliveryDelay);
        all.put(RedeliveryOption.STRICT_ORDER, strictOrder);
        all.put(RedeliveryOption.DEAD_LETTER, deadLetterQueue);
        Map<RedeliveryOption, String> given = new LinkedHashMap<>();
        all.forEach(
                (option, value) -> {
                    if (value != null) {
                        given.put(option, value.toString());
                    }
                });
        return given;
    }

    /** Whether {@link #setPrefetch} was called. */
    boolean isPrefetchGiven() {
        return prefetch != null;
    }
}
