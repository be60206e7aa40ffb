package org.metaq.broker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Subscription;
import org.metaq.broker.state.Topic;
import org.metaq.common.BranchId;
import org.metaq.protocol.BranchOrigin;
import org.metaq.protocol.Settlement;

/**
 * The part of an unprepared branch that is bound to connections: who works on it, what they
 * acknowledged, what goes to temporary destinations. Dies with any of its connections.
 */
final class Association {
    /** A session of a connection. */
    record Worker(BrokerConnection connection, int session) {}

    /** What a session is doing on the branch. */
    enum Phase {
        /** Between start and end. */
        ACTIVE,
        /** Suspended: to be resumed or ended. */
        SUSPENDED,
        /** Ended. */
        ENDED
    }

    /** A message for a temporary destination, kept until the commit. */
    record TemporarySend(
            Topic topic,
            int partition,
            byte[] message,
            long expirationMs,
            long deliveryTimeMs,
            int priority) {}

    final BranchId id;
    final long deadlineNs;
    private final BrokerConnection opener;
    private final long startedMs;
    final Map<Worker, Phase> phases = new LinkedHashMap<>();
    final Holdings acknowledged = new Holdings();

    /** Redelivery options of the consumers that had what is acknowledged. */
    final Map<Subscription, Map<String, String>> redeliveryOptions = new HashMap<>();

    final List<TemporarySend> temporarySends = new ArrayList<>();
    long messageBytes;
    boolean hasSent;

    /** Why it can only be rolled back; empty while it can be committed. */
    String rollbackOnly = "";

    /** Why what it holds goes back, as the application said; empty: not known. */
    String rollbackReason = "";

    /**
     * Without work.
     *
     * @param opener who began it
     * @param startedMs when, ms since 1970
     */
    Association(BranchId id, long deadlineNs, BrokerConnection opener, long startedMs) {
        this.id = id;
        this.deadlineNs = deadlineNs;
        this.opener = opener;
        this.startedMs = startedMs;
    }

    /** Who began it, and when. */
    BranchOrigin origin() {
        return new BranchOrigin(startedMs, opener.user, opener.clientId, opener.toString());
    }

    /** A message of it was refused: what is left must not be committed as if it were whole. */
    void refuseCommit(String why) {
        if (rollbackOnly.isEmpty()) {
            rollbackOnly = "a message of " + id + " was refused: " + why;
        }
    }

    /** True if a connection is gone that worked on it. */
    boolean isLost() {
        return phases.keySet().stream().anyMatch(worker -> worker.connection().isGone);
    }

    boolean isIdle() {
        return phases.values().stream().allMatch(phase -> phase == Phase.ENDED);
    }

    /** True if a session of the connection is at work on it. */
    boolean isActive(BrokerConnection connection) {
        for (Map.Entry<Worker, Phase> each : phases.entrySet()) {
            if (each.getValue() == Phase.ACTIVE && each.getKey().connection() == connection) {
                return true;
            }
        }
        return false;
    }

    /** Who has suspended what this session may resume: itself, or any other; null: nobody. */
    @Nullable Worker suspendedFor(Worker worker) {
        if (phases.get(worker) == Phase.SUSPENDED) {
            return worker;
        }
        for (Map.Entry<Worker, Phase> each : phases.entrySet()) {
            if (each.getValue() == Phase.SUSPENDED) {
                return each.getKey();
            }
        }
        return null;
    }

    /** Takes over what the connection holds of it; what was taken before stays where it is. */
    void acknowledge(BrokerConnection connection, Settlement settlement) {
        redeliveryOptions.putAll(connection.redeliveryOptions);
        connection.holdings.remove(
                settlement,
                (cursor, range) -> acknowledged.add(cursor, range.first(), range.last()));
    }

    boolean hasWork() {
        return hasSent || !temporarySends.isEmpty() || !acknowledged.isEmpty();
    }

    @Override
    public String toString() {
        return "branch " + id;
    }
}
