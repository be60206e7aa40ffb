package org.metaq.jms.xa;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.client.ClientOptions;
import org.metaq.common.BranchId;
import org.metaq.jms.xa.BranchWork.GiveBack;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Reply;
import org.metaq.protocol.Settlement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The branches of a broker, driven from one session. Work goes over the session's connection.
 * Outcomes and scans (commit, rollback, forget, recover) are good for branches of any connection;
 * when the session's is closed or lost, they make one for themselves, so that a transaction manager
 * can finish with the resource that it has.
 *
 * <p>Thread-safe: the association with a branch is guarded by this object, and the session's work
 * by the session's lock, which is taken inside.
 */
public final class MetaQXAResource implements XAResource {
    private static final Logger LOG = LoggerFactory.getLogger(MetaQXAResource.class);
    private static final Xid[] NONE = {};

    /** The foreign resource that is being asked, which may ask back. */
    private static final ThreadLocal<@Nullable XAResource> ASKED = new ThreadLocal<>();

    /** Enough for all that a session has unfinished at a time. */
    private static final int WORKED_MAX = 64;

    private final BranchWork work;

    /** Whose branches these are; the session may come to another broker when it reconnects. */
    private final String storeId;

    /** Branches whose work came from this session, until it finishes them or they are too many. */
    private final Set<BranchId> worked = Collections.synchronizedSet(new LinkedHashSet<>());

    /** Its end may have been refused, and nobody have noticed. */
    private @Nullable BranchId lastEnded;

    // Written by whoever starts a branch or says how it rolls back, read by whoever rolls back.
    private volatile @Nullable BranchId lastStarted;
    private volatile GiveBack lastGivesBack = GiveBack.COUNTED;

    private int timeoutSeconds;
    private boolean isScanning;

    /** The resource of a session. */
    public MetaQXAResource(BranchWork work) {
        this.work = work;
        this.storeId = work.connection().storeId();
    }

    // ---- work

    /** X/Open XA xa_start: TMNOFLAGS, TMJOIN or TMRESUME. */
    @Override
    public synchronized void start(Xid xid, int flags) throws XAException {
        BranchId branch = branch(xid);
        Command.BeginMode mode =
                switch (flags) {
                    case TMNOFLAGS -> Command.BeginMode.NEW;
                    case TMJOIN -> Command.BeginMode.JOIN;
                    case TMRESUME -> Command.BeginMode.RESUME;
                    default -> throw XaErrors.of(XAException.XAER_INVAL, "start flags " + flags);
                };
        BranchId current = work.current();
        if (current != null) {
            throw XaErrors.of(
                    XAException.XAER_PROTO,
                    "start of " + branch + ": the session works in " + current);
        }
        try {
            ClientConnection connection = home(work.ready());
            connection.call(
                    new Command.Begin(
                            branch, work.session(), mode, timeoutSeconds, connection.nextOpaque()));
        } catch (ClientException e) {
            throw XaErrors.of("start of " + branch, e);
        }
        if (lastEnded != null) {
            var unused = giveBackIfEndRefused(lastEnded);
            lastEnded = null;
        }
        lastStarted = branch;
        lastGivesBack = GiveBack.COUNTED;
        remember(branch);
        work.begin(branch);
    }

    /** The oldest goes when there are too many: other resources finish branches too. */
    private void remember(BranchId branch) {
        synchronized (worked) {
            worked.add(branch);
            if (worked.size() > WORKED_MAX) {
                worked.remove(worked.iterator().next());
            }
        }
    }

