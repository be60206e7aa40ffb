package org.metaq.jms.session;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.protocol.Command;
import org.metaq.protocol.Reply;

/**
 * Sends of a session outside of transactions that the broker has not answered. When their
 * connection is lost they are repeated on the next, in order, under the producer id and sequence
 * that they had: the broker stores none twice. Used if the connection reconnects only.
 *
 * <p>Sent and repeated under the session's lock, answered on the reader thread; the table has its
 * own monitor, a leaf. What it holds is bounded by the connection's send window.
 */
final class UnansweredSends {
    private final MetaQConnection connection;
    private final Map<Long, Unanswered> bySequence = new LinkedHashMap<>();

    private record Unanswered(Command.Send command, CompletableFuture<Reply> reply) {}

    UnansweredSends(MetaQConnection connection) {
        this.connection = connection;
    }

    /**
     * Sends; the reply comes once, whatever connections it takes.
     *
     * @param isAwaited whether somebody waits for the reply, so that it is to go out at once
     */
    CompletableFuture<Reply> send(
            ClientConnection client, Command.Send command, boolean isAwaited) {
        Unanswered unanswered = new Unanswered(command, new CompletableFuture<>());
        synchronized (this) {
            bySequence.put(command.producerSequence(), unanswered);
        }
        transmit(client, unanswered, isAwaited);
        return unanswered.reply();
    }

    /** Sends all again. */
    void repeat(ClientConnection client) {
        for (Unanswered unanswered : all()) {
            transmit(client, unanswered, true);
        }
    }

    /** There will be no connection any more: the outcome of all stays unknown. */
    void fail(ClientException why) {
        for (Unanswered unanswered : all()) {
            end(unanswered);
            unanswered.reply().completeExceptionally(why);
        }
    }

    private synchronized List<Unanswered> all() {
        return new ArrayList<>(bySequence.values());
    }

    private synchronized void end(Unanswered unanswered) {
        bySequence.remove(unanswered.command().producerSequence());
    }

    private void transmit(ClientConnection client, Unanswered unanswered, boolean isAwaited) {
        Command.Send first = unanswered.command();
        Command.Send command =
                new Command.Send(
                        first.topic(),
                        first.partition(),
                        first.flag(),
                        first.checksum(),
                        first.producerId(),
                        first.producerSequence(),
                        first.durability(),
                        first.branch(),
                        first.body(),
                        client.nextOpaque());
        CompletableFuture<Reply> reply =
                isAwaited ? client.send(command) : client.sendSoon(command);
        var unused = reply.whenComplete((answer, failure) -> ended(unanswered, answer, failure));
    }

    private void ended(Unanswered unanswered, Reply reply, Throwable failure) {
        if (failure == null) {
            end(unanswered);
            unanswered.reply().complete(reply);
            return;
        }
        ClientException why = Waiting.clientException(failure);
        if (why.isConnectionLost() && connection.isRecoverable()) {
            // it stays here until it is repeated
            return;
        }
        end(unanswered);
        unanswered.reply().completeExceptionally(why);
    }
}
