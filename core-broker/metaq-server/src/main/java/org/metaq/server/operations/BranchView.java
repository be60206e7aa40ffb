package org.metaq.server.operations;

import java.time.Instant;
import java.util.List;
import javax.management.ConstructorParameters;
import org.metaq.common.BranchId;
import org.metaq.protocol.BranchOrigin;
import org.metaq.protocol.BranchStatus;
import org.metaq.protocol.BranchStatus.Share;

/** A branch, as JMX shows it. Times are in ISO 8601, empty if not known. Immutable. */
public final class BranchView {
    private final BranchStatus status;
    private final DecodedXid xid;

    BranchView(BranchStatus status) {
        this.status = status;
        this.xid = DecodedXid.of(status.id());
    }

    /** From the open data that JMX carries; what the key tells is not carried. */
    @ConstructorParameters({
        "key",
        "state",
        "startedAt",
        "user",
        "clientId",
        "connection",
        "preparedAt",
        "decidedAt",
        "sent",
        "acknowledged",
        "keptBytes",
        "pinnedLogBytes"
    })
    public BranchView(
            String key,
            String state,
            String startedAt,
            String user,
            String clientId,
            String connection,
            String preparedAt,
            String decidedAt,
            List<ShareView> sent,
            List<ShareView> acknowledged,
            long keptBytes,
            long pinnedLogBytes) {
        this(
                new BranchStatus(
                        BranchId.parse(key),
                        BranchStatus.State.valueOf(state),
                        new BranchOrigin(ms(startedAt), user, clientId, connection),
                        ms(preparedAt),
                        ms(decidedAt),
                        shares(sent),
                        shares(acknowledged),
                        keptBytes,
                        pinnedLogBytes));
    }

    private static List<Share> shares(List<ShareView> views) {
        return views.stream().map(ShareView::share).toList();
    }

    private static List<ShareView> views(List<Share> shares) {
        return shares.stream().map(ShareView::new).toList();
    }

    private static long ms(String time) {
        return time.isEmpty() ? 0 : Instant.parse(time).toEpochMilli();
    }

    private static String time(long ms) {
        return ms == 0 ? "" : Instant.ofEpochMilli(ms).toString();
    }

    /** Its key: what the operations take. */
    public String getKey() {
        return status.id().toString();
    }

    /** Format id of the Xid. */
    public int getFormat() {
        return xid.format();
    }

    /** Global transaction id, in hex. */
    public String getGlobalId() {
        return xid.global();
    }

    /** The global transaction id as text, if it is one; else empty. */
    public String getGlobalText() {
        return xid.globalText();
    }

    /** Branch qualifier, in hex. */
    public String getBranchQualifier() {
        return xid.branch();
    }

    /** The branch qualifier as text, if it is one; else empty. */
    public String getBranchText() {
        return xid.branchText();
    }

    /** Name of the transaction manager's node; empty if the Xid does not tell. */
    public String getNode() {
        return xid.node();
    }

    /** Where it stands: a name of {@link org.metaq.protocol.BranchStatus.State}. */
    public String getState() {
        return status.state().name();
    }

    /** When it was begun. */
    public String getStartedAt() {
        return time(status.origin().startedMs());
    }

    /** Since when it is in doubt. */
    public String getPreparedAt() {
        return time(status.preparedMs());
    }

    /** When an operator decided over it. */
    public String getDecidedAt() {
        return time(status.decidedMs());
    }

    /** User who began it; empty if none was named. */
    public String getUser() {
        return status.origin().user();
    }

    /** Client id of the connection that began it; empty if it had none. */
    public String getClientId() {
        return status.origin().clientId();
    }

    /** Connection that began it, with its remote address. */
    public String getConnection() {
        return status.origin().connection();
    }

    /** What a commit stores. */
    public List<ShareView> getSent() {
        return views(status.sent());
    }

    /** What it consumed, and nobody else gets before its outcome. */
    public List<ShareView> getAcknowledged() {
        return views(status.acknowledged());
    }

    /** Space that its messages take up to its outcome. */
    public long getKeptBytes() {
        return status.keptBytes();
    }

    /** Bytes of partition logs that retention cannot take because of it. */
    public long getPinnedLogBytes() {
        return status.pinnedLogBytes();
    }
}
