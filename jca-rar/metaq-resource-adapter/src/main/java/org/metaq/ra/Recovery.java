package org.metaq.ra;

import jakarta.resource.spi.ActivationSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;
import org.metaq.ra.broker.BrokerAccess;
import org.metaq.ra.broker.BrokerSource;
import org.metaq.ra.inbound.MetaQActivationSpec;

/** The resources that a server's transaction manager recovers with. Thread-safe. */
final class Recovery {
    /** Guarded by this. Kept: a transaction manager asks every few seconds. */
    private final Map<BrokerAccess, RecoveryResource> resources = new LinkedHashMap<>();

    private boolean isClosed;

    /**
     * One for each broker of the adapter and of its activations.
     *
     * @param specs of activations that may not be active yet
     * @param active the brokers of those that are, as they were looked up
     */
    synchronized XAResource[] resources(
            BrokerSource adapter, ActivationSpec @Nullable [] specs, List<BrokerAccess> active) {
        Map<BrokerAccess, XAResource> found = new LinkedHashMap<>();
        add(adapter.brokerAccess(), found);
        active.forEach(broker -> add(broker, found));
        for (ActivationSpec spec : specs == null ? new ActivationSpec[0] : specs) {
            if (spec instanceof MetaQActivationSpec ours) {
                add(broker(ours, adapter), found);
            }
        }
        return found.values().toArray(XAResource[]::new);
    }

    /** A connection factory that it names can be looked up only when it is activated. */
    private static BrokerAccess broker(MetaQActivationSpec spec, BrokerSource adapter) {
        return adapter.brokerAccess()
                .with(spec.getConnectionUri(), spec.getUser(), spec.getPassword());
    }

    /** Without client id, which is for an application's connection. */
    private void add(BrokerAccess named, Map<BrokerAccess, XAResource> found) {
        if (!isClosed) {
            BrokerAccess access = named.withClientId("");
            found.put(access, resources.computeIfAbsent(access, RecoveryResource::new));
        }
    }

    /** Closes their connections. */
    synchronized void close() {
        isClosed = true;
        resources.values().forEach(RecoveryResource::close);
        resources.clear();
    }
}
