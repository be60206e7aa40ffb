package org.metaq.ra.check;

import jakarta.jms.JMSException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.transaction.xa.XAException;
import javax.transaction.xa.Xid;

/**
 * Whether the server rolls back what is prepared and not decided. That is up to its own schedule:
 * one check leaves such a branch, and a later one sees what became of it. For one thread.
 */
final class RecoveryCheck {
    /** Narayana does it in its second or third scan by default, one each 130 seconds. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private enum Fate {
        PREPARED,
        COMMITTED,
        ROLLED_BACK
    }

    private final ServerTransactions transactions;
    private final CheckQueue queue;
    private final Clock clock;
    private final Instant serverStart;

    /**
     * @param queue at the broker of which the branches are
     * @param serverStart since when the server runs
     */
    RecoveryCheck(
            ServerTransactions transactions, CheckQueue queue, Clock clock, Instant serverStart) {
        this.transactions = transactions;
        this.queue = queue;
        this.clock = clock;
        this.serverStart = serverStart;
    }

    /** Tells of branches that were left; leaves one if there are none. */
    void run(Report report) {
        Map<BranchNote, Fate> left = new LinkedHashMap<>();
        boolean isKnown =
                report.step(
                        "branches of earlier checks are looked for",
                        () -> {
                            for (BranchNote note : queue.left()) {
                                left.put(note, fate(note));
                            }
                        });
        left.forEach((note, fate) -> tell(note, fate, report));
        if (isKnown
                && left.isEmpty()
                && report.step("a branch is prepared for the server's recovery", this::leave)) {
            report.waiting(
                    "recovery: check again in five minutes if the server scans while it runs"
                            + " (WildFly), else after its next restart (Payara; Open Liberty: after"
                            + " a crash)");
        }
    }

    private void leave() throws CheckFailed, JMSException, XAException {
        Xid xid = transactions.newXid();
        queue.leave(xid);
    }

    /** What became of it; of what is over, nothing stays. */
    private Fate fate(BranchNote note) throws JMSException, XAException {
        if (queue.isPrepared(note)) {
            return Fate.PREPARED;
        }
        Fate fate = queue.isVisible(note.xid()) ? Fate.COMMITTED : Fate.ROLLED_BACK;
        queue.forget(note);
        return fate;
    }

    private void tell(BranchNote note, Fate fate, Report report) {
        String branch = "recovery of the branch of " + note.made().truncatedTo(ChronoUnit.SECONDS);
        switch (fate) {
            case ROLLED_BACK -> report.ok(branch + ": it was rolled back");
            case COMMITTED ->
                    report.failed(branch + ": it was committed, though nobody had decided that");
            case PREPARED -> tellOfPrepared(note, branch, report);
        }
    }

    private void tellOfPrepared(BranchNote note, String branch, Report report) {
        boolean isRestarted = serverStart.isAfter(note.made());
        if (!isRestarted && !note.isScannedFor()) {
            report.waiting(branch + ": restart the server, and check again");
            return;
        }
        Instant since = isRestarted ? serverStart : note.made();
        Instant latest = since.plus(LONGEST);
        if (clock.instant().isBefore(latest)) {
            report.waiting(
                    branch
                            + ": not yet; it may take until "
                            + latest.truncatedTo(ChronoUnit.SECONDS));
            return;
        }
        report.failed(
                branch
                        + ": it is still there. Is recovery on (WildFly: recovery-username of the"
                        + " connection-definition; Payara: automatic-recovery of the"
                        + " transaction-service; Open Liberty: only a crash is known to have it"
                        + " ask), and is this the server that made it, with the same node"
                        + " identifier? `metaq transactions rollback "
                        + note.xid()
                        + "` takes it away");
    }
}
