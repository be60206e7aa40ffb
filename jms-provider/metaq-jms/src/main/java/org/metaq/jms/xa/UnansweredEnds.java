package org.metaq.jms.xa;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.client.ReplyWait;
import org.metaq.common.BranchId;
import org.metaq.protocol.Command;
import org.metaq.protocol.Reply;
import org.metaq.protocol.Settlement;

/**
 * Ends of branches that the broker has not answered, or has refused. On the connection that an end
 * went over, the outcome of the branch follows without a wait, as the broker does the commands of a
 * connection in order; who decides over another connection waits here first.
 *
 * <p>Thread-safe.
 */
final class UnansweredEnds {
    /** Of this process: the work of a branch may be that of several sessions. */
    static final UnansweredEnds ALL = new UnansweredEnds();

    private final Map<BranchId, List<End>> ends = new ConcurrentHashMap<>();

    /** The end of a session's work in a branch, and what was received in it. */
    record End(
            BranchWork work,
            ClientConnection connection,
            Settlement consumed,
            CompletableFuture<Reply> reply) {
        /** What it was refused with; null if it was not, or not yet. */
        @Nullable ClientException refusal() {
            if (!reply.isCompletedExceptionally()) {
                return null;
            }
            return reply.handle((done, why) -> why instanceof ClientException e ? e : null).join();
        }
    }

    /** Sends the end of a branch's work; it was done with success. */
    void send(BranchId branch, BranchWork work, Settlement consumed) {
        ClientConnection connection = work.connection();
        Command.End command =
                new Command.End(
                        branch,
                        work.session(),
                        Command.EndMode.SUCCESS,
                        consumed,
                        connection.nextOpaque());
        End end = new End(work, connection, consumed, connection.sendSoon(command));
        ends.compute(
                branch,
                (key, others) -> {
                    List<End> all = others == null ? new CopyOnWriteArrayList<>() : others;
                    all.add(end);
                    return all;
                });
        var unused =
                end.reply()
                        .whenComplete(
                                (done, why) -> {
                                    if (why == null || !connection.isOpen()) {
                                        remove(branch, end);
                                    }
                                });
    }

    /** Waits until the ends that went over other connections than this, or null, are answered. */
    void await(BranchId branch, @Nullable ClientConnection connection) {
        for (End end : ends.getOrDefault(branch, List.of())) {
            if (end.connection() != connection) {
                end.connection().flush();
                try (ReplyWait wait = end.connection().waitWhile(() -> !end.reply().isDone())) {
                    wait.read(Long.MAX_VALUE);
                    // ends for sure: a lost connection fails what is pending
                    var unused = end.reply().handle((done, why) -> true).join();
                }
            }
        }
    }

    /**
     * The ends that were refused, and forgets them. To be called when the answer to what followed
     * them is there.
     */
    List<End> takeRefused(BranchId branch) {
        List<End> refused = new ArrayList<>();
        for (End end : ends.getOrDefault(branch, List.of())) {
            if (end.refusal() != null) {
                remove(branch, end);
                refused.add(end);
            }
        }
        return refused;
    }

    private void remove(BranchId branch, End end) {
        ends.computeIfPresent(
                branch,
                (key, all) -> {
                    all.remove(end);
                    return all.isEmpty() ? null : all;
                });
    }
}
