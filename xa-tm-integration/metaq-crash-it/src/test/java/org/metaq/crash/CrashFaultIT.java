package org.metaq.crash;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.crash.PointAgent.Fault;

/** The matrix finds faults that are put into the broker on purpose. */
@Timeout(120)
class CrashFaultIT {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @TempDir Path directory;

    @Test
    void shouldFindThatOutcomesAreNotRemembered() throws Exception {
        CrashCase lostReply =
                new CrashCase(
                        Order.ONE_PHASE, "NettyLink.send[commit]:enter", false, Blow.CUT_REPLY);
        try (CrashSite site = new CrashSite(directory, null, Fault.NO_OUTCOMES, PATIENCE)) {
            assertThatThrownBy(() -> new CrashRun(site).run(lostReply))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("committed, though told to be rolled back");
        }
    }

    @Test
    void shouldFindThatPreparedBranchesAreNotDurable() throws Exception {
        CrashCase deadBroker =
                new CrashCase(Order.COMMIT, "MetaQXAResource.prepare:exit", true, Blow.BROKER);
        try (CrashSite site = new CrashSite(directory, null, Fault.NO_PREPARE, PATIENCE)) {
            assertThatThrownBy(() -> new CrashRun(site).run(deadBroker))
                    .hasMessageContaining("transaction log");
        }
    }

    @Test
    void shouldFindThatAScanLeavesABranchOut() throws Exception {
        CrashCase deadManager =
                new CrashCase(Order.COMMIT, "MetaQXAResource.commit:enter", true, Blow.WORKER);
        try (CrashSite site = new CrashSite(directory, null, Fault.NO_SCAN, PATIENCE)) {
            assertThatThrownBy(() -> new CrashRun(site).run(deadManager))
                    .hasMessageContaining("1 prepared");
        }
    }
}
