package org.metaq.broker;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.filter.FilteredMessage;
import org.metaq.broker.filter.MessageFilter;
import org.metaq.protocol.Command;
import org.metaq.protocol.MessageFormat;
import org.metaq.store.log.MessageBytes;
import org.metaq.store.log.PartitionLog;

/**
 * Reads of groups with a server-side filter. A reply holds one unbroken run of accepted messages,
 * and 301 leads past a run of rejected ones, because the client takes the number of bytes that it
 * got for the way to its next offset. Filters run elsewhere; all else is confined to the writer
 * thread.
 */
final class FilteredReads {
    /** How long a filter may take for the messages of one read. */
    private static final long TIMEOUT_MS = 2_000;

    /** Reads that are filtered at one time: each holds its bytes in memory, 2 MiB at most. */
    static final int RUNNING_MAX = 8;

    /** Reads that wait for their turn; a client beyond is told to ask again. */
    static final int WAITING_MAX = 1_000;

    private static final int UNAVAILABLE = 503;

    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private int running;

    /** Filled by any thread, emptied by the writer. */
    private final ConcurrentLinkedQueue<Runnable> finished = new ConcurrentLinkedQueue<>();

    private Filters filters = Filters.NONE;

    void filters(Filters newFilters) {
        filters = newFilters;
    }

    /** Answers reads whose filter is done; returns how many. */
    int doWork() {
        int count = 0;
        for (Runnable reply = finished.poll(); reply != null; reply = finished.poll()) {
            running--;
            reply.run();
            count++;
        }
        startWaiting();
        return count;
    }

    private void startWaiting() {
        while (running < RUNNING_MAX && !waiting.isEmpty()) {
            running++;
            waiting.remove().run();
        }
    }

    /**
     * Filters and answers, in a later {@link #doWork}.
     *
     * @param bytes from the asked offset on, where a message begins
     */
    void read(
            BrokerConnection connection,
            Command.Get c,
            PartitionLog log,
            MessageBytes bytes,
            String className) {
        if (waiting.size() >= WAITING_MAX) {
            bytes.release();
            connection
                    .link()
                    .result(
                            c.opaque(),
                            UNAVAILABLE,
                            WAITING_MAX + " reads wait for their filters: ask again");
            return;
        }
        waiting.add(() -> start(connection, c, log, bytes, className));
        startWaiting();
    }

    private void start(
            BrokerConnection connection,
            Command.Get c,
            PartitionLog log,
            MessageBytes bytes,
            String className) {
        Filters from = filters;
        CompletableFuture<@Nullable Run> run =
                CompletableFuture.supplyAsync(
                        () -> firstRun(c, bytes, from.filter(className)), from.executor());
        var unused =
                run.orTimeout(TIMEOUT_MS, TimeUnit.MILLISECONDS)
                        .whenComplete(
                                (result, failure) -> {
                                    if (failure != null) {
                                        from.failed(className, cause(failure));
                                    }
                                    finished.add(() -> answer(connection, c, log, bytes, result));
                                });
    }

    private static Throwable cause(Throwable failure) {
        if (failure instanceof TimeoutException) {
            return new TimeoutException("no answer within " + TIMEOUT_MS + " ms");
        }
        return failure.getCause() == null ? failure : failure.getCause();
    }

    /** Messages from the start of what was read, all accepted or all rejected. */
    private record Run(boolean isAccepted, int length) {}

    /** Null without a filter: its group gets everything. */
    private static @Nullable Run firstRun(
            Command.Get c, MessageBytes bytes, @Nullable MessageFilter filter) {
        if (filter == null) {
            return null;
        }
        ByteBuffer data = ByteBuffer.allocate(bytes.length());
        bytes.copyTo(data);
        data.flip();
        boolean isAccepted = true;
        int end = 0;
        while (data.remaining() >= MessageFormat.HEADER_LENGTH) {
            int length = MessageFormat.HEADER_LENGTH + data.getInt(data.position());
            if (length > data.remaining()) {
                break;
            }
            ByteBuffer message = data.slice(data.position(), length);
            boolean accepts = filter.accept(c.group(), message(c, end, message));
            if (end > 0 && accepts != isAccepted) {
                break;
            }
            isAccepted = accepts;
            end += length;
            data.position(end);
        }
        return new Run(isAccepted, end);
    }

    private static FilteredMessage message(Command.Get c, int position, ByteBuffer message) {
        ByteBuffer body =
                message.slice(
                        MessageFormat.HEADER_LENGTH, message.limit() - MessageFormat.HEADER_LENGTH);
        int flag = message.getInt(MessageFormat.FLAG_OFFSET);
        String attribute = null;
        if (MessageFormat.hasAttribute(flag)) {
            byte[] bytes = new byte[body.getInt()];
            body.get(bytes);
            // an envelope of JMS is no text
            attribute =
                    MessageFormat.hasEnvelope(flag)
                            ? null
                            : new String(bytes, StandardCharsets.UTF_8);
        }
        byte[] payload = new byte[body.remaining()];
        body.get(payload);
        return new FilteredMessage(
                c.topic(),
                c.partition(),
                c.offset() + position,
                message.getLong(MessageFormat.MESSAGE_ID_OFFSET),
                attribute,
                payload);
    }

    /** Without a run the filter failed: nothing is held back for that. */
    private static void answer(
            BrokerConnection connection,
            Command.Get c,
            PartitionLog log,
            MessageBytes bytes,
            @Nullable Run run) {
        if (connection.isGone) {
            bytes.release();
            return;
        }
        if (run == null || (run.isAccepted() && run.length() == bytes.length())) {
            connection.link().data(c.opaque(), bytes);
            return;
        }
        bytes.release();
        if (c.offset() < log.startOffset()) {
            // Retention was faster than the filter.
            connection
                    .link()
                    .result(c.opaque(), ClassicReads.MOVED, Long.toString(log.startOffset()));
            return;
        }
        long end = c.offset() + run.length();
        MessageBytes accepted = run.isAccepted() ? log.read(c.offset(), run.length()) : null;
        if (accepted != null) {
            connection.link().data(c.opaque(), accepted);
        } else {
            connection.link().result(c.opaque(), ClassicReads.MOVED, Long.toString(end));
        }
    }
}
