package org.metaq.broker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.metaq.broker.state.Applied;
import org.metaq.broker.state.DelayLog;
import org.metaq.broker.state.Partition;
import org.metaq.broker.state.RecordType;
import org.metaq.broker.state.Records;
import org.metaq.broker.state.Topic;
import org.metaq.store.journal.JournalRecord.Need;
import org.metaq.store.log.ClosedSegment;
import org.metaq.store.log.MessageMeta;
import org.metaq.store.log.PartitionLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves delayed messages to their partitions when they are due, by records of bounded size, one for
 * a partition at a time, so that others are served between them. Also has delay logs shrink in
 * which little still waits. Confined to the writer thread.
 */
final class Delays {
    private static final Logger LOG = LoggerFactory.getLogger(Delays.class);

    /** Messages, and their bytes unless it is one, that are moved in one turn. */
    private static final int TURN_COUNT_MAX = 256;

    private static final long TURN_BYTES_MAX = 1 << 20;

    /** Messages that the windows of all partitions hold together, unless there are very many. */
    private static final int WINDOWS_MAX = 128 * 1024;

    private static final int WINDOW_MAX = 16 * 1024;
    private static final int WINDOW_MIN = 256;

    /** What an index reads in a turn: 64 blocks, a millisecond or so. */
    private static final int ADVANCE_COST = 1024;

    private static final long SPACE_RETRY_NS = 500_000_000L;

    private final BrokerContext context;
    private final TopicFlush flush;
    private final Sends sends;
    private final Map<Partition, Waiting> byPartition = new HashMap<>();

    /** Whose index has to read before it knows what is next. */
    private final Set<Waiting> reading = new LinkedHashSet<>();

    /** Those that know their next time and have no record under way. */
    private final TreeSet<Waiting> byTime = new TreeSet<>();

    private final Set<Waiting> toCompact = new LinkedHashSet<>();
    private boolean lacksSpace;

    Delays(BrokerContext context, TopicFlush flush, Sends sends) {
        this.context = context;
        this.flush = flush;
        this.sends = sends;
    }

    /** The delayed messages of one partition. */
    private final class Waiting implements Comparable<Waiting> {
        private final Partition partition;
        private final DelayLog log;
        private final DueIndex index;
        private final int number;
        private long nextMs = Long.MAX_VALUE;
        private boolean hasRecordUnderWay;

        Waiting(Partition partition, DelayLog log, int number) {
            this.partition = partition;
            this.log = log;
            this.index = new DueIndex(log, Delays.this::windowMax);
            this.number = number;
        }

        @Override
        public int compareTo(Waiting other) {
            int byTime = Long.compare(nextMs, other.nextMs);
            return byTime != 0 ? byTime : Integer.compare(number, other.number);
        }
    }

    private int windowMax() {
        return Math.max(WINDOW_MIN, Math.min(WINDOW_MAX, WINDOWS_MAX / byPartition.size()));
    }

    /** After recovery: what waits is read in the turns that follow. */
    void start() {
        for (Topic topic : context.state.topics()) {
            for (Partition partition : topic.partitions()) {
                if (partition.delayed() != null) {
                    context.delayed.add(partition);
                }
            }
        }
    }

    // ---- duty cycle

    /** Adds records for what is due; gives how much was done. */
    int doWork() {
        int work = sends.storeDueTemporary() + noticeChanges() + read();
        boolean isDue = !byTime.isEmpty() && byTime.first().nextMs <= context.nowMs();
        if ((isDue || !toCompact.isEmpty()) && hasSpace()) {
            work += moveDue() + compact();
        }
        return work;
    }

    /** Monotonic time at which {@link #doWork} must be called at the latest. */
    long nextDeadlineNs() {
        long nowNs = context.clock.monotonicNs();
        boolean hasMore = !reading.isEmpty() || !context.delayed.isEmpty();
        if (hasMore || (!toCompact.isEmpty() && !lacksSpace)) {
            return nowNs;
        }
        long nextMs = byTime.isEmpty() ? Long.MAX_VALUE : byTime.first().nextMs;
        long waitNs = nsUntil(Math.min(nextMs, context.temporaryDelays.nextMs()));
        return nowNs + (lacksSpace ? Math.max(waitNs, SPACE_RETRY_NS) : waitNs);
    }

    private long nsUntil(long timeMs) {
        long waitMs = Math.max(0, timeMs - context.nowMs());
        return Math.min(waitMs, Long.MAX_VALUE / 2_000_000) * 1_000_000;
    }

    private int noticeChanges() {
        if (context.delayed.isEmpty()) {
            return 0;
        }
        int count = context.delayed.size();
        for (Partition partition : context.delayed) {
            DelayLog log = partition.delayed();
            if (log != null) {
                reading.add(
                        byPartition.computeIfAbsent(
                                partition, p -> new Waiting(p, log, byPartition.size())));
            }
        }
        context.delayed.clear();
        return count;
    }

