package org.metaq.broker.state;

import org.metaq.common.BranchId;

/**
 * What an operator decided over a prepared branch, against the word of its transaction manager.
 *
 * @param isCommitted committed, else rolled back
 * @param timeMs when, ms since 1970
 */
public record HeuristicOutcome(BranchId branch, boolean isCommitted, long timeMs) {}