    /**
     * X/Open XA xa_end: TMSUCCESS, TMFAIL or TMSUSPEND. What was received in the branch goes with
     * it. If a send of the branch is known to be refused, XA_RB* says so. The broker's answer to
     * TMSUCCESS is not waited for: if it refuses (a send, or a branch that ran too long), what
     * comes next, prepare or commit, fails with what this would have failed with.
     */
    @Override
    public synchronized void end(Xid xid, int flags) throws XAException {
        BranchId branch = branch(xid);
        Command.EndMode mode =
                switch (flags) {
                    case TMSUCCESS -> Command.EndMode.SUCCESS;
                    case TMFAIL -> Command.EndMode.FAIL;
                    case TMSUSPEND -> Command.EndMode.SUSPEND;
                    default -> throw XaErrors.of(XAException.XAER_INVAL, "end flags " + flags);
                };
        BranchId current = work.current();
        if (current == null || !current.equals(branch)) {
            // Perhaps suspended; the broker knows. There is nothing of the session's to take in.
            callEnd(branch, mode, Settlement.NONE);
            return;
        }
        BranchWork.Ended ended = work.end();
        if (ended.isLost()) {
            var unused = work.takeFailedSend();
            if (!ended.consumed().isEmpty()) {
                // received since, over the next connection
                giveBack(branch, ended.consumed());
            }
            throw lost(branch);
        }
        ClientException failedSend = work.takeFailedSend();
        if (failedSend == null && mode == Command.EndMode.SUCCESS && work.connection().isOpen()) {
            UnansweredEnds.ALL.send(branch, work, ended.consumed());
            lastEnded = branch;
            return;
        }
        callEnd(branch, mode, ended.consumed());
        if (failedSend == null) {
            return;
        }
        // The broker has made the branch rollback-only.
        int code = failedSend.code().xaCode();
        throw XaErrors.of(
                XaErrors.isRollback(code) ? code : XAException.XA_RBROLLBACK,
                "end of " + branch + ": a send failed: " + failedSend.getMessage(),
                failedSend);
    }

    private void callEnd(BranchId branch, Command.EndMode mode, Settlement consumed)
            throws XAException {
        ClientConnection connection = work.connection();
        try {
            connection.call(
                    new Command.End(
                            branch, work.session(), mode, consumed, connection.nextOpaque()));
        } catch (ClientException e) {
            if (e.isConnectionLost() && worked.contains(branch)) {
                throw lost(branch);
            }
            if (!consumed.isEmpty()) {
                // The branch is gone (it ran too long, or was rolled back already), and what its
                // rollback brought back was without these: the broker learns of them only here.
                giveBack(branch, consumed);
            }
            throw XaErrors.of("end of " + branch, e);
        }
    }

    /** A branch that is not prepared ends with a connection that worked in it. */
    private XAException lost(BranchId branch) {
        worked.remove(branch);
        return XaErrors.of(
                XAException.XA_RBCOMMFAIL,
                "end of " + branch + ": it was rolled back with the connection that was lost");
    }

    /**
     * Says how the branch that was started last gives back what was received in it, if it is rolled
     * back here; forgotten when the next is started. From any thread, without a wait.
     *
     * @param reason why, for dead letters; empty: not known
     * @param counted false: as if never taken, which the broker does for a branch that is not
     *     prepared
     */
    public void rollingBack(String reason, boolean counted) {
        lastGivesBack = new GiveBack(counted, reason);
    }

    private GiveBack how(BranchId branch) {
        BranchId last = lastStarted;
        return last != null && last.equals(branch) ? lastGivesBack : GiveBack.COUNTED;
    }

    /**
     * Waits until the end of the branch that was ended last is answered, and gives back what was
     * received in it if it was refused. For a session that goes idle: else whatever is done with
     * the branch, or the next start, does it.
     */
    public synchronized void awaitEnd() {
        if (lastEnded != null) {
            UnansweredEnds.ALL.await(lastEnded, null);
            var unused = giveBackIfEndRefused(lastEnded);
            lastEnded = null;
        }
    }

    // ---- outcome

    /** X/Open XA xa_prepare: XA_OK, or XA_RDONLY for a branch that did nothing and is gone. */
    @Override
    public int prepare(Xid xid) throws XAException {
        BranchId branch = branch(xid);
        ClientConnection connection = work.connection();
        // Not over another connection: an unprepared branch ended with this one.
        UnansweredEnds.ALL.await(branch, connection);
        try {
            Command prepare = new Command.Prepare(branch, connection.nextOpaque());
            Reply reply = home(connection).call(prepare);
            int vote = Integer.parseInt(text(reply).trim());
            if (vote == XA_RDONLY) {
                worked.remove(branch);
            }
            return vote;
        } catch (ClientException e) {
            throw notDone("prepare of " + branch, branch, e);
        }
    }