    private int read() {
        int work = 0;
        for (Iterator<Waiting> each = reading.iterator(); each.hasNext(); ) {
            Waiting waiting = each.next();
            work++;
            waiting.index.advance(ADVANCE_COST);
            if (!waiting.index.hasWork()) {
                each.remove();
            }
            place(waiting);
        }
        return work;
    }

    /** Puts it where its next time says. */
    private void place(Waiting waiting) {
        byTime.remove(waiting);
        waiting.nextMs = waiting.index.isReady() ? waiting.index.nextMs() : Long.MAX_VALUE;
        if (waiting.nextMs != Long.MAX_VALUE && !waiting.hasRecordUnderWay) {
            byTime.add(waiting);
        }
    }

    /** What is moved is on the disk twice for a while: better late than a broker that stops. */
    private boolean hasSpace() {
        boolean hasSpace = context.hasSpace();
        if (!hasSpace && !lacksSpace) {
            LOG.info(
                    "delayed messages wait longer: less than {} bytes (minFreeSpace) are free in {}",
                    context.config.minFreeBytes(),
                    context.directory.description());
        }
        lacksSpace = !hasSpace;
        return hasSpace;
    }

    // ---- due

    private int moveDue() {
        long nowMs = context.nowMs();
        int work = 0;
        Turn turn = new Turn();
        while (!byTime.isEmpty() && byTime.first().nextMs <= nowMs && !turn.isFull()) {
            Waiting waiting = byTime.first();
            List<Long> sequences = new ArrayList<>();
            turn.hasPersistent = false;
            waiting.index.due(nowMs, sequence -> turn.take(waiting.log, sequence, sequences));
            if (sequences.isEmpty()) {
                break;
            }
            Topic topic = waiting.partition.topic();
            sends.sentTo().add(topic);
            record(
                    RecordType.DUE,
                    turn.hasPersistent ? flush.need(topic.text()) : Need.LAZY,
                    waiting,
                    sequences);
            work++;
        }
        return work;
    }

    /** What one turn moves. */
    private static final class Turn {
        private int count;
        private long bytes;
        private boolean hasPersistent;

        boolean isFull() {
            return count >= TURN_COUNT_MAX || bytes >= TURN_BYTES_MAX;
        }

        /** A long message comes alone: the first is taken whatever its length. */
        boolean take(DelayLog log, long sequence, List<Long> to) {
            MessageMeta meta = log.log().meta(sequence);
            if (isFull() || (count > 0 && bytes + meta.length() > TURN_BYTES_MAX)) {
                return false;
            }
            count++;
            bytes += meta.length();
            hasPersistent |= (meta.flags() & MessageMeta.FLAG_PERSISTENT) != 0;
            to.add(sequence);
            return true;
        }
    }

    private void record(RecordType type, Need need, Waiting waiting, List<Long> sequences) {
        waiting.hasRecordUnderWay = true;
        place(waiting);
        new Records.Delayed(
                        waiting.partition.topic().text(),
                        waiting.partition.number(),
                        sequences.stream().mapToLong(Long::longValue).toArray())
                .write(context.batch.body());
        context.batch.add(type, need, applied -> recorded(waiting, applied));
    }

    /** Done, or refused as the journal was busy: then it is still due. */
    private void recorded(Waiting waiting, Applied applied) {
        if (applied instanceof Applied.Refused refused) {
            LOG.debug("delayed messages of {} stay: {}", waiting.partition, refused.text());
        }
        waiting.hasRecordUnderWay = false;
        waiting.index.forgetMoved();
        if (waiting.index.hasWork()) {
            reading.add(waiting);
        }
        place(waiting);
        if (isWasteful(waiting.log)) {
            toCompact.add(waiting);
        }
    }

    // ---- what holds up little must not hold up much

    /** True if more of a log has moved than waits, and there is a segment to be won. */
    private static boolean isWasteful(DelayLog delayed) {
        long length = delayed.log().endOffset() - delayed.log().startOffset();
        return length - delayed.pendingBytes() > delayed.pendingBytes()
                && !closedSegments(delayed).isEmpty();
    }

    private static List<ClosedSegment> closedSegments(DelayLog delayed) {
        return ((PartitionLog) delayed.log()).closedSegments();
    }

    /** Has what still waits in the oldest segment appended again, some of it in each turn. */
    private int compact() {
        int work = 0;
        for (Iterator<Waiting> each = toCompact.iterator(); each.hasNext(); ) {
            Waiting waiting = each.next();
            if (waiting.hasRecordUnderWay || !waiting.index.isReady()) {
                continue;
            }
            each.remove();
            if (isWasteful(waiting.log)) {
                long end = closedSegments(waiting.log).get(0).endSequence();
                List<Long> sequences = new ArrayList<>();
                Turn turn = new Turn();
                long sequence = waiting.log.firstPending();
                while (sequence < end && waiting.log.isPending(sequence)) {
                    if (!turn.take(waiting.log, sequence, sequences)) {
                        break;
                    }
                    sequence = waiting.log.nextPending(sequence + 1);
                }
                record(RecordType.DELAY_COMPACT, Need.LAZY, waiting, sequences);
                work++;
            }
        }
        return work;
    }
}
