package org.metaq.broker;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.metaq.broker.state.Cursor;
import org.metaq.broker.state.MessageCopy;
import org.metaq.broker.state.RecordType;
import org.metaq.broker.state.Records;
import org.metaq.broker.state.Redelivery;
import org.metaq.broker.state.Subscription;
import org.metaq.broker.state.Topic;
import org.metaq.common.DestinationKind;
import org.metaq.common.PhysicalName;
import org.metaq.protocol.BodyWriter;
import org.metaq.protocol.Envelope;
import org.metaq.protocol.ProtocolException;
import org.metaq.protocol.RedeliveryPolicy;
import org.metaq.protocol.Settlement;
import org.metaq.store.journal.JournalRecord.Need;
import org.metaq.store.log.MessageBytes;
import org.metaq.store.log.MessageLog;
import org.metaq.store.log.MessageMeta;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages that were delivered too often, or expired: says where they go and what is said of them
 * there. Confined to the writer thread.
 */
final class DeadLetters {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);

    /** What is told of a dead letter, as properties of it. */
    private static final String PREFIX = "JMS_METAQ_DeadLetter";

    private static final String REASON_EXHAUSTED = "MAX_DELIVERIES";
    private static final String REASON_EXPIRED = "EXPIRED";

    /** Longer envelopes stay as they are: a record must not be too long. */
    private static final int ENVELOPE_LENGTH_MAX = 512 * 1024;

    /** Longest dead letter of a temporary destination, which goes through a record. */
    private static final int TEMPORARY_LENGTH_MAX = 1024 * 1024;

    private static final byte[] AS_IT_IS = {};

    private final BrokerContext context;
    private long exhaustedCount;
    private long expiredCount;

    DeadLetters(BrokerContext context) {
        this.context = context;
    }

    /** Messages that were delivered too often since the broker started. */
    long exhaustedCount() {
        return exhaustedCount;
    }

    /** Messages that expired since the broker started, once per subscription. */
    long expiredCount() {
        return expiredCount;
    }

    /** True if dead letters of this topic would go to itself: they stay where they are. */
    boolean isTarget(Topic topic, RedeliveryPolicy policy) {
        return topic.text().equals(physical(policy.deadLetter()));
    }

    private static String physical(String queue) {
        return queue.isEmpty() ? "" : new PhysicalName(DestinationKind.QUEUE, queue).text();
    }

    /**
     * A message was delivered too often; a record that makes its queue may be in the batch when
     * this returns.
     */
    Redelivery.DeadLetter exhausted(
            Cursor cursor,
            long sequence,
            long deliveries,
            RedeliveryPolicy policy,
            Redeliveries.Cause cause) {
        exhaustedCount++;
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("Reason", REASON_EXHAUSTED);
        properties.put("Count", (int) Math.min(Integer.MAX_VALUE, deliveries));
        if (!cause.reason().isEmpty()) {
            properties.put("Exception", cause.reason());
        }
        return deadLetter(cursor, sequence, policy.deadLetter(), properties);
    }

    /** A message expired. */
    Redelivery.DeadLetter expired(Cursor cursor, long sequence) {
        expiredCount++;
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("Reason", REASON_EXPIRED);
        properties.put("Count", cursor.nextDeliveryCount(sequence) - 1);
        String queue = context.catalog.of(cursor.partition().topic().text()).expiryQueue();
        return deadLetter(cursor, sequence, queue, properties);
    }

    private Redelivery.DeadLetter deadLetter(
            Cursor cursor, long sequence, String queue, Map<String, Object> properties) {
        Subscription subscription = cursor.subscription();
        Topic topic = cursor.partition().topic();
        String target = physical(queue);
        if (target.equals(topic.text())) {
            target = "";
        }
        int number = cursor.partition().number();
        int targetPartition = target.isEmpty() ? 0 : number % partitionCount(target);
        byte[] envelope = target.isEmpty() ? AS_IT_IS : envelope(cursor, sequence, properties);
        if (!target.isEmpty() && topic.name().kind().isTemporary()) {
            send(cursor, sequence, target, targetPartition, envelope);
            target = "";
        }
        return new Redelivery.DeadLetter(
                subscription.isDurable() ? subscription.id() : 0,
                topic.text(),
                number,
                sequence,
                target,
                targetPartition,
                envelope);
    }

    /** Makes the queue if it is not there. */
    private int partitionCount(String target) {
        Topic existing = context.topic(target);
        if (existing != null) {
            return existing.partitions().size();
        }
        int count = context.catalog.of(target).numPartitions();
        Records.createTopic(context.batch.body(), target, count);
        context.batch.add(RecordType.CREATE_TOPIC, Need.SYNC, BrokerContext::ignore);
        return count;
    }

    /** The message's envelope with what is told of it; empty: as it is. */
    private byte[] envelope(Cursor cursor, long sequence, Map<String, Object> told) {
        try {
            Envelope old = context.heads.read(cursor.partition().log(), sequence).envelope();
            Map<String, Object> properties = new LinkedHashMap<>(old.properties());
            told.forEach((name, value) -> properties.put(PREFIX + name, value));
            properties.put(PREFIX + "Time", context.clock.wallMs());
            properties.put(PREFIX + "Destination", cursor.partition().topic().text());
            Subscription.Terms terms = cursor.subscription().terms();
            if (!terms.name().isEmpty()) {
                properties.put(
                        PREFIX + "Subscription",
                        (terms.clientId().isEmpty() ? "" : terms.clientId() + ".") + terms.name());
            }
            if (old.expirationMs() != 0) {
                properties.put(PREFIX + "Expiration", old.expirationMs());
            }
            byte[] bytes = old.withoutExpiration(properties).encode();
            return bytes.length > ENVELOPE_LENGTH_MAX ? AS_IT_IS : bytes;
        } catch (ProtocolException e) {
            LOG.warn(
                    "dead-letter topic={} sequence={} problem=\"its envelope does not parse: {}\"",
                    cursor.partition().topic(),
                    sequence,
                    e.getMessage());
            return AS_IT_IS;
        }
    }

    /** Moves dead letters of subscriptions that no record knows. */
    void move(List<Redelivery.DeadLetter> all) {
        List<Redelivery.DeadLetter> moved =
                all.stream().filter(dead -> !dead.target().isEmpty()).toList();
        if (!moved.isEmpty()) {
            Records.settlement(
                    context.batch.body(), Settlement.NONE, new Redelivery(List.of(), moved));
            context.batch.add(RecordType.RELEASE, Need.LAZY, BrokerContext::ignore);
        }
    }

    /** No record can name a message of a temporary destination: it is sent to the target. */
    private void send(Cursor cursor, long sequence, String target, int partition, byte[] envelope) {
        MessageLog log = cursor.partition().log();
        MessageMeta meta = log.meta(sequence);
        if (meta.length() > TEMPORARY_LENGTH_MAX) {
            LOG.warn(
                    "dead-letter-dropped topic={} bytes={} problem=\"above the {} bytes that a dead"
                            + " letter of a temporary destination may have\"",
                    cursor.partition().topic(),
                    meta.length(),
                    TEMPORARY_LENGTH_MAX);
            return;
        }
        MessageBytes bytes = log.bytes(sequence);
        MessageCopy copy =
                envelope.length == 0
                        ? MessageCopy.of(bytes)
                        : MessageCopy.withEnvelope(bytes, envelope);
        BodyWriter out = context.batch.body();
        Records.Send.writeHead(
                out, 0, 0, 0, partition, meta.priority(), meta.flags(), target, null, 0);
        out.raw(copy.header());
        copy.forEach(out::raw);
        context.batch.add(RecordType.SEND, Need.LAZY, BrokerContext::ignore);
    }
}
