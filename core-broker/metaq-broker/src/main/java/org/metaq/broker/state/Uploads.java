package org.metaq.broker.state;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.metaq.common.BranchId;
import org.metaq.store.log.SpillFile;

/**
 * Bodies of large messages: those that are arriving, and those of messages that are pending in a
 * branch. Part of the state: changed by {@link BrokerState#apply} only.
 */
final class Uploads {
    private final Views views;
    private final LongSupplier spillIds;
    private final Map<Long, Upload> byId = new TreeMap<>();

    /**
     * None.
     *
     * @param spillIds gives numbers of spill files, each once
     */
    Uploads(Views views, LongSupplier spillIds) {
        this.views = views;
        this.spillIds = spillIds;
    }

    /** Adds a piece to a body, which starts with it. */
    void add(long id, ByteBuffer piece) {
        byId.computeIfAbsent(id, this::create).add(piece);
    }

    private Upload create(long id) {
        long spillId = spillIds.getAsLong();
        return new Upload(id, spillId, views.createSpill(spillId), 0);
    }

    /** A body, or null if nothing of it arrived. */
    @Nullable Upload get(long id) {
        return byId.get(id);
    }

    /** Drops a body that is not, or no longer, pending in a branch. */
    void drop(long id) {
        Upload upload = byId.get(id);
        if (upload != null && upload.branch() == null) {
            remove(upload);
        }
    }

    /** Bytes of the bodies that are pending in a branch. */
    long bytesOf(BranchId branch) {
        return byId.values().stream()
                .filter(upload -> Objects.equals(branch, upload.branch()))
                .mapToLong(Upload::bytes)
                .sum();
    }

    /** Drops what was pending in a branch that has its outcome. */
    void dropOf(BranchId branch) {
        dropIf(upload -> Objects.equals(branch, upload.branch()));
    }

    /** A new epoch: what was arriving came over connections that are gone. */
    void startEpoch() {
        dropIf(upload -> upload.branch() == null);
    }

    private interface Condition {
        boolean holds(Upload upload);
    }

    private void dropIf(Condition condition) {
        if (!byId.isEmpty()) {
            List.copyOf(byId.values()).stream().filter(condition::holds).forEach(this::remove);
        }
    }

    private void remove(Upload upload) {
        byId.remove(upload.id());
        views.deleteSpill(upload.spill());
    }

    // ---- checkpoints

    Collection<Upload> all() {
        return byId.values();
    }

    /** Flushes and names the spill files. */
    void forEachSpill(Consumer<SpillFile> consumer) {
        for (Upload upload : byId.values()) {
            upload.spill().flush();
            consumer.accept(upload.spill());
        }
    }

    void restore(Upload upload) {
        byId.put(upload.id(), upload);
    }

    void clear() {
        byId.clear();
    }
}
