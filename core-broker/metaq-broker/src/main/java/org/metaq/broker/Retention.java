package org.metaq.broker;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Applied;
import org.metaq.broker.state.Partition;
import org.metaq.broker.state.RecordType;
import org.metaq.broker.state.Records;
import org.metaq.broker.state.Topic;
import org.metaq.store.StoreException;
import org.metaq.store.journal.JournalRecord.Need;
import org.metaq.store.log.ClosedSegment;
import org.metaq.store.log.PartitionLog;
import org.metaq.store.log.SegmentArchive;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has old segments of partition logs go: looks at them when it is time, lets {@link RetentionRule}
 * say which may go, and appends the TRIM that drops them. Where they are to be archived, the copies
 * are made before that, in the background, one segment at a time, each followed by its TRIM.
 * Confined to the writer thread but for {@link #archive}.
 */
final class Retention {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

    /** Between two looks at the clock on the wall. */
    private static final long CLOCK_INTERVAL_NS = 1_000_000_000L;

    /** A segment to be copied, and those of its partition that follow. */
    private record Job(
            Partition partition,
            List<ClosedSegment> segments,
            DeletePolicy.Action action,
            boolean dropsUnconsumed,
            RetentionRule.Reason reason) {
        ClosedSegment segment() {
            return segments.get(0);
        }
    }

    private record Archived(Job job, @Nullable StoreException failure) {}

    private final BrokerContext context;
    private final Executor background;

    private @Nullable RetentionTimes times;
    private long clockReadNs = Long.MIN_VALUE;
    private long clockMs = Long.MIN_VALUE;
    private long lookedMs = Long.MIN_VALUE;
    private long nextLookMs = Long.MIN_VALUE;
    private long nextDueMs = Long.MIN_VALUE;

    /** Of the expressions in use at the last look. */
    private Map<String, Long> nextMsByCron = Map.of();

    /** Partitions with a TRIM or an archive under way. */
    private final Set<Partition> busy = new HashSet<>();

    /** Partitions whose size limit does not hold, of which the log was told. */
    private final Set<Partition> heldBack = new HashSet<>();

    private final Deque<Job> jobs = new ArrayDeque<>();
    private boolean isArchiving;

    /** Filled by the background, emptied by the writer. */
    private final Queue<Archived> archived = new ConcurrentLinkedQueue<>();

    Retention(BrokerContext context, Executor background) {
        this.context = context;
        this.background = background;
    }

    /**
     * From now on old segments are looked for at these times. A new {@code deleteWhen} of a topic
     * is noticed at the next look.
     */
    void schedule(RetentionTimes newTimes) {
        times = newTimes;
        nextMsByCron = Map.of();
        nextLookMs = Long.MIN_VALUE;
        clockReadNs = Long.MIN_VALUE;
    }

    /**
     * Looks when it is time, to a second. TRIM records go into the batch.
     *
     * @return how much was done
     */
    int doWork() {
        RetentionTimes schedule = times;
        if (schedule == null) {
            return 0;
        }
        int work = takeArchived();
        long nowNs = context.clock.monotonicNs();
        if (clockReadNs == Long.MIN_VALUE || nowNs - clockReadNs >= CLOCK_INTERVAL_NS) {
            clockReadNs = nowNs;
            work += look(schedule, context.clock.wallMs());
        }
        if (!isArchiving && !jobs.isEmpty()) {
            isArchiving = true;
            Job job = jobs.remove();
            background.execute(() -> archive(job));
            work++;
        }
        return work;
    }

    private int look(RetentionTimes schedule, long nowMs) {
        if (nowMs < clockMs) {
            // Somebody set the clock back: what was due in an hour would be due in a day.
            nextMsByCron = Map.of();
            nextLookMs = nowMs;
            lookedMs = nowMs;
        }
        clockMs = nowMs;
        boolean isLook = nowMs >= nextLookMs;
        if (!isLook && nowMs < nextDueMs) {
            return 0;
        }
        if (isLook) {
            nextLookMs = nowMs + schedule.lookIntervalMs();
        }
        Set<String> due = dueCrons(schedule, nowMs);
        lookedMs = nowMs;
        int work = 0;
        for (Topic topic : context.state.topics()) {
            TopicSettings settings = context.catalog.of(topic.text());
            boolean looksAtAges = due.contains(settings.deleteWhen());
            if (isLook || looksAtAges) {
                work += look(topic, settings, nowMs, looksAtAges);
            }
        }
        return work;
    }

    /** What became due since the last look; notes when the next is. */
    private Set<String> dueCrons(RetentionTimes schedule, long nowMs) {
        long sinceMs = lookedMs == Long.MIN_VALUE ? nowMs : lookedMs;
        Set<String> due = new HashSet<>();
        Map<String, Long> next = new HashMap<>();
        nextDueMs = Long.MAX_VALUE;
        for (Topic topic : context.state.topics()) {
            String cron = context.catalog.of(topic.text()).deleteWhen();
            if (next.containsKey(cron)) {
                continue;
            }
            Long known = nextMsByCron.get(cron);
            long nextMs = known == null ? schedule.nextMs(cron, sinceMs) : known;
            if (nowMs >= nextMs) {
                due.add(cron);
                nextMs = schedule.nextMs(cron, nowMs);
            }
            next.put(cron, nextMs);
            nextDueMs = Math.min(nextDueMs, nextMs);
        }
        nextMsByCron = next;
        return due;
    }

    private int look(Topic topic, TopicSettings settings, long nowMs, boolean looksAtAges) {
        RetentionRule rule = new RetentionRule(settings, nowMs, looksAtAges);
        int work = 0;
        for (Partition partition : topic.partitions()) {
            if (busy.contains(partition)) {
                continue;
            }
            RetentionRule.Verdict verdict = rule.judge(partition);
            tellHeldBack(partition, settings, verdict.isHeldBack());
            RetentionRule.Reason reason = verdict.reason();
            if (reason != null) {
                work++;
                start(
                        new Job(
                                partition,
                                List.copyOf(verdict.segments()),
                                rule.action(),
                                settings.deletesUnconsumed(),
                                reason));
            }
        }
        return work;
    }

    private void tellHeldBack(Partition partition, TopicSettings settings, boolean isHeldBack) {
        if (!isHeldBack) {
            heldBack.remove(partition);
        } else if (heldBack.add(partition)) {
            LOG.info(
                    "held-back topic={} partition={} maxPartitionBytes={}: it stays longer, as a"
                            + " subscription or prepared transaction needs its oldest messages;"
                            + " consume them, unsubscribe, or set deletesUnconsumed",
                    partition.topic(),
                    partition.number(),
                    settings.maxPartitionBytes());
        }
    }

    private void start(Job job) {
        busy.add(job.partition());
        if (job.action() == DeletePolicy.Action.DELETE) {
            long end = job.segments().get(job.segments().size() - 1).endSequence();
            trim(job, end, applied -> busy.remove(job.partition()));
        } else {
            jobs.add(job);
        }
    }

    private void trim(Job job, long firstSequence, Consumer<Applied> completion) {
        Partition partition = job.partition();
        new Records.Trim(
                        partition.topic().text(),
                        partition.number(),
                        firstSequence,
                        job.action().code(),
                        job.dropsUnconsumed())
                .write(context.batch.body());
        context.batch.add(
                RecordType.TRIM,
                Need.LAZY,
                applied -> {
                    tellTrimmed(job, applied);
                    completion.accept(applied);
                });
    }

    private static void tellTrimmed(Job job, Applied applied) {
        if (applied instanceof Applied.Trimmed trimmed && trimmed.segmentCount() > 0) {
            LOG.info(
                    "trimmed topic={} partition={} segments={} bytes={} reason={} action={}",
                    job.partition().topic(),
                    job.partition().number(),
                    trimmed.segmentCount(),
                    trimmed.length(),
                    job.reason().name().toLowerCase(Locale.ROOT),
                    job.action().name().toLowerCase(Locale.ROOT));
        }
    }

    // ---- archives

    /** Runs in the background. */
    private void archive(Job job) {
        StoreException failure = null;
        try {
            ((PartitionLog) job.partition().log())
                    .archive(
                            job.segment(),
                            job.action() == DeletePolicy.Action.ZIP
                                    ? SegmentArchive.Format.ZIP
                                    : SegmentArchive.Format.PLAIN);
        } catch (StoreException e) {
            // The segment is still there; nothing is in doubt.
            failure = e;
        }
        archived.add(new Archived(job, failure));
    }

    private int takeArchived() {
        int work = 0;
        Archived done = archived.poll();
        while (done != null) {
            work++;
            isArchiving = false;
            Job job = done.job();
            StoreException failure = done.failure();
            if (failure == null) {
                trim(job, job.segment().endSequence(), applied -> goOn(job, applied));
            } else {
                LOG.warn(
                        "topic={} partition={}: a segment could not be archived and stays; the next"
                                + " look tries again: {}",
                        job.partition().topic(),
                        job.partition().number(),
                        String.valueOf(failure.getMessage()));
                busy.remove(job.partition());
            }
            done = archived.poll();
        }
        return work;
    }

    /** After a segment is trimmed: the next, if that one is really gone. */
    private void goOn(Job job, Applied applied) {
        boolean isGone = applied instanceof Applied.Trimmed trimmed && trimmed.segmentCount() > 0;
        if (isGone && job.segments().size() > 1) {
            jobs.add(
                    new Job(
                            job.partition(),
                            job.segments().subList(1, job.segments().size()),
                            job.action(),
                            job.dropsUnconsumed(),
                            job.reason()));
        } else {
            busy.remove(job.partition());
        }
    }
}
