package org.metaq.broker;

import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Applied;
import org.metaq.broker.state.RecordType;
import org.metaq.broker.state.Records;
import org.metaq.broker.state.Topic;
import org.metaq.common.BranchId;
import org.metaq.common.Checksums;
import org.metaq.protocol.BodyWriter;
import org.metaq.protocol.Command;
import org.metaq.protocol.Durability;
import org.metaq.protocol.Envelope;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.MessageFormat;
import org.metaq.protocol.ProtocolException;
import org.metaq.store.journal.JournalRecord.Need;
import org.metaq.store.log.MessageLog;
import org.metaq.store.log.MessageMeta;

/** Checks messages and turns them into records. Confined to the writer thread. */
final class Sends {
    /** Most bytes that one temporary destination may hold. */
    static final long TEMPORARY_BYTES_MAX = 64L << 20;

    /** How far ahead message ids are reserved: one more forced batch in this time. */
    private static final long ID_LIMIT_AHEAD_MS = 60_000;

    private final BrokerContext context;
    private final Associations associations;
    private final BranchWork branchWork;
    private final ClassicStats stats;
    private final TopicFlush flush;
    private final MessageIds ids;
    private final Set<Topic> sentTo = new LinkedHashSet<>();
    private int nextPartition;
    private long idLimitUnderWay = Long.MIN_VALUE;
    private final RecentSends recent = new RecentSends();

    Sends(
            BrokerContext context,
            Associations associations,
            BranchWork branchWork,
            ClassicStats stats,
            TopicFlush flush) {
        this.context = context;
        this.flush = flush;
        this.stats = stats;
        this.associations = associations;
        this.branchWork = branchWork;
        this.ids = new MessageIds(context.config.brokerId());
        long given = Math.max(context.state.lastMessageId(), context.state.messageIdLimit());
        if (given != Long.MIN_VALUE) {
            ids.startAbove(given);
        }
    }

    /** Topics that records of the batch under way append to; the caller clears it. */
    Set<Topic> sentTo() {
        return sentTo;
    }

    /** What is known of a message before it has its place. */
    private record Checked(
            Topic topic,
            int partition,
            int checksum,
            long expirationMs,
            long deliveryTimeMs,
            int priority,
            long messageId) {
        /** MetaQ knows no delay: the offset of a put is that of a message which is there. */
        Checked undelayed() {
            return new Checked(topic, partition, checksum, expirationMs, 0, priority, messageId);
        }
    }

    /**
     * A producer's sends count as stored up to the last that was. One below it that was refused
     * must be refused again when it is repeated, though the state takes it for stored.
     */
    void checkRefused(Command.Send c) throws RefusedException {
        RefusedException first = recent.refusalOf(c);
        if (first != null && context.state.isRepeated(c.producerId(), c.producerSequence())) {
            throw first;
        }
    }

    /** Keeps that a send was refused. */
    void refused(Command.Send c, ErrorCode code, String text) {
        recent.refused(c.producerId(), c.producerSequence(), code, text);
    }

    void send(BrokerConnection connection, Command.Send c) {
        BranchId branch = c.branch();
        Association association = null;
        try {
            checkRefused(c);
            Checked checked = check(c.topic(), c.partition(), c.flag(), c.checksum(), c.body());
            int length = MessageFormat.HEADER_LENGTH + c.body().remaining();
            if (branch != null) {
                association = branchWork.forSend(connection, branch, length);
                if (checked.topic().name().kind().isTemporary()) {
                    association.temporarySends.add(temporary(checked, c.flag(), c.body()));
                    answer(connection, c.opaque(), checked, -1);
                    return;
                }
                association.hasSent = true;
            } else if (checked.topic().name().kind().isTemporary()) {
                long offset = -1;
                if (!recent.isRepeatedTemporary(c)) {
                    offset = appendTemporary(checked, c.flag(), c.body());
                    recent.storedTemporary(c);
                }
                answer(connection, c.opaque(), checked, offset);
                return;
            } else {
                sentTo.add(checked.topic());
            }
            int flags = flags(c);
            writeRecord(
                    c.producerId(),
                    c.producerSequence(),
                    branch,
                    flags,
                    checked,
                    c.flag(),
                    c.body());
            Need need = branch != null ? Need.LAZY : need(c.topic(), c.durability());
            context.batch.add(RecordType.SEND, need, answer(connection, c, association));
        } catch (RefusedException e) {
            refused(c, e.code(), e.text());
            if (branch != null) {
                branchWork.refuseCommit(connection, branch, e.text());
            }
            BrokerContext.error(connection, c.opaque(), e.code(), e.text());
        }
    }