    /** What a prepare or commit fails with, once what it leaves behind is put right. */
    private XAException notDone(String doing, BranchId branch, ClientException failure) {
        ClientException endFailure = giveBackIfEndRefused(branch);
        XAException thrown =
                endFailure != null
                        ? XaErrors.of("end of " + branch, endFailure)
                        : XaErrors.ofOutcome(doing, failure);
        boolean isLost = worked.contains(branch) && !work.connection().isOpen();
        if (isLost && thrown.errorCode == XAException.XAER_PROTO) {
            // It is not ended for the broker, which has not noticed yet what this side knows.
            thrown.errorCode = XAException.XAER_RMFAIL;
        }
        if (XaErrors.isRollback(thrown.errorCode)) {
            giveBackFetched(branch);
        }
        return thrown;
    }

    /**
     * What the branch's end was refused with; null if it was not. The branch is gone then (it ran
     * too long, or was rolled back already), and what its rollback brought back was without what
     * the end told of.
     */
    private @Nullable ClientException giveBackIfEndRefused(BranchId branch) {
        ClientException refusal = null;
        for (UnansweredEnds.End refused : UnansweredEnds.ALL.takeRefused(branch)) {
            refusal = refused.refusal();
            if (refused.work() == work) {
                giveBack(branch, refused.consumed());
            } else {
                giveBackOfAnother(branch, refused);
            }
        }
        return refusal;
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        BranchId branch = branch(xid);
        UnansweredEnds.ALL.await(branch, work.connection());
        try {
            finish(
                    connection ->
                            connection.call(
                                    new Command.Commit(
                                            branch,
                                            onePhase,
                                            Settlement.NONE,
                                            connection.nextOpaque())));
            worked.remove(branch);
        } catch (ClientException e) {
            throw notDone("commit of " + branch, branch, e);
        }
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        BranchId branch = branch(xid);
        UnansweredEnds.ALL.await(branch, work.connection());
        GiveBack how = how(branch);
        try {
            finish(
                    connection ->
                            connection.call(
                                    new Command.Rollback(
                                            branch,
                                            Settlement.NONE,
                                            how.counted(),
                                            how.reason(),
                                            connection.nextOpaque())));
        } catch (ClientException e) {
            throw XaErrors.ofOutcome("rollback of " + branch, e);
        } finally {
            var unused = giveBackIfEndRefused(branch);
        }
        giveBackFetched(branch);
    }

    private void giveBackFetched(BranchId branch) {
        if (worked.remove(branch)) {
            giveBack(branch, Settlement.NONE);
        }
    }

    /** Not by its session, which may be at work: only to the broker. */
    private void giveBackOfAnother(BranchId branch, UnansweredEnds.End refused) {
        ClientConnection connection = refused.connection();
        GiveBack how = how(branch);
        try {
            connection.call(
                    new Command.Release(
                            refused.consumed(),
                            how.counted(),
                            how.reason(),
                            connection.nextOpaque()));
        } catch (ClientException e) {
            LOG.debug("after the rollback of {}: {}", branch, e.getMessage());
        }
    }

    private void giveBack(BranchId branch, Settlement consumed) {
        try {
            work.giveBack(consumed, how(branch));
        } catch (ClientException e) {
            // The branch is rolled back all the same; a lost connection gives back everything.
            LOG.debug("after the rollback of {}: {}", branch, e.getMessage());
        }
    }

    @Override
    public void forget(Xid xid) throws XAException {
        BranchId branch = branch(xid);
        try {
            finish(
                    connection ->
                            connection.call(new Command.Forget(branch, connection.nextOpaque())));
        } catch (ClientException e) {
            throw XaErrors.ofOutcome("forget " + branch, e);
        }
    }

    // ---- scan

