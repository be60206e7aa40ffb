package org.metaq.broker;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Applied;
import org.metaq.broker.state.RecordType;
import org.metaq.broker.state.Records;
import org.metaq.broker.state.Topic;
import org.metaq.protocol.Command;
import org.metaq.protocol.Envelope;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.MessageFormat;
import org.metaq.store.journal.JournalRecord.Need;

/**
 * Messages that are too large to be held in memory: each piece of the body becomes a record as it
 * arrives, the last one is followed by the record that stores the message. Confined to the writer
 * thread.
 *
 * <p>What speaks against a message is answered as soon as it is known; the rest of its body is
 * passed over.
 */
final class LargeSends {
    /**
     * A large message for a temporary destination is put together in memory, and copied once; this
     * share of the heap keeps that from being the end of the broker.
     */
    private static final int TEMPORARY_HEAP_SHARE = 12;

    /** A body is on the disk three times at most: journal, spill file, partition log. */
    private static final int COPIES = 3;

    /** Bits of an upload id that count within an epoch. */
    private static final int ID_BITS = 32;

    private final BrokerContext context;
    private final BranchWork branchWork;
    private final Sends sends;
    private final long temporaryBytesMax;

    /** Uploads whose DROP_PARTS the journal was too busy for. */
    private final ArrayDeque<Long> undropped = new ArrayDeque<>();

    private long nextId;
    private long arrivingBytes;
    private long assembledBytes;

    LargeSends(BrokerContext context, BranchWork branchWork, Sends sends) {
        this.context = context;
        this.branchWork = branchWork;
        this.sends = sends;
        this.temporaryBytesMax =
                Math.min(
                        Sends.TEMPORARY_BYTES_MAX,
                        Runtime.getRuntime().maxMemory() / TEMPORARY_HEAP_SHARE);
    }

    /** A message that is arriving. */
    static final class Arriving {
        private final Command.Send head;
        private final int bodyLength;
        private final long id;
        private final CRC32 crc = new CRC32();
        private final ByteBuffer start;
        private int received;
        private int memoryBytes;
        private boolean isJournaled;
        private boolean isRefused;

        /** Of the branch that the message belongs to, once it is known. */
        private @Nullable Association association;

        /** The whole body, of a message for a temporary destination. */
        private @Nullable ByteBuffer assembled;

        private Arriving(Command.Send head, int bodyLength, long id) {
            this.head = head;
            this.bodyLength = bodyLength;
            this.id = id;
            this.start =
                    ByteBuffer.allocate(Math.min(bodyLength, Integer.BYTES + Envelope.HEAD_LENGTH));
        }
    }

    /** Upload ids of this epoch are above {@code epoch * 2^32}. */
    void startEpoch(long epoch) {
        nextId = (epoch << ID_BITS) + 1;
    }

    // ---- from begin to end

    void begin(BrokerConnection connection, Command.Send head, int bodyLength) {
        retryDrops();
        Arriving arriving = new Arriving(head, bodyLength, nextId++);
        connection.arriving = arriving;
        arrivingBytes += bodyLength;
        if (!connection.isOpen) {
            refuse(
                    connection,
                    arriving,
                    ErrorCode.UNAUTHORIZED,
                    "the connection must send 'open' first");
            return;
        }
        try {
            sends.checkRefused(head);
            Topic topic = sends.checkTarget(head.topic(), head.partition(), bodyLength);
            if (topic.name().kind().isTemporary()) {
                startAssembly(arriving);
                return;
            }
            checkSpace();
            if (head.branch() != null) {
                int length = MessageFormat.HEADER_LENGTH + bodyLength;
                arriving.association = branchWork.forSend(connection, head.branch(), length);
            }
        } catch (RefusedException e) {
            spoil(connection, arriving, e);
        }
    }

    private void startAssembly(Arriving arriving) throws RefusedException {
        int length = arriving.bodyLength;
        if (length > temporaryBytesMax || assembledBytes + length > temporaryBytesMax) {
            throw new RefusedException(
                    length > temporaryBytesMax ? ErrorCode.MESSAGE_TOO_LARGE : ErrorCode.BUSY,
                    "the message body has "
                            + length
                            + " bytes; messages of temporary destinations are held in memory, and "
                            + temporaryBytesMax
                            + " bytes of large ones may be under way, of which "
                            + assembledBytes
                            + " are: use a destination that is not temporary, or give the broker"
                            + " more heap (-Xmx)");
        }
        assembledBytes += length;
        arriving.memoryBytes = length;
        arriving.assembled = ByteBuffer.allocate(length);
    }

    /** There must be room for all that is arriving, too: running out of it later is a crash. */
    private void checkSpace() throws RefusedException {
        long needed = context.config.minFreeBytes() + COPIES * arrivingBytes;
        if (context.directory.usableBytes() < needed) {
            throw new RefusedException(
                    ErrorCode.DISK_FULL,
                    context.diskFullText()
                            + "; with "
                            + COPIES
                            + " copies of the "
                            + arrivingBytes
                            + " bytes of large messages under way");
        }
    }

