package org.metaq.server.operations;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.metaq.broker.BrokerAdmin;
import org.metaq.common.BranchId;
import org.metaq.protocol.BranchStatus;

/** The bean of a broker's transactions: all runs on the writer thread. Thread-safe. */
final class TransactionsControl implements TransactionsMXBean {
    /** Branches that the writer looks at in one go; between them clients are served. */
    private static final int PIECE = 100;

    private final WriterCalls calls;

    TransactionsControl(WriterCalls calls) {
        this.calls = calls;
    }

    @Override
    public int getActiveCount() {
        return calls.get(broker -> broker.admin().activeTransactionCount());
    }

    @Override
    public int getPreparedCount() {
        return inDoubt().count();
    }

    @Override
    public long getOldestPreparedAgeMs() {
        long oldestMs = inDoubt().oldestMs();
        return oldestMs == 0 ? 0 : Math.max(0, System.currentTimeMillis() - oldestMs);
    }

    private BrokerAdmin.InDoubt inDoubt() {
        return calls.get(broker -> broker.admin().inDoubt());
    }

    @Override
    public List<BranchView> getPrepared() {
        return branches(true);
    }

    @Override
    public List<BranchView> getBranches() {
        return branches(false);
    }

    /** Oldest first; what ends meanwhile is left out. */
    private List<BranchView> branches(boolean inDoubtOnly) {
        List<BranchId> ids = calls.get(broker -> broker.admin().branches(inDoubtOnly));
        List<BranchStatus> all = new ArrayList<>();
        for (int i = 0; i < ids.size(); i += PIECE) {
            List<BranchId> piece = ids.subList(i, Math.min(i + PIECE, ids.size()));
            all.addAll(
                    calls.get(
                            broker ->
                                    piece.stream()
                                            .map(broker.admin()::branch)
                                            .filter(Objects::nonNull)
                                            .toList()));
        }
        return all.stream()
                .sorted(Comparator.comparingLong(BranchStatus::sinceMs))
                .map(BranchView::new)
                .toList();
    }

    @Override
    public List<HeuristicView> getHeuristicOutcomes() {
        return calls.get(broker -> broker.admin().heuristicOutcomes()).stream()
                .map(HeuristicView::new)
                .toList();
    }

    @Override
    public String commitHeuristically(String key) {
        return calls.done(broker -> broker.admin().commitHeuristically(key));
    }

    @Override
    public String rollbackHeuristically(String key) {
        return calls.done(broker -> broker.admin().rollbackHeuristically(key));
    }

    @Override
    public String forget(String key) {
        return calls.done(broker -> broker.admin().forget(key));
    }
}
