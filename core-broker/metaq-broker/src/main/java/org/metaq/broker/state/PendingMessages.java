package org.metaq.broker.state;

import java.nio.ByteBuffer;
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
 * RecordType#SEND_PARTS} records, in order. The first ones stay in memory; when the branch or all
 * branches together hold too much, all go to the branch's spill file. Confined to the writer
 * thread.
 */
final class PendingMessages {
    /** What one branch may keep in memory, bytes. */
    static final int MEMORY_PER_BRANCH = 1024 * 1024;

    private final BodyWriter memory = new BodyWriter(256);
    private final Map<String, Share> byTopic = new LinkedHashMap<>();
    private @Nullable SpillFile spill;
    private long spillId;
    private int count;

    int count() {
        return count;
    }

    /** Bytes in memory; 0 once spilled. */
    int memoryBytes() {
        return spill == null ? memory.length() : 0;
    }

    /** Number of the spill file, if there is one. */
    long spillId() {
        return spillId;
    }

    @Nullable SpillFile spill() {
        return spill;
    }

    /** What a commit stores, by destination. */
    List<Share> shares() {
        return List.copyOf(byTopic.values());
    }

    /** Counts messages of a destination among the {@link #shares}. */
    void count(Share share) {
        byTopic.merge(share.topic(), share, Share::plus);
    }

    /** Bytes in memory or in the spill file. */
    long storedBytes() {
        return spill == null ? memory.length() : spill.length();
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

    /** Moves what is in memory to a spill file, where all that follows goes too. */
    void spillTo(SpillFile file, long id) {
        forEachInMemory(file::append);
        memory.clear();
        spill = file;
        spillId = id;
    }

    void forEach(Consumer<ByteBuffer> consumer) {
        if (spill != null) {
            spill.forEach(consumer);
        } else {
            forEachInMemory(consumer);
        }
    }

    private void forEachInMemory(Consumer<ByteBuffer> consumer) {
        ByteBuffer in = memory.toBuffer();
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

    static PendingMessages restoreMemory(int count, byte[] bytes) {
        PendingMessages pending = new PendingMessages();
        pending.count = count;
        pending.memory.raw(bytes);
        return pending;
    }

    static PendingMessages restoreSpill(int count, SpillFile file, long id) {
        PendingMessages pending = new PendingMessages();
        pending.count = count;
        pending.spill = file;
        pending.spillId = id;
        return pending;
    }
}
