package org.metaq.server.operations;

import java.util.List;

/**
 * The transactions of a broker, as JMX shows them under {@code
 * org.metaq:type=Transactions,id=<brokerId>,port=<port>}. Errors as of {@link BrokerMXBean}.
 */
public interface TransactionsMXBean {
    /** Transactions that are neither prepared nor finished. */
    int getActiveCount();

    /** In-doubt branches: prepared, and not yet told the outcome. */
    int getPreparedCount();

    /** The in-doubt branches, oldest first. */
    List<PreparedView> getPrepared();

    /** What operators decided and no transaction manager has forgotten. */
    List<HeuristicView> getHeuristicOutcomes();

    /** Commits an in-doubt branch, whatever its transaction manager will say. */
    String commitHeuristically(String key);

    /** Rolls back an in-doubt branch, whatever its transaction manager will say. */
    String rollbackHeuristically(String key);

    /** Forgets what an operator decided over a branch. */
    String forget(String key);
}
