package org.metaq.bench;

import jakarta.jms.XASession;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** Two-phase commits with the resource alone: start, end, prepare, commit. */
record BranchesByHand(XAResource resource, Xids xids) implements XaWorkload.Branches {
    /** For one thread. */
    static XaWorkload.Branches open(XASession session, Context context) {
        return new BranchesByHand(session.getXAResource(), new Xids());
    }

    @Override
    public void run(XaWorkload.Work work) throws Exception {
        Xid xid = xids.next();
        resource.start(xid, XAResource.TMNOFLAGS);
        work.run();
        resource.end(xid, XAResource.TMSUCCESS);
        int vote = resource.prepare(xid);
        if (vote != XAResource.XA_OK) {
            throw new XAException("the branch was prepared with vote " + vote);
        }
        resource.commit(xid, false);
    }
}
