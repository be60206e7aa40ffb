package org.metaq.samples.quickstart;

import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import java.sql.SQLException;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;

/** Recovery of the database's branches: what {@code MetaQRecovery} does for the broker's. */
final class OrderbookRecovery implements XAResourceRecoveryHelper {
    private final XAConnection connection;

    private OrderbookRecovery(XAConnection connection) {
        this.connection = connection;
    }

    static void register(Orderbook orderbook) throws SQLException {
        XARecoveryModule.getRegisteredXARecoveryModule()
                .addXAResourceRecoveryHelper(new OrderbookRecovery(orderbook.xaConnection()));
    }

    @Override
    public boolean initialise(String ignored) {
        return true;
    }

    @Override
    public XAResource[] getXAResources() throws SQLException {
        return new XAResource[] {connection.getXAResource()};
    }
}
