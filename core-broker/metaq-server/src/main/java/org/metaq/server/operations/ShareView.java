package org.metaq.server.operations;

import javax.management.ConstructorParameters;
import org.metaq.protocol.BranchStatus.Share;

/** What a branch does to one destination, as JMX shows it. Immutable. */
public final class ShareView {
    private final Share share;

    ShareView(Share share) {
        this.share = share;
    }

    /** From the open data that JMX carries. */
    @ConstructorParameters({"destination", "messages", "bytes"})
    public ShareView(String destination, long messages, long bytes) {
        this(new Share(destination, messages, bytes));
    }

    /** Physical name. */
    public String getDestination() {
        return share.topic();
    }

    /** How many messages. */
    public long getMessages() {
        return share.messages();
    }

    /** Bytes of these, as they are stored. */
    public long getBytes() {
        return share.bytes();
    }

    Share share() {
        return share;
    }
}
