package org.metaq.broker.state;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metaq.common.BranchId;
import org.metaq.protocol.BodyReader;
import org.metaq.protocol.BodyWriter;
import org.metaq.protocol.ProtocolException;
import org.metaq.store.StoreException;

/**
 * Open and prepared branches. Those that <em>wait</em> for their outcome, prepared and without a
 * spill file of their own, a checkpoint gives as bytes that are read when one of them is asked for:
 * a start takes no longer for them, however many they are. Confined to the writer thread.
 */
final class Branches {
    private final BranchCodec codec;
    private final Map<BranchId, Branch> byId = new LinkedHashMap<>();
    private Waiting unread = Waiting.NONE;

    /**
     * Branches that wait, as bytes.
     *
     * @param count how many
     * @param oldestMs when the first of them was prepared, ms since 1970; 0 if there is none
     * @param memoryBytes of their messages that are not in spill files
     * @param bytes all of them, each as {@link BranchCodec} writes it
     */
    record Waiting(int count, long oldestMs, long memoryBytes, ByteBuffer bytes) {
        static final Waiting NONE = new Waiting(0, 0, 0, ByteBuffer.allocate(0));

        static Waiting of(List<Branch> branches) {
            BodyWriter out = new BodyWriter(branches.size() * 256);
            long memoryBytes = 0;
            for (Branch branch : branches) {
                BranchCodec.write(out, branch);
                memoryBytes += branch.pending().memoryBytes();
            }
            return new Waiting(branches.size(), oldest(branches), memoryBytes, out.toBuffer());
        }
    }

    Branches(BranchCodec codec) {
        this.codec = codec;
    }

    @Nullable Branch get(BranchId id) {
        readFor(id);
        return byId.get(id);
    }

    Branch getOrOpen(BranchId id) {
        readFor(id);
        return byId.computeIfAbsent(id, Branch::open);
    }

    void remove(BranchId id) {
        byId.remove(id);
    }

    Collection<Branch> all() {
        readUnread();
        return byId.values();
    }

    /** Those that do not wait: open, or with a spill file of their own, or local. */
    List<Branch> others() {
        return byId.values().stream().filter(branch -> !isWaiting(branch)).toList();
    }

    private static boolean isWaiting(Branch branch) {
        return branch.id().isXa()
                && branch.state() == BranchState.PREPARED
                && branch.pending().spill() == null;
    }

    int count() {
        return unread.count() + byId.size();
    }

    private List<Branch> prepared() {
        return byId.values().stream().filter(b -> b.state() == BranchState.PREPARED).toList();
    }

    int preparedCount() {
        return unread.count() + prepared().size();
    }

    /** When the first of those that are prepared was, ms since 1970; 0 if none is. */
    long oldestPreparedMs() {
        long read = oldest(prepared());
        if (unread.count() == 0) {
            return read;
        }
        return read == 0 ? unread.oldestMs() : Math.min(read, unread.oldestMs());
    }

    private static long oldest(List<Branch> prepared) {
        return prepared.stream().mapToLong(Branch::preparedMs).min().orElse(0);
    }

    // ---- checkpoints

    /** Those that wait, for a checkpoint. */
    Waiting waiting() {
        // who has not read them has not prepared another: readFor
        return unread.count() > 0
                ? unread
                : Waiting.of(byId.values().stream().filter(Branches::isWaiting).toList());
    }

    void restore(Branch branch) {
        byId.put(branch.id(), branch);
    }

    void restore(Waiting waiting) {
        unread = waiting;
    }

    void clear() {
        byId.clear();
        unread = Waiting.NONE;
    }

    private void readFor(BranchId id) {
        if (id.isXa()) {
            readUnread();
        }
    }

    private void readUnread() {
        Waiting waiting = unread;
        if (waiting.count() == 0) {
            return;
        }
        unread = Waiting.NONE;
        try {
            BodyReader in = new BodyReader(waiting.bytes());
            for (int i = 0; i < waiting.count(); i++) {
                restore(codec.read(in, Snapshot.VERSION));
            }
            in.end();
        } catch (ProtocolException | IllegalArgumentException e) {
            throw new StoreException(
                    StoreException.Kind.CORRUPT, "the checkpoint's branches do not parse", e);
        }
    }
}
