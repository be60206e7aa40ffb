package org.metaq.store.journal;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A batch between append and apply, and its receipt. Confined to the writer thread. */
final class PendingBatch implements Receipt {
    final long entry;

    /** Where its bytes start in the group's buffer. */
    final int index;

    /** Of its bytes, with padding. */
    final int length;

    /** Length of the segment that starts with it; 0 if it goes behind the batch before. */
    final long rollLength;

    private boolean isAccepted;
    private @Nullable List<Result> results;
    private @Nullable UnknownOutcomeException lost;

    // Made when asked for: most callers want one of them only.
    private @Nullable CompletableFuture<@Nullable Void> accepted;
    private @Nullable CompletableFuture<List<Result>> applied;

    PendingBatch(long entry, int index, int length, long rollLength) {
        this.entry = entry;
        this.index = index;
        this.length = length;
        this.rollLength = rollLength;
    }

    @Override
    @SuppressWarnings("NullAway") // CompletionStage<Void> has no other way to say "done"
    public CompletionStage<Void> accepted() {
        if (accepted == null) {
            accepted = new CompletableFuture<>();
            if (isAccepted) {
                accepted.complete(null);
            } else if (lost != null) {
                accepted.completeExceptionally(lost);
            }
        }
        return accepted;
    }

    @Override
    public CompletionStage<List<Result>> applied() {
        if (applied == null) {
            applied = new CompletableFuture<>();
            if (results != null) {
                applied.complete(results);
            } else if (lost != null) {
                applied.completeExceptionally(lost);
            }
        }
        return applied;
    }

    void accept() {
        isAccepted = true;
        if (accepted != null) {
            accepted.complete(null);
        }
    }

    void complete(List<Result> given) {
        results = given;
        if (applied != null) {
            applied.complete(given);
        }
    }

    void lose(UnknownOutcomeException why) {
        if (results != null || lost != null) {
            return;
        }
        lost = why;
        if (accepted != null && !isAccepted) {
            accepted.completeExceptionally(why);
        }
        if (applied != null) {
            applied.completeExceptionally(why);
        }
    }
}