    /**
     * Writes the record of a message whose body came in pieces; the caller adds it to the batch.
     *
     * @param checksum of the body as it came
     * @param association of the message's branch; null: none
     * @param start of the body: as much as an envelope's head takes
     * @return what the record needs before it is answered
     */
    Need writeParts(
            Command.Send c,
            @Nullable Association association,
            long uploadId,
            int bodyLength,
            int checksum,
            ByteBuffer start)
            throws RefusedException {
        checkChecksum(c.checksum(), checksum);
        Topic topic = checkTarget(c.topic(), c.partition(), bodyLength);
        Checked checked = checked(topic, c.partition(), c.flag(), checksum, start, bodyLength);
        BranchId branch = c.branch();
        if (association != null) {
            association.hasSent = true;
        } else {
            sentTo.add(topic);
        }
        BodyWriter out = context.batch.body();
        Records.Send.writePartsHead(
                out,
                c.producerId(),
                c.producerSequence(),
                checked.expirationMs(),
                checked.partition(),
                checked.priority(),
                flags(c),
                topic.text(),
                branch,
                checked.deliveryTimeMs(),
                uploadId);
        out.i32(bodyLength).i32(checksum).i64(checked.messageId()).i32(c.flag());
        return branch != null ? Need.LAZY : need(c.topic(), c.durability());
    }

    private static int flags(Command.Send c) {
        return (c.durability() == Durability.LAZY ? 0 : MessageMeta.FLAG_PERSISTENT)
                | (MessageFormat.hasGroup(c.flag()) ? MessageMeta.FLAG_GROUP : 0);
    }

    /** MetaQ's put. */
    void put(BrokerConnection connection, Command.Put c) {
        stats.put(c.topic(), c.body().remaining());
        BranchId branch = c.branch();
        try {
            checkClassicSize(c.body().remaining());
            Checked checked =
                    check(c.topic(), c.partition(), c.flag(), c.checksum(), c.body()).undelayed();
            Association association = null;
            if (branch != null) {
                association = joinForPut(connection, branch, c.partition(), c.body().remaining());
            } else if (checked.topic().name().kind().isTemporary()) {
                long offset = appendTemporary(checked, c.flag(), c.body());
                answer(connection, c.opaque(), checked, offset);
                return;
            } else {
                sentTo.add(checked.topic());
            }
            writeRecord(0, 0, branch, MessageMeta.FLAG_PERSISTENT, checked, c.flag(), c.body());
            Need need = branch != null ? Need.LAZY : flush.need(c.topic());
            context.batch.add(
                    RecordType.SEND, need, spoiling(association, answer(connection, c.opaque())));
        } catch (RefusedException e) {
            stats.putFailed(c.topic());
            boolean isClosed = e.code() == ErrorCode.FORBIDDEN;
            connection
                    .link()
                    .result(
                            c.opaque(),
                            (isClosed ? ErrorCode.FORBIDDEN : ErrorCode.INTERNAL).status(),
                            branch != null && e.code() == ErrorCode.XAER_NOTA
                                    ? e.text()
                                    : putFailed(c, e.text()));
        }
    }

