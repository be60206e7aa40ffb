package org.metaq.server;

import java.nio.ByteBuffer;
import java.util.List;
import org.metaq.protocol.Delivery;
import org.metaq.protocol.Reply;
import org.metaq.store.log.MessageBytes;

/**
 * A reply on its way out. Made on the writer thread, encoded on the event loop, piece by piece
 * while the socket takes it.
 */
abstract class Outbound {
    /** What the objects of a reply take, about. */
    private static final int OVERHEAD_BYTES = 128;

    private final long heldBytes;

    private Outbound(long heldBytes) {
        this.heldBytes = OVERHEAD_BYTES + heldBytes;
    }

    /** Memory that this holds until it is encoded; bytes that stay in a file do not count. */
    final long heldBytes() {
        return heldBytes;
    }

    /**
     * Writes the next piece.
     *
     * @return whether it was the last
     */
    abstract boolean writeTo(ReplyWriter writer);

    private static long held(MessageBytes bytes) {
        return bytes.channel() == null ? bytes.length() : 0;
    }

    /** {@code result} and its text. */
    static final class Result extends Outbound {
        private final int opaque;
        private final int status;
        private final String text;

        Result(int opaque, int status, String text) {
            super(text.length());
            this.opaque = opaque;
            this.status = status;
            this.text = text;
        }

        @Override
        boolean writeTo(ReplyWriter writer) {
            writer.put(ByteBuffer.wrap(Reply.encodeResult(status, text, opaque)));
            return true;
        }
    }

    /** {@code value} and bytes in memory. */
    static final class Value extends Outbound {
        private final int opaque;
        private final ByteBuffer body;

        Value(int opaque, ByteBuffer body) {
            super(body.remaining());
            this.opaque = opaque;
            this.body = body;
        }

        @Override
        boolean writeTo(ReplyWriter writer) {
            writer.put(ByteBuffer.wrap(Reply.encodeValueLine(body.remaining(), opaque)));
            writer.put(body);
            return true;
        }
    }

    /** {@code value} and bytes of a log. */
    static final class Data extends Outbound {
        /** Length from which sendfile is cheaper than a copy. */
        static final int REGION_LENGTH_MIN = 16 * 1024;

        private final int opaque;
        private final MessageBytes bytes;

        Data(int opaque, MessageBytes bytes) {
            super(held(bytes));
            this.opaque = opaque;
            this.bytes = bytes;
        }

        @Override
        boolean writeTo(ReplyWriter writer) {
            writer.put(ByteBuffer.wrap(Reply.encodeValueLine(bytes.length(), opaque)));
            writer.put(bytes, REGION_LENGTH_MIN);
            return true;
        }
    }

    /** {@code value} and runs of messages; before them a head, which may be empty. */
    static final class Deliveries extends Outbound {
        /** Length from which sendfile is cheaper than a copy, both in the midst of small pieces. */
        private static final int REGION_LENGTH_MIN = 64 * 1024;

        private final int opaque;
        private final ByteBuffer head;
        private final List<OutboundRun> runs;
        private final int lengthBytes;
        private int next = -1;

        Deliveries(int opaque, ByteBuffer head, List<OutboundRun> runs) {
            super(heldByAll(runs));
            this.opaque = opaque;
            this.head = head;
            this.runs = runs;
            long length = head.remaining();
            for (OutboundRun run : runs) {
                length += Delivery.PREFIX_LENGTH + run.messages().length();
            }
            this.lengthBytes = Math.toIntExact(length);
        }

        private static long heldByAll(List<OutboundRun> runs) {
            long held = 0;
            for (OutboundRun run : runs) {
                held += OVERHEAD_BYTES + held(run.messages());
            }
            return held;
        }

        @Override
        boolean writeTo(ReplyWriter writer) {
            if (next < 0) {
                writer.put(ByteBuffer.wrap(Reply.encodeValueLine(lengthBytes, opaque)));
                writer.put(head);
                next = 0;
            }
            for (int budget = ReplyWriter.PIECE_LENGTH; next < runs.size(); next++) {
                if (budget <= 0) {
                    return false;
                }
                OutboundRun run = runs.get(next);
                ByteBuffer prefix = ByteBuffer.allocate(Delivery.PREFIX_LENGTH);
                run.putPrefix(prefix);
                writer.put(prefix.flip());
                writer.put(run.messages(), REGION_LENGTH_MIN);
                budget -= Delivery.PREFIX_LENGTH + run.messages().length();
            }
            return true;
        }
    }

    /** The end of the connection, behind what was sent before. */
    static final class Close extends Outbound {
        Close() {
            super(0);
        }

        @Override
        boolean writeTo(ReplyWriter writer) {
            writer.close();
            return true;
        }
    }
}