    void part(BrokerConnection connection, ByteBuffer piece) {
        Arriving arriving = connection.arriving;
        if (arriving == null) {
            throw new IllegalStateException("a piece of no message from " + connection);
        }
        arriving.received += piece.remaining();
        if (!arriving.isRefused) {
            take(connection, arriving, piece);
        }
        if (arriving.received >= arriving.bodyLength) {
            if (!arriving.isRefused) {
                end(connection, arriving);
            }
            forget(connection, arriving);
        }
    }

    private void take(BrokerConnection connection, Arriving arriving, ByteBuffer piece) {
        arriving.crc.update(piece.duplicate());
        int count = Math.min(piece.remaining(), arriving.start.remaining());
        arriving.start.put(piece.slice(piece.position(), count));
        if (arriving.assembled != null) {
            arriving.assembled.put(piece.duplicate());
            return;
        }
        if (!context.hasSpace()) {
            spoil(
                    connection,
                    arriving,
                    new RefusedException(ErrorCode.DISK_FULL, context.diskFullText()));
            return;
        }
        arriving.isJournaled = true;
        Records.part(context.batch.body(), arriving.id);
        context.batch.body().raw(piece.duplicate());
        context.batch.add(
                RecordType.PART,
                Need.LAZY,
                applied -> {
                    if (applied instanceof Applied.Refused refused) {
                        refuse(connection, arriving, refused.code(), refused.text());
                    }
                });
    }

    private void end(BrokerConnection connection, Arriving arriving) {
        ByteBuffer assembled = arriving.assembled;
        if (assembled != null) {
            sends.send(connection, whole(arriving.head, assembled.flip()));
            return;
        }
        Command.Send head = arriving.head;
        try {
            if (head.branch() != null) {
                // its length was counted when it began
                arriving.association = branchWork.forSend(connection, head.branch(), 0);
            }
            Need need =
                    sends.writeParts(
                            head,
                            arriving.association,
                            arriving.id,
                            arriving.bodyLength,
                            (int) arriving.crc.getValue() & Integer.MAX_VALUE,
                            arriving.start.flip());
            Consumer<Applied> answer = sends.answer(connection, head, null);
            context.batch.add(
                    RecordType.SEND_PARTS,
                    need,
                    applied -> {
                        if (applied instanceof Applied.Refused refused) {
                            refuse(connection, arriving, refused.code(), refused.text());
                        } else {
                            answer.accept(applied);
                        }
                    });
        } catch (RefusedException e) {
            spoil(connection, arriving, e);
        }
    }

    private static Command.Send whole(Command.Send head, ByteBuffer body) {
        return new Command.Send(
                head.topic(),
                head.partition(),
                head.flag(),
                head.checksum(),
                head.producerId(),
                head.producerSequence(),
                head.durability(),
                head.branch(),
                body,
                head.opaque());
    }

    // ---- without success

    /** Refuses it; its branch, if there is one, must not be committed as if it were whole. */
    private void spoil(BrokerConnection connection, Arriving arriving, RefusedException why) {
        if (arriving.head.branch() != null) {
            branchWork.refuseCommit(connection, arriving.head.branch(), why.text());
        }
        refuse(connection, arriving, why.code(), why.text());
    }

    /** Answers, once, and drops what was stored of it. */
    private void refuse(
            BrokerConnection connection, Arriving arriving, ErrorCode code, String text) {
        if (arriving.isRefused) {
            return;
        }
        arriving.isRefused = true;
        if (arriving.association != null) {
            arriving.association.refuseCommit(text);
        }
        sends.refused(arriving.head, code, text);
        freeMemory(arriving);
        if (arriving.isJournaled) {
            drop(arriving.id);
        }
        if (!connection.isGone) {
            BrokerContext.error(connection, arriving.head.opaque(), code, text);
        }
    }

    void disconnected(BrokerConnection connection) {
        Arriving arriving = connection.arriving;
        if (arriving != null) {
            forget(connection, arriving);
            refuse(connection, arriving, ErrorCode.BAD_REQUEST, "the connection is gone");
        }
    }

    private void forget(BrokerConnection connection, Arriving arriving) {
        connection.arriving = null;
        arrivingBytes -= arriving.bodyLength;
        freeMemory(arriving);
    }

    private void freeMemory(Arriving arriving) {
        arriving.assembled = null;
        assembledBytes -= arriving.memoryBytes;
        arriving.memoryBytes = 0;
    }

    private void drop(long id) {
        Records.dropParts(context.batch.body(), id);
        context.batch.add(
                RecordType.DROP_PARTS,
                Need.LAZY,
                applied -> {
                    if (applied instanceof Applied.Refused) {
                        undropped.add(id);
                    }
                });
    }

    private void retryDrops() {
        for (int count = undropped.size(); count > 0; count--) {
            drop(undropped.remove());
        }
    }
}
