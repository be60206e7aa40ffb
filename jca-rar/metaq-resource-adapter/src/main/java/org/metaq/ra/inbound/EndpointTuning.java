package org.metaq.ra.inbound;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.option.RedeliveryOption;

/**
 * The properties of a {@link MetaQActivationSpec} that say how, not what, an endpoint gets: how
 * many at a time, and what happens when it or the broker fails. Times are milliseconds. Of wrapper
 * types, as WildFly warns of primitive ones. Not thread-safe: servers set the properties before the
 * activation begins.
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
    public Integer getMaxSessions() {
        return maxSessions;
    }

    /** See {@link #getMaxSessions}. */
    public void setMaxSessions(Integer count) {
        maxSessions = count;
    }

    /** Another name of {@link #setMaxSessions}. */
    public void setMaxSession(Integer count) {
        maxSessions = count;
    }

    /** Messages that each session takes ahead: 1 to 10,000; default 4. */
    public Integer getPrefetch() {
        return or(prefetch, 4);
    }

    /** See {@link #getPrefetch}. */
    public void setPrefetch(Integer count) {
        prefetch = count;
    }

    /** Deliveries after which a message is a dead letter: &gt;= 0; 0: no limit; default 10. */
    public Integer getMaxDeliveries() {
        return or(maxDeliveries, 10);
    }

    /** See {@link #getMaxDeliveries}. */
    public void setMaxDeliveries(Integer count) {
        maxDeliveries = count;
    }

    /** Time before the second delivery, up to a year; default 1000. */
    public Long getRedeliveryDelay() {
        return or(redeliveryDelay, 1000L);
    }

    /** See {@link #getRedeliveryDelay}. */
    public void setRedeliveryDelay(Long ms) {
        redeliveryDelay = ms;
    }

    /** What the delay is multiplied with for each further delivery: 1 to 1000; default 2. */
    public Double getRedeliveryBackOff() {
        return or(redeliveryBackOff, 2.0);
    }

    /** See {@link #getRedeliveryBackOff}. */
    public void setRedeliveryBackOff(Double factor) {
        redeliveryBackOff = factor;
    }

    /** What the back-off does not exceed, up to a year; default 60,000. */
    public Long getMaxRedeliveryDelay() {
        return or(maxRedeliveryDelay, 60_000L);
    }

    /** See {@link #getMaxRedeliveryDelay}. */
    public void setMaxRedeliveryDelay(Long ms) {
        maxRedeliveryDelay = ms;
    }

    /** Whether a message group waits for its message that waits for its delay; default false. */
    public Boolean getStrictOrder() {
        return or(strictOrder, false);
    }

    /** See {@link #getStrictOrder}. */
    public void setStrictOrder(Boolean strict) {
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
    public Integer getBreakerThreshold() {
        return breakerThreshold;
    }

    /** See {@link #getBreakerThreshold}. */
    public void setBreakerThreshold(Integer count) {
        breakerThreshold = count;
    }

    /** Time until the first probe of a pause: 1 to an hour; default 1000. */
    public Long getBreakerDelay() {
        return breakerDelay;
    }

    /** See {@link #getBreakerDelay}. */
    public void setBreakerDelay(Long ms) {
        breakerDelay = ms;
    }

    /** What the doubled time between probes does not exceed, up to an hour; default 30,000. */
    public Long getBreakerMaxDelay() {
        return breakerMaxDelay;
    }

    /** See {@link #getBreakerMaxDelay}. */
    public void setBreakerMaxDelay(Long ms) {
        breakerMaxDelay = ms;
    }

    /** Time between the first attempts to connect: 1 to an hour; default 500. */
    public Long getReconnectDelay() {
        return reconnectDelay;
    }

    /** See {@link #getReconnectDelay}. */
    public void setReconnectDelay(Long ms) {
        reconnectDelay = ms;
    }

    /** What the doubled time between attempts does not exceed, up to an hour; default 30,000. */
    public Long getReconnectMaxDelay() {
        return reconnectMaxDelay;
    }

    /** See {@link #getReconnectMaxDelay}. */
    public void setReconnectMaxDelay(Long ms) {
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
