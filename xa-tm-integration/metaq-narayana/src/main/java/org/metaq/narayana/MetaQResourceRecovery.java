package org.metaq.narayana;

import com.arjuna.ats.jta.recovery.XAResourceRecovery;
import java.sql.SQLException;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.MetaQConnectionFactory;

/**
 * Recovery of a broker's in-doubt branches, named in Narayana's configuration rather than in code:
 * in {@code jbossts-properties.xml}
 *
 * <pre>{@code
 * <entry key="JTAEnvironmentBean.xaResourceRecoveryClassNames">
 *     org.metaq.narayana.MetaQResourceRecovery;metaq://broker1:8123
 * </entry>
 * }</pre>
 *
 * does for that broker what {@link MetaQRecovery} does. For Narayana, which makes it; confined to
 * the thread of its scans.
 */
public final class MetaQResourceRecovery implements XAResourceRecovery {
    private @Nullable ScanResource resource;
    private @Nullable XAResource next;
    private boolean isScanned;

    /** As Narayana makes it; {@link #initialise} comes next. */
    public MetaQResourceRecovery() {}

    /**
     * Takes the broker.
     *
     * @param uri of the connection factory; its client id, if any, is not used
     * @return true
     * @throws SQLException if it is not such a URI
     */
    @Override
    public boolean initialise(@Nullable String uri) throws SQLException {
        try {
            resource = new ScanResource(new MetaQConnectionFactory(uri == null ? "" : uri));
            return true;
        } catch (IllegalArgumentException e) {
            throw new SQLException(
                    "behind the semicolon after "
                            + MetaQResourceRecovery.class.getName()
                            + " must be the broker's URI: "
                            + e.getMessage(),
                    e);
        }
    }

    /** Once true for each scan, if the broker can be reached, then false. */
    @Override
    public boolean hasMoreResources() {
        ScanResource known = resource;
        isScanned = !isScanned && known != null;
        next = isScanned && known != null ? known.live() : null;
        isScanned &= next != null;
        return isScanned;
    }

    /**
     * What {@link #hasMoreResources} has found.
     *
     * @throws SQLException if it has found nothing
     */
    @Override
    public XAResource getXAResource() throws SQLException {
        XAResource found = next;
        if (found == null) {
            throw new SQLException("the broker cannot be reached");
        }
        return found;
    }
}
