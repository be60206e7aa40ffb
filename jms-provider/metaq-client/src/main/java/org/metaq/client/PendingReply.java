package org.metaq.client;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Reply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command whose reply is awaited. Exactly one of the two outcomes is told, once, by the thread
 * that took it out of the table of pending replies.
 */
abstract class PendingReply {
    private final byte[] line;
    final int windowBytes;

    /**
     * A command on its way.
     *
     * @param line as it is on the wire (no line carries a secret)
     * @param windowBytes room to give back when the reply comes
     */
    PendingReply(byte[] line, int windowBytes) {
        this.line = line;
        this.windowBytes = windowBytes;
    }

    /** The broker's answer, which may be an error. */
    abstract void answered(Reply reply);

    /** There will be no answer. */
    abstract void failed(ClientException why);

    /** First token of the command. */
    String word() {
        int end = 0;
        while (end < line.length && line[end] > ' ') {
            end++;
        }
        return new String(line, 0, end, StandardCharsets.UTF_8);
    }

    /** The exception for an error reply, or null for success. */
    @Nullable ClientException errorOf(Reply reply) {
        if (!(reply instanceof Reply.Result result) || result.isOk()) {
            return null;
        }
        ErrorCode code = result.error();
        return ClientException.refused(
                code == null ? ofStatus(result.status()) : code,
                "'" + word() + "' refused (" + result.status() + "): " + result.text(),
                result);
    }

    /** What comes nearest to a classic status, whose text names no error. */
    private static ErrorCode ofStatus(int status) {
        return switch (status) {
            case 400 -> ErrorCode.BAD_REQUEST;
            case 401 -> ErrorCode.UNAUTHORIZED;
            case 403 -> ErrorCode.FORBIDDEN;
            case 404 -> ErrorCode.NO_SUCH_DESTINATION;
            case 503 -> ErrorCode.BUSY;
            case 504 -> ErrorCode.UNKNOWN_OUTCOME;
            default -> ErrorCode.INTERNAL;
        };
    }

    /** Completes a future. */
    static final class OfFuture extends PendingReply {
        final CompletableFuture<Reply> future = new CompletableFuture<>();

        OfFuture(byte[] line, int windowBytes) {
            super(line, windowBytes);
        }

        @Override
        void answered(Reply reply) {
            ClientException error = errorOf(reply);
            if (error == null) {
                future.complete(reply);
            } else {
                future.completeExceptionally(error);
            }
        }

        @Override
        void failed(ClientException why) {
            future.completeExceptionally(why);
        }
    }

    /** Tells a handler. */
    static final class OfHandler extends PendingReply {
        private final ReplyHandler handler;

        OfHandler(byte[] line, int windowBytes, ReplyHandler handler) {
            super(line, windowBytes);
            this.handler = handler;
        }

        @Override
        void answered(Reply reply) {
            ClientException error = errorOf(reply);
            if (error == null) {
                ClientConnection.runCallback(() -> handler.answered(reply));
            } else {
                failed(error);
            }
        }

        @Override
        void failed(ClientException why) {
            ClientConnection.runCallback(() -> handler.failed(why));
        }
    }

    /** Logs errors, for nobody waits. */
    static final class OfNobody extends PendingReply {
        private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

        OfNobody(byte[] line, int windowBytes) {
            super(line, windowBytes);
        }

        @Override
        void answered(Reply reply) {
            ClientException error = errorOf(reply);
            if (error != null) {
                LOG.warn("nobody awaits this reply: {}", error.getMessage());
            }
        }

        @Override
        void failed(ClientException why) {
            LOG.debug("no reply to '{}': {}", word(), why.getMessage());
        }
    }

    /** Wakes the thread that calls. */
    static final class OfCaller extends PendingReply {
        private final Thread caller = Thread.currentThread();

        /** Written by the reader thread, read by the caller after it was unparked. */
        private volatile @Nullable Reply reply;

        private volatile @Nullable ClientException failure;

        OfCaller(byte[] line, int windowBytes) {
            super(line, windowBytes);
        }

        @Override
        void answered(Reply answer) {
            reply = answer;
            LockSupport.unpark(caller);
        }

        @Override
        void failed(ClientException why) {
            failure = why;
            LockSupport.unpark(caller);
        }

        /** Whether there is no outcome yet. */
        boolean isOpen() {
            return reply == null && failure == null;
        }

        /** Parks until there is an outcome. The exceptions bear the caller's stack. */
        Reply await(long timeoutMs) throws ClientException {
            long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
            while (true) {
                Reply answer = reply;
                if (answer != null) {
                    ClientException error = errorOf(answer);
                    if (error != null) {
                        throw error;
                    }
                    return answer;
                }
                ClientException why = failure;
                if (why != null) {
                    throw new ClientException(
                            why.code(),
                            why.isConnectionLost(),
                            String.valueOf(why.getMessage()),
                            why);
                }
                // The flag stays set: the caller of a JMS method finds it as it was.
                if (Thread.currentThread().isInterrupted()) {
                    throw ClientException.unknownOutcome(
                            "interrupted while waiting for the reply to '" + word() + "'", null);
                }
                long leftNs = deadlineNs - System.nanoTime();
                if (leftNs <= 0) {
                    throw ClientException.unknownOutcome(
                            "no reply to '" + word() + "' within " + timeoutMs + " ms", null);
                }
                LockSupport.parkNanos(this, leftNs);
            }
        }
    }
}
