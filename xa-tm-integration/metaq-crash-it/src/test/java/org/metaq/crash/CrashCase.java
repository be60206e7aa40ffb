package org.metaq.crash;

import java.util.ArrayList;
import java.util.List;

/**
 * A case of the matrix.
 *
 * @param order what the worker is about to do
 * @param point where it, or the broker, then stands
 * @param isInWorker which of them
 * @param blow what happens then
 */
record CrashCase(Order order, String point, boolean isInWorker, Blow blow) {
    private static final String RESOURCE = "MetaQXAResource.";

    /** The cases of a point. */
    static List<CrashCase> of(Order order, String point, boolean isInWorker) {
        List<CrashCase> cases = new ArrayList<>();
        for (Blow blow : Blow.values()) {
            CrashCase each = new CrashCase(order, point, isInWorker, blow);
            if (blow.isKill() || each.isCut()) {
                cases.add(each);
            }
        }
        return cases;
    }

    /**
     * Before a request the connection breaks as it is, or with the request, or with the reply;
     * after a request and after a reply, as it is.
     */
    private boolean isCut() {
        boolean isRequest = point.startsWith("FrameWriter.");
        boolean isEnter = point.endsWith(PointAgent.ENTER);
        return blow == Blow.CUT
                ? isRequest || (point.startsWith("PendingReply.") && isEnter)
                : isRequest && isEnter;
    }

    /** Whether the point is a call of the transaction manager. */
    boolean isOfResource() {
        return point.startsWith(RESOURCE);
    }

    /** Whether the process that stands at the point is the one that is killed. */
    boolean isOfVictim() {
        return blow == (isInWorker ? Blow.WORKER : Blow.BROKER);
    }

    /** How to run it alone. */
    String options() {
        return "-D"
                + CrashMatrixIT.POINT
                + "="
                + order.word()
                + "/"
                + point
                + " -D"
                + CrashMatrixIT.SIDE
                + "="
                + blow.word();
    }

    @Override
    public String toString() {
        return order.word() + "/" + point + " " + blow.word();
    }
}