    private String putFailed(Command.Put c, String why) {
        return "Put message to [broker '%s'] [partition '%s-%d'] failed.Detail:%s"
                .formatted(stats.brokerUrl(), c.topic(), c.partition(), why);
    }

    /** A classic reader could never get past a longer one. */
    private static void checkClassicSize(int bodyLength) throws RefusedException {
        int max = ClassicReads.CLASSIC_MESSAGE_BYTES_MAX - MessageFormat.HEADER_LENGTH;
        if (bodyLength > max) {
            throw new RefusedException(
                    ErrorCode.MESSAGE_TOO_LARGE,
                    "the message body has %d bytes; a classic put takes at most %d, which is what"
                                    .formatted(bodyLength, max)
                            + " MetaQ's consumers can read: send less, or use a JMS client");
        }
    }

    private Association joinForPut(
            BrokerConnection connection, BranchId branch, int partition, int bodyLength)
            throws RefusedException {
        if (partition == -1) {
            throw new RefusedException(
                    ErrorCode.BAD_REQUEST,
                    "Invalid partition for transaction command:-1, it must be named");
        }
        if (!associations.joinClassic(connection, branch)) {
            throw new RefusedException(ErrorCode.XAER_NOTA, ClassicTransactions.notStarted(branch));
        }
        int length = MessageFormat.HEADER_LENGTH + bodyLength;
        Association association = branchWork.forSend(connection, branch, length);
        association.hasSent = true;
        return association;
    }

    private Need need(String topic, Durability durability) {
        return switch (durability) {
            case SYNC -> Need.SYNC;
            case POLICY -> flush.need(topic);
            case LAZY -> Need.LAZY;
        };
    }

    private Checked check(String topicName, int partition, int flag, int checksum, ByteBuffer body)
            throws RefusedException {
        Topic topic = checkTarget(topicName, partition, body.remaining());
        if (!topic.name().kind().isTemporary() && !context.hasSpace()) {
            throw new RefusedException(ErrorCode.DISK_FULL, context.diskFullText());
        }
        int actual = Checksums.messageChecksum(body);
        checkChecksum(checksum, actual);
        return checked(topic, partition, flag, actual, body, body.remaining());
    }

    /**
     * The destination of a message of this length.
     *
     * @param partition number, or -1 for any
     */
    Topic checkTarget(String topicName, int partition, int bodyLength) throws RefusedException {
        Topic topic = context.topic(topicName);
        if (topic == null) {
            throw new RefusedException(
                    ErrorCode.NO_SUCH_DESTINATION, "there is no destination " + topicName);
        }
        if (!context.isServed(topic)) {
            throw new RefusedException(ErrorCode.FORBIDDEN, BrokerContext.notServed(topicName));
        }
        if (!context.catalog.of(topicName).acceptPublish()) {
            throw new RefusedException(
                    ErrorCode.FORBIDDEN, topicName + " has acceptPublish = false");
        }
        if (partition != -1 && !topic.hasPartition(partition)) {
            throw new RefusedException(
                    ErrorCode.NO_SUCH_DESTINATION,
                    topicName
                            + " has no partition "
                            + partition
                            + ", it has "
                            + topic.partitions().size());
        }
        if (bodyLength > context.config.maxMessageSizeBytes()) {
            throw new RefusedException(
                    ErrorCode.MESSAGE_TOO_LARGE,
                    "the message body has "
                            + bodyLength
                            + " bytes; maxMessageSize is "
                            + context.config.maxMessageSizeBytes());
        }
        return topic;
    }

    private static void checkChecksum(int checksum, int actual) throws RefusedException {
        if (checksum != -1 && checksum != actual) {
            throw new RefusedException(
                    ErrorCode.BAD_REQUEST,
                    "the checksum of the body is " + actual + ", not " + checksum);
        }
    }

