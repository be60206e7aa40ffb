package org.metaq.server.operations;

import java.time.Instant;
import javax.management.ConstructorParameters;
import org.metaq.broker.BrokerAdmin.PreparedBranch;

/** An in-doubt branch, as JMX shows it. Immutable. */
public final class PreparedView {
    private final PreparedBranch branch;

    PreparedView(PreparedBranch branch) {
        this.branch = branch;
    }

    /** From the open data that JMX carries. */
    @ConstructorParameters({"key", "preparedAt", "pendingMessages", "acknowledgedMessages"})
    public PreparedView(
            String key, String preparedAt, int pendingMessages, long acknowledgedMessages) {
        this(
                new PreparedBranch(
                        key,
                        Instant.parse(preparedAt).toEpochMilli(),
                        pendingMessages,
                        acknowledgedMessages));
    }

    /** Its key: what the operations take. */
    public String getKey() {
        return branch.key();
    }

    /** Since when it is prepared, in ISO 8601. */
    public String getPreparedAt() {
        return Instant.ofEpochMilli(branch.preparedMs()).toString();
    }

    /** Messages that a commit stores. */
    public int getPendingMessages() {
        return branch.pendingMessages();
    }

    /** Messages that it holds locked. */
    public long getAcknowledgedMessages() {
        return branch.acknowledgedMessages();
    }
}
