package org.metaq.narayana;

import jakarta.jms.JMSException;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.session.RecoveryConnection;
import org.metaq.jms.xa.MetaQXAResource;

/** A broker's resource for Narayana's recovery scans, with its name. Thread-safe. */
final class ScanResource implements AutoCloseable {
    private final RecoveryConnection connection;

    /** Guarded by this. Kept: Narayana compares what it finds in one scan and in the next. */
    private @Nullable NamedResource named;

    ScanResource(MetaQConnectionFactory factory) {
        ResourceNames.install();
        // A client id is for one connection at a time, and the application's is it.
        MetaQConnectionFactory anonymous = factory.withoutClientId();
        connection = new RecoveryConnection(anonymous.toString(), anonymous::createXAConnection);
    }

    /** A live resource; or null while the broker cannot be reached, and once closed. */
    synchronized @Nullable XAResource live() {
        MetaQXAResource live;
        try {
            live = connection.live();
        } catch (JMSException e) {
            // it has told so, once
            return null;
        }
        NamedResource known = named;
        if (known == null || known.getResource() != live) {
            known = new NamedResource(live);
            named = known;
        }
        return known;
    }

    @Override
    public void close() {
        connection.close();
    }
}
