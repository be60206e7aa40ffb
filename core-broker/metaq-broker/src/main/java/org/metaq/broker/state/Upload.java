package org.metaq.broker.state;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.common.BranchId;
import org.metaq.store.log.MessageLog;
import org.metaq.store.log.SpillFile;

/**
 * The body of one large message, as far as it arrived, in a spill file of its own. Confined to the
 * writer thread.
 */
final class Upload implements MessageLog.BodyPieces {
    private final long id;
    private final long spillId;
    private final SpillFile spill;
    private long bytes;
    private @Nullable BranchId branch;

    /** What {@code bytes} of the body are in the file already. */
    Upload(long id, long spillId, SpillFile spill, long bytes) {
        this.id = id;
        this.spillId = spillId;
        this.spill = spill;
        this.bytes = bytes;
    }

    /** Unique for good; the broker gave it. */
    long id() {
        return id;
    }

    /** Number of the spill file. */
    long spillId() {
        return spillId;
    }

    SpillFile spill() {
        return spill;
    }

    /** How much of the body is there. */
    long bytes() {
        return bytes;
    }

    /** The branch whose pending message this is; null while it arrives. */
    @Nullable BranchId branch() {
        return branch;
    }

    /** The message is pending now: the body stays until the branch's outcome. */
    void holdFor(BranchId holder) {
        branch = holder;
    }

    void add(ByteBuffer piece) {
        spill.append(piece);
        // gives the buffer back: there may be more large messages under way than buffers
        spill.flush();
        bytes += piece.remaining();
    }

    @Override
    public void forEach(Consumer<ByteBuffer> consumer) {
        spill.forEach(consumer);
    }
}