    /**
     * Looks at the envelope and gives the message its partition and id.
     *
     * @param start of the body: all of it, or as much as an envelope's head takes
     */
    private Checked checked(
            Topic topic, int partition, int flag, int checksum, ByteBuffer start, int bodyLength)
            throws RefusedException {
        if (MessageFormat.hasAttribute(flag)
                && MessageFormat.attributeLength(start, bodyLength) < 0) {
            throw new RefusedException(
                    ErrorCode.BAD_REQUEST,
                    "flag bit 0 says that the body starts with an attribute, but it does not hold"
                            + " one whole");
        }
        long expirationMs = 0;
        long deliveryTimeMs = 0;
        int priority = 4;
        if (MessageFormat.hasEnvelope(flag)) {
            try {
                Envelope.checkHead(start, bodyLength);
            } catch (ProtocolException e) {
                throw new RefusedException(
                        ErrorCode.BAD_REQUEST, "bad envelope: " + e.getMessage());
            }
            expirationMs = Envelope.expirationOf(start);
            priority = Envelope.priorityOf(start);
            if (Envelope.deliveryTimeOf(start) > Envelope.timestampOf(start)) {
                deliveryTimeMs = Envelope.deliveryTimeOf(start);
            }
        }
        return new Checked(
                topic,
                partition != -1 ? open(topic, partition) : anyOpen(topic),
                checksum,
                expirationMs,
                deliveryTimeMs,
                priority,
                nextId());
    }

    private static int open(Topic topic, int partition) throws RefusedException {
        if (topic.partitions().get(partition).isClosed()) {
            throw new RefusedException(
                    ErrorCode.FORBIDDEN, "partition " + topic + "-" + partition + " is closed");
        }
        return partition;
    }

    private int anyOpen(Topic topic) throws RefusedException {
        int count = topic.partitions().size();
        for (int tries = 0; tries < count; tries++) {
            int number = Math.floorMod(nextPartition++, count);
            if (!topic.partitions().get(number).isClosed()) {
                return number;
            }
        }
        throw new RefusedException(
                ErrorCode.FORBIDDEN, "all " + count + " partitions of " + topic + " are closed");
    }

    /** An id that was never given and never will be, whatever the clock does. */
    private long nextId() {
        long id = ids.next(context.clock.wallMs());
        if (id >= context.state.messageIdLimit() && id >= idLimitUnderWay) {
            idLimitUnderWay = MessageIds.later(id, ID_LIMIT_AHEAD_MS);
            Records.idLimit(context.batch.body(), idLimitUnderWay);
            context.batch.add(
                    RecordType.ID_LIMIT,
                    Need.SYNC,
                    applied -> {
                        if (applied instanceof Applied.Refused) {
                            idLimitUnderWay = Long.MIN_VALUE;
                        }
                    });
        }
        return id;
    }

    private void writeRecord(
            long producerId,
            long producerSequence,
            @Nullable BranchId branch,
            int flags,
            Checked checked,
            int messageFlag,
            ByteBuffer body) {
        BodyWriter out = context.batch.body();
        Records.Send.writeHead(
                out,
                producerId,
                producerSequence,
                checked.expirationMs(),
                checked.partition(),
                checked.priority(),
                flags,
                checked.topic().text(),
                branch,
                checked.deliveryTimeMs());
        out.i32(body.remaining()).i32(checked.checksum()).i64(checked.messageId()).i32(messageFlag);
        out.raw(body);
    }

    private static byte[] message(Checked checked, int flag, ByteBuffer body) {
        ByteBuffer message = ByteBuffer.allocate(MessageFormat.HEADER_LENGTH + body.remaining());
        MessageFormat.putHeader(
                message, body.remaining(), checked.checksum(), checked.messageId(), flag);
        message.put(body.duplicate());
        return message.array();
    }

