package org.metaq.bench;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits until broker and client do nothing any more: compilers, collectors and what a workload left
 * to clean up would be charged to the next one. Stateless.
 */
final class Quiet {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);

    /** Of a processor, for each of both. */
    private static final double BUSY_MAX = 0.05;

    private Quiet() {}

    /**
     * Waits half a second or more, and tells if it takes too long. At once where the machine does
     * not say what a process uses.
     *
     * @param brokerPid 0 if it is not known: then this process alone counts
     */
    static void await(long brokerPid) throws IOException {
        if (!Usage.isSupported()) {
            return;
        }
        long clientPid = ProcessHandle.current().pid();
        long deadline = System.nanoTime() + TIMEOUT_NS;
        double brokerBusy;
        double clientBusy;
        do {
            if (System.nanoTime() > deadline) {
                ClientSession.note("broker or client do not become quiet, and are measured so");
                return;
            }
            long startNs = System.nanoTime();
            long brokerUs = cpuUs(brokerPid);
            long clientUs = cpuUs(clientPid);
            LockSupport.parkNanos(LOOK_NS);
            double elapsedUs = (System.nanoTime() - startNs) / 1e3;
            brokerBusy = (cpuUs(brokerPid) - brokerUs) / elapsedUs;
            clientBusy = (cpuUs(clientPid) - clientUs) / elapsedUs;
        } while (brokerBusy > BUSY_MAX || clientBusy > BUSY_MAX);
    }

    private static long cpuUs(long pid) throws IOException {
        return pid > 0 ? Usage.cpuUs(pid) : 0;
    }
}
