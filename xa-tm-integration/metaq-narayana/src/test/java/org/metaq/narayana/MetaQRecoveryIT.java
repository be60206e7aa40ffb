package org.metaq.narayana;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import java.nio.file.Path;
import java.time.Duration;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.server.BrokerProcess;

@Timeout(180)
class MetaQRecoveryIT {
    private static final int SCAN = XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN;

    @TempDir Path directory;

    @Test
    void shouldGiveALiveResourceAtEachScanAndNoneWhileTheBrokerIsAway() throws Exception {
        RecoveryManager manager = Narayana.recoveryManager(directory.resolve("log"));
        BrokerProcess broker = start(0);
        int port = broker.port();
        try (MetaQRecovery recovery =
                MetaQRecovery.register(new MetaQConnectionFactory("metaq://127.0.0.1:" + port))) {
            manager.scan();
            assertThat(live(recovery).recover(SCAN)).isEmpty();
            broker.kill9();
            await().atMost(Duration.ofSeconds(30)).until(() -> recovery.resources().length == 0);
            manager.scan();

            broker = start(port);

            assertThat(live(recovery).recover(SCAN)).isEmpty();
            manager.scan();
            recovery.close();
            assertThat(recovery.resources()).isEmpty();
        } finally {
            broker.close();
            manager.terminate();
        }
    }

    private static XAResource live(MetaQRecovery recovery) {
        XAResource[] resources = recovery.resources();
        assertThat(resources).hasSize(1);
        return resources[0];
    }

    private BrokerProcess start(int port) throws Exception {
        return BrokerProcess.on(directory.resolve("data")).port(port).start();
    }
}