    private long appendTemporary(Checked checked, int flag, ByteBuffer body)
            throws RefusedException {
        MessageLog log = checked.topic().partitions().get(checked.partition()).log();
        long held =
                log.endOffset()
                        - log.startOffset()
                        + context.temporaryDelays.bytesOf(checked.topic());
        if (held + body.remaining() > TEMPORARY_BYTES_MAX) {
            throw new RefusedException(
                    ErrorCode.BUSY,
                    checked.topic()
                            + " holds "
                            + held
                            + " bytes in memory; the limit is "
                            + TEMPORARY_BYTES_MAX
                            + ": consume before sending more");
        }
        return storeTemporary(temporary(checked, flag, body));
    }

    private static Association.TemporarySend temporary(Checked checked, int flag, ByteBuffer body) {
        return new Association.TemporarySend(
                checked.topic(),
                checked.partition(),
                message(checked, flag, body),
                checked.expirationMs(),
                checked.deliveryTimeMs(),
                checked.priority());
    }

    /** Its offset, or -1 if it waits for its delivery time. */
    private long storeTemporary(Association.TemporarySend send) {
        if (send.deliveryTimeMs() > context.nowMs()) {
            context.temporaryDelays.add(send);
            return -1;
        }
        return appendTemporary(send);
    }

    private long appendTemporary(Association.TemporarySend send) {
        Topic topic = send.topic();
        MessageLog log = topic.partitions().get(send.partition()).log();
        long offset = log.endOffset();
        if (topic.subscriptions().isEmpty()) {
            return offset;
        }
        ByteBuffer message = ByteBuffer.wrap(send.message());
        int flag = message.getInt(MessageFormat.FLAG_OFFSET);
        int flags = MessageFormat.hasGroup(flag) ? MessageMeta.FLAG_GROUP : 0;
        log.append(message, context.clock.wallMs(), send.expirationMs(), send.priority(), flags);
        topic.partitions().get(send.partition()).appended(send.expirationMs());
        log.publish();
        context.ready.add(topic);
        return offset;
    }

    /** Stores what a committed branch sent to a temporary destination, if that is still there. */
    void commitTemporary(Association.TemporarySend send) {
        if (!send.topic().isDeleted()) {
            storeTemporary(send);
        }
    }

    /** Stores messages of temporary destinations whose time has come; gives how many. */
    int storeDueTemporary() {
        int count = 0;
        Association.TemporarySend due = context.temporaryDelays.poll(context.nowMs());
        while (due != null) {
            count++;
            appendTemporary(due);
            due = context.temporaryDelays.poll(context.nowMs());
        }
        return count;
    }

    /**
     * A completion that answers a send, and keeps what a repeated one will need.
     *
     * @param association of the message's branch; null: none
     */
    Consumer<Applied> answer(
            BrokerConnection connection, Command.Send c, @Nullable Association association) {
        Consumer<Applied> answer = spoiling(association, answer(connection, c.opaque()));
        // not the command, which would keep its body in memory
        long producerId = c.producerId();
        long sequence = c.producerSequence();
        return applied -> {
            if (applied instanceof Applied.Refused refused) {
                recent.refused(producerId, sequence, refused.code(), refused.text());
            } else {
                recent.stored(producerId, sequence);
            }
            answer.accept(applied);
        };
    }

    /** As the completion; a branch whose message was refused must not be committed without it. */
    private static Consumer<Applied> spoiling(
            @Nullable Association association, Consumer<Applied> completion) {
        return applied -> {
            if (association != null && applied instanceof Applied.Refused refused) {
                association.refuseCommit(refused.text());
            }
            completion.accept(applied);
        };
    }

    static Consumer<Applied> answer(BrokerConnection connection, int opaque) {
        return applied -> {
            if (applied instanceof Applied.Stored stored) {
                BrokerContext.ok(
                        connection,
                        opaque,
                        stored.messageId() + " " + stored.partition() + " " + stored.offset());
            } else {
                BrokerContext.answer(connection, opaque, "").accept(applied);
            }
        };
    }

    private static void answer(
            BrokerConnection connection, int opaque, Checked checked, long offset) {
        BrokerContext.ok(
                connection, opaque, checked.messageId() + " " + checked.partition() + " " + offset);
    }
}
