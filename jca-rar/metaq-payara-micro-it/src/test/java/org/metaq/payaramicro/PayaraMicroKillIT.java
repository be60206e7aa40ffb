package org.metaq.payaramicro;

import java.io.IOException;
import org.metaq.container.PayaraMicroServer;
import org.metaq.wildfly.KillCases;
import org.metaq.wildfly.Site;

/** On Payara Micro, as in a container: of what it wrote, the transaction log alone is kept. */
class PayaraMicroKillIT extends KillCases {
    @Override
    protected void beforeFirstStart(Site site) throws IOException {
        ((PayaraMicroServer) site.server())
                .addPreBootCommand(
                        "set configs.config.server-config.transaction-service.tx-log-dir="
                                + site.file("transactions"));
    }

    @Override
    protected void beforeRestart(Site killed) throws IOException {
        killed.restore(PayaraMicroServer.ROOT);
    }
}
