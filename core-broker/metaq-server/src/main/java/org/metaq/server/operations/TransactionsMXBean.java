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

    /** Age of the oldest in-doubt branch, milliseconds; 0 if there is none. */
    long getOldestPreparedAgeMs();

    /** The in-doubt branches, oldest first. */
    List<BranchView> getPrepared();

    /** Every branch: in doubt, worked on, or decided by an operator and not forgotten. */
    List<BranchView> getBranches();

    /** What operators decided and no transaction manager has forgotten. */
    List<HeuristicView> getHeuristicOutcomes();

    /** Commits an in-doubt branch, whatever its transaction manager will say. */
    String commitHeuristically(String key);

    /** Rolls back an in-doubt branch, whatever its transaction manager will say. */
    String rollbackHeuristically(String key);

    /** Forgets what an operator decided over a branch. */
    String forget(String key);
}
