package org.metaq.broker.state;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.metaq.common.BranchId;
import org.metaq.protocol.BodyReader;
import org.metaq.protocol.BodyWriter;
import org.metaq.protocol.BranchOrigin;
import org.metaq.protocol.BranchStatus;
import org.metaq.protocol.CommandCodec;
import org.metaq.protocol.ProtocolException;
import org.metaq.protocol.Settlement;
import org.metaq.store.log.SpillFile;

/** A branch as bytes in the {@link Snapshot}; layout in {@code docs/formats.md}, section State. */
final class BranchCodec {
    /** From this version of the state on a branch has its origin, and what it sent. */
    private static final int VERSION_BRANCHES = 6;

    private static final int PIECE_LENGTH = 3 * Long.BYTES;

    private final Views views;
    private final SharedSpills sharedSpills;

    BranchCodec(Views views, SharedSpills sharedSpills) {
        this.views = views;
        this.sharedSpills = sharedSpills;
    }

    static void write(BodyWriter out, Branch branch) {
        PendingMessages pending = branch.pending();
        out.string(branch.id().toString()).bool(branch.state() == BranchState.PREPARED);
        out.i64(branch.preparedMs()).i32(pending.count());
        SpillFile spill = pending.spill();
        out.bool(spill != null);
        if (spill != null) {
            out.i64(pending.spillId()).i64(spill.length());
        } else {
            out.i32(pending.pieces().size());
            for (SharedSpills.Piece piece : pending.pieces()) {
                out.i64(piece.spillId()).i64(piece.from()).i64(piece.to());
            }
            ByteBuffer memory = pending.memory();
            out.i32(memory.remaining()).raw(memory);
        }
        CommandCodec.writeSettlement(out, branch.acknowledged());
        branch.origin().write(out);
        BranchStatus.writeShares(out, pending.shares());
    }

    /**
     * Reads a branch, whose shared spill files are restored already.
     *
     * @param version of the state
     */
    Branch read(BodyReader in, int version) throws ProtocolException {
        BranchId id = BranchId.parse(in.string());
        boolean isPrepared = in.bool();
        long preparedMs = in.i64();
        int count = in.i32();
        PendingMessages pending = in.bool() ? readSpill(in, count) : readSmall(in, count, version);
        Branch branch = new Branch(id, pending);
        Settlement acknowledged = CommandCodec.readSettlement(in);
        BranchOrigin origin = BranchOrigin.UNKNOWN;
        if (version >= VERSION_BRANCHES) {
            origin = BranchOrigin.read(in);
            BranchStatus.readShares(in).forEach(pending::count);
        } else {
            pending.forEach(body -> pending.count(share(body)));
        }
        if (isPrepared) {
            branch.prepare(acknowledged, origin, preparedMs);
        }
        return branch;
    }

    /** What an older version did not count: once, at the first start of this one. */
    private static BranchStatus.Share share(ByteBuffer sendBody) {
        try {
            Records.Send send = Records.Send.read(sendBody);
            return new BranchStatus.Share(send.topic(), 1, send.messageLength());
        } catch (ProtocolException e) {
            throw new IllegalArgumentException("a pending message does not parse", e);
        }
    }

    private PendingMessages readSpill(BodyReader in, int count) throws ProtocolException {
        long id = in.i64();
        long length = in.i64();
        return PendingMessages.restoreSpill(count, views.openSpill(id, length), id);
    }

    private PendingMessages readSmall(BodyReader in, int count, int version)
            throws ProtocolException {
        List<SharedSpills.Piece> pieces = new ArrayList<>(1);
        int pieceCount = version < Snapshot.VERSION_WAITING ? 0 : in.count(PIECE_LENGTH);
        for (int i = 0; i < pieceCount; i++) {
            pieces.add(sharedSpills.restorePiece(in.i64(), in.i64(), in.i64()));
        }
        return PendingMessages.restore(count, pieces, in.bytes());
    }
}