    /**
     * X/Open XA xa_recover. The start of a scan gives all in-doubt branches at once, so that what
     * follows gives none.
     */
    @Override
    public synchronized Xid[] recover(int flag) throws XAException {
        if ((flag & ~(TMSTARTRSCAN | TMENDRSCAN)) != 0) {
            throw XaErrors.of(XAException.XAER_INVAL, "recover flags " + flag);
        }
        boolean isStart = (flag & TMSTARTRSCAN) != 0;
        boolean isEnd = (flag & TMENDRSCAN) != 0;
        if (!isStart && !isEnd && !isScanning) {
            throw XaErrors.of(XAException.XAER_PROTO, "recover without a scan under way");
        }
        isScanning = !isEnd;
        return isStart ? inDoubt() : NONE;
    }

    private Xid[] inDoubt() throws XAException {
        try {
            Reply reply =
                    finish(
                            connection ->
                                    connection.call(new Command.Recover(connection.nextOpaque())));
            List<Xid> found = new ArrayList<>();
            for (String key : text(reply).split("\n", -1)) {
                if (!key.isBlank()) {
                    found.add(new MetaQXid(BranchId.parse(key.strip())));
                }
            }
            return found.toArray(NONE);
        } catch (ClientException e) {
            isScanning = false;
            throw XaErrors.ofOutcome("recover", e);
        }
    }

    // ---- the rest

    /**
     * True if both would recover the same branches, whatever connections and addresses they use. A
     * resource that is not ours may be one of ours in a wrapper, which knows what it wraps: it is
     * asked.
     */
    @Override
    public boolean isSameRM(XAResource other) throws XAException {
        if (other instanceof MetaQXAResource that) {
            return storeId.equals(that.storeId);
        }
        if (ASKED.get() != null) {
            return false;
        }
        ASKED.set(other);
        try {
            return other.isSameRM(this);
        } finally {
            ASKED.remove();
        }
    }

    /** For branches started from now on; 0: the broker's default. */
    @Override
    public synchronized boolean setTransactionTimeout(int seconds) throws XAException {
        if (seconds < 0) {
            throw XaErrors.of(XAException.XAER_INVAL, "a time-out of " + seconds + " s");
        }
        timeoutSeconds = seconds;
        return true;
    }

    /** What was set; the broker's default if nothing or 0 was. */
    @Override
    public synchronized int getTransactionTimeout() {
        return timeoutSeconds == 0 ? work.connection().transactionTimeoutSeconds() : timeoutSeconds;
    }

    private static BranchId branch(Xid xid) throws XAException {
        try {
            return MetaQXid.branchOf(xid);
        } catch (IllegalArgumentException e) {
            throw XaErrors.of(XAException.XAER_INVAL, "not an Xid: " + e.getMessage(), e);
        }
    }

    private static String text(Reply reply) {
        if (reply instanceof Reply.Result result) {
            return result.text();
        }
        return StandardCharsets.UTF_8.decode(((Reply.Value) reply).body().duplicate()).toString();
    }

    /** A call that any connection to the broker will do for. */
    @FunctionalInterface
    private interface Finishing {
        Reply over(ClientConnection connection) throws ClientException;
    }

    private Reply finish(Finishing call) throws ClientException {
        ClientConnection own = work.connection();
        if (own.isOpen()) {
            return call.over(home(own));
        }
        // Without client id and key, which the application's next connection may have by now.
        ClientOptions anonymous = own.options().toBuilder().clientId("").key("").build();
        try (ClientConnection spare = ClientConnection.connect(anonymous)) {
            return call.over(home(spare));
        }
    }

    /**
     * The connection, if it is to the broker whose branches these are: another would say that it
     * does not know them, which to a transaction manager means that they are finished.
     */
    private ClientConnection home(ClientConnection connection) throws ClientException {
        if (connection.isOpen() && !connection.storeId().equals(storeId)) {
            throw ClientException.of(
                    ErrorCode.CONNECTION_LOST,
                    "the branches are not those of the broker at " + connection.broker());
        }
        return connection;
    }

    /** Name of the broker's data: equal exactly where {@link #isSameRM} is true. */
    public String storeId() {
        return storeId;
    }

    /** For logs: broker and current branch. */
    @Override
    public String toString() {
        @Nullable BranchId current = work.current();
        return "MetaQXAResource[store " + storeId + ", branch " + current + "]";
    }
}
