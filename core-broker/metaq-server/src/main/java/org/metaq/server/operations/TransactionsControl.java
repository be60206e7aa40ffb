package org.metaq.server.operations;

import java.util.List;

/** The bean of a broker's transactions: all runs on the writer thread. Thread-safe. */
final class TransactionsControl implements TransactionsMXBean {
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
        return calls.get(broker -> broker.admin().preparedBranches()).size();
    }

    @Override
    public List<PreparedView> getPrepared() {
        return calls.get(broker -> broker.admin().preparedBranches()).stream()
                .map(PreparedView::new)
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
