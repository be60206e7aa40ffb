package org.metaq.sim;

/** The simulated machine stopped here. An error, so that nothing under test handles it. */
final class SimCrash extends Error {
    private static final long serialVersionUID = 1L;

    /** With the number of the crash point and what was going on there. */
    SimCrash(String where) {
        super(where, null, false, false);
    }
}
