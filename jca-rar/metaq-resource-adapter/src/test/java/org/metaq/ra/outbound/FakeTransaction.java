package org.metaq.ra.outbound;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** A transaction as a transaction manager drives it: one branch for each resource manager. */
final class FakeTransaction {
    private final UUID id = UUID.randomUUID();
    private final List<Association> associations = new ArrayList<>();
    private final List<Association> branches = new ArrayList<>();

    /** Resources whose pool ended their work before the outcome. */
    private final Set<XAResource> delisted = new HashSet<>();

    private record Association(XAResource resource, Xid xid) {}

    /** An Xid with arrays of its own. */
    record TestXid(int getFormatId, byte[] global, byte[] branch) implements Xid {
        @Override
        public byte[] getGlobalTransactionId() {
            return global.clone();
        }

        @Override
        public byte[] getBranchQualifier() {
            return branch.clone();
        }
    }

    private Xid newXid() {
        byte[] global =
                ByteBuffer.allocate(16)
                        .putLong(id.getMostSignificantBits())
                        .putLong(id.getLeastSignificantBits())
                        .array();
        return new TestXid(77, global, new byte[] {(byte) branches.size()});
    }

    void enlist(XAResource resource) throws XAException {
        for (Association branch : branches) {
            if (branch.resource.isSameRM(resource)) {
                resource.start(branch.xid, XAResource.TMJOIN);
                associations.add(new Association(resource, branch.xid));
                return;
            }
        }
        Association branch = new Association(resource, newXid());
        resource.start(branch.xid, XAResource.TMNOFLAGS);
        branches.add(branch);
        associations.add(branch);
    }

    /** A pool ends the work of a resource whose handles are closed; it may be enlisted again. */
    void delist(XAResource resource) throws XAException {
        for (Association association : associations) {
            if (association.resource == resource && delisted.add(resource)) {
                resource.end(association.xid, XAResource.TMSUCCESS);
            }
        }
    }

    int branchCount() {
        return branches.size();
    }

    /** As Narayana does: what has joined a branch is ended, also if it was delisted. */
    private void end() throws XAException {
        for (Association association : associations) {
            if (!delisted.contains(association.resource) || !branches.contains(association)) {
                association.resource.end(association.xid, XAResource.TMSUCCESS);
            }
        }
    }

    /** Ends and prepares all; they stay in doubt. */
    List<Xid> prepare() throws XAException {
        end();
        for (Association branch : branches) {
            branch.resource.prepare(branch.xid);
        }
        return branches.stream().map(Association::xid).toList();
    }

    void commit() throws XAException {
        if (branches.size() == 1) {
            end();
            branches.get(0).resource.commit(branches.get(0).xid, true);
            return;
        }
        prepare();
        for (Association branch : branches) {
            branch.resource.commit(branch.xid, false);
        }
    }

    void rollback() throws XAException {
        XAException failure = null;
        try {
            end();
        } catch (XAException e) {
            failure = e;
        }
        for (Association branch : branches) {
            branch.resource.rollback(branch.xid);
        }
        if (failure != null && failure.errorCode < XAException.XA_RBBASE) {
            throw failure;
        }
    }
}
