package org.metaq.broker.state;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.BodyWriter;
import org.metaq.protocol.BranchStatus.Share;
import org.metaq.store.log.SpillFile;

/**
 * Messages of an open or prepared branch: bodies of {@link RecordType#SEND} and {@link
 * RecordType#SEND_PARTS} records, in order. They are in memory, until all branches together hold
 * too much: then those of a small branch go to a spill file that it shares with others, piece by
 * piece. A branch that holds much has a spill file of its own. Confined to the writer thread.
 */
final class PendingMessages {
    /** What one branch may hold without a spill file of its own, bytes. */
    static final int SMALL_MAX = 1024 * 1024;

    private static final int MEMORY_CAPACITY = 256;

    private BodyWriter memory;
    private List<SharedSpills.Piece> pieces = List.of();
    private long pieceBytes;
    private final Map<String, Share> byTopic = new LinkedHashMap<>();
    private @Nullable SpillFile spill;
    private long spillId;
    private int count;

    /** None. */
    PendingMessages() {
        this(new BodyWriter(MEMORY_CAPACITY), 0);
    }

    private PendingMessages(BodyWriter memory, int count) {
        this.memory = memory;
        this.count = count;
    }

    int count() {
        return count;
    }

    /** Bytes in memory; 0 with a spill file of its own. */
    int memoryBytes() {
        return memory.length();
    }

    /** Number of its own spill file, if there is one. */
    long spillId() {
        return spillId;
    }

    /** Its own spill file. */
    @Nullable SpillFile spill() {
        return spill;
    }

    /** The first messages, in shared spill files; those in memory follow. */
    List<SharedSpills.Piece> pieces() {
        return pieces;
    }

    /** What a commit stores, by destination. */
    List<Share> shares() {
        return List.copyOf(byTopic.values());
    }

    /** Counts messages of a destination among the {@link #shares}. */
    void count(Share share) {
        byTopic.merge(share.topic(), share, Share::plus);
    }

    /** Bytes in memory and in spill files. */
    long storedBytes() {
        return spill != null ? spill.length() : pieceBytes + memory.length();
    }

    /**
     * Adds a message.
     *
     * @param sendBody the record's body that {@code send} was read from
     */
    void add(Records.Send send, ByteBuffer sendBody) {
        count(new Share(send.topic(), 1, send.messageLength()));
        count++;
        if (spill != null) {
            spill.append(sendBody);
        } else {
            memory.i32(sendBody.remaining()).raw(sendBody);
        }
    }

    /**
     * Moves all to a spill file of its own, where all that follows goes too.
     *
     * @return pieces that are not needed any more
     */
    List<SharedSpills.Piece> spillTo(SpillFile file, long id) {
        forEach(file::append);
        List<SharedSpills.Piece> moved = pieces;
        pieces = List.of();
        memory = new BodyWriter(0);
        spill = file;
        spillId = id;
        return moved;
    }

    /** Moves what is in memory to a shared spill file. */
    void spillTo(SharedSpills shared) {
        addPiece(shared.add(memory.toBuffer()));
        memory = new BodyWriter(0);
    }

    private void addPiece(SharedSpills.Piece piece) {
        if (pieces.isEmpty()) {
            pieces = new ArrayList<>(1);
        }
        pieces.add(piece);
        pieceBytes += piece.bytes();
    }

    void forEach(Consumer<ByteBuffer> consumer) {
        if (spill != null) {
            spill.forEach(consumer);
            return;
        }
        pieces.forEach(piece -> piece.read(bytes -> forEachIn(bytes, consumer)));
        forEachIn(memory.toBuffer(), consumer);
    }

    private static void forEachIn(ByteBuffer in, Consumer<ByteBuffer> consumer) {
        while (in.hasRemaining()) {
            int length = in.getInt();
            consumer.accept(in.slice(in.position(), length));
            in.position(in.position() + length);
        }
    }

    // ---- for the snapshot

    ByteBuffer memory() {
        return memory.toBuffer();
    }

    static PendingMessages restore(int count, List<SharedSpills.Piece> pieces, byte[] memory) {
        PendingMessages pending = new PendingMessages(new BodyWriter(0).raw(memory), count);
        pieces.forEach(pending::addPiece);
        return pending;
    }

    static PendingMessages restoreSpill(int count, SpillFile file, long id) {
        PendingMessages pending = new PendingMessages(new BodyWriter(0), count);
        pending.spill = file;
        pending.spillId = id;
        return pending;
    }
}
