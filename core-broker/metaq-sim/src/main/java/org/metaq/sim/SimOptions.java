package org.metaq.sim;

import java.util.Random;
import java.util.function.UnaryOperator;
import org.metaq.broker.BrokerConfig;
import org.metaq.broker.DeletePolicy;
import org.metaq.broker.RetentionTimes;
import org.metaq.broker.TopicCatalog;
import org.metaq.broker.TopicSettings;
import org.metaq.store.io.StoreDirectory;
import org.metaq.store.journal.JournalOptions;

/**
 * How a simulated broker is set up: everything tiny, so that a short run passes through every
 * mechanism.
 *
 * @param journal its options
 * @param broker its configuration
 * @param promisesCommits whether an answered commit, prepare or rollback is durable
 * @param promisesPolicySends whether an answered send of durability POLICY is durable
 * @param losesUnconsumed whether subscriptions may lose messages to retention
 * @param directory what the store is given instead of the disk: a planted fault, or the same
 */
record SimOptions(
        JournalOptions journal,
        BrokerConfig broker,
        boolean promisesCommits,
        boolean promisesPolicySends,
        boolean losesUnconsumed,
        UnaryOperator<StoreDirectory> directory) {
    /** Most bytes of messages in one transaction. */
    static final int TRANSACTION_MAX = 12_000;

    /** Largest message body. */
    static final int MESSAGE_MAX = 4_000;

    /** Time-out of XA branches that set none, ms. */
    static final int TRANSACTION_TIMEOUT_MS = 20_000;

    /** Free space below which sends are refused. */
    static final long MIN_FREE = 1 << 20;

    private static final long OUTCOME_RETENTION_MS = 1_000_000_000L;
    private static final long CHECKPOINT_INTERVAL_MS = 3_600_000;
    private static final int BATCH_MAX = 64 * 1024;

    /** Options of a seed: flush policies, lengths and partitions differ. */
    static SimOptions of(Random random) {
        boolean isStrict = random.nextInt(3) > 0;
        int flushAtCommit = isStrict ? 1 : random.nextInt(3);
        int threshold = isStrict ? 0 : random.nextInt(3) * 3;
        int segment = 8 * (1100 + random.nextInt(1500));
        JournalOptions journal =
                new JournalOptions(
                        segment, 1 + random.nextInt(3), flushAtCommit, threshold, 500, BATCH_MAX);
        int brokerId = random.nextInt(4);
        TopicSettings topics = topics(1 + random.nextInt(3), random);
        BrokerConfig broker =
                new BrokerConfig(
                        brokerId,
                        TopicCatalog.of(topics),
                        true,
                        MESSAGE_MAX,
                        TRANSACTION_MAX,
                        random.nextInt(3000),
                        TRANSACTION_TIMEOUT_MS,
                        OUTCOME_RETENTION_MS,
                        Integer.MAX_VALUE,
                        1 + random.nextInt(12_000),
                        CHECKPOINT_INTERVAL_MS,
                        500 + random.nextInt(random.nextBoolean() ? 700 : 6000),
                        1 << 16,
                        true,
                        MIN_FREE);
        return new SimOptions(
                journal,
                broker,
                flushAtCommit == 1,
                threshold <= 0,
                topics.deletesUnconsumed(),
                d -> d);
    }

    /** Retention differs: by age, by size, both or none; copies or not. */
    private static TopicSettings topics(int numPartitions, Random random) {
        DeletePolicy.Action[] actions = DeletePolicy.Action.values();
        DeletePolicy policy =
                new DeletePolicy(actions[random.nextInt(actions.length)], random.nextInt(1500));
        long maxBytes = random.nextBoolean() ? 0 : 1000 + random.nextInt(6000);
        return topics(numPartitions, policy, maxBytes, random.nextInt(4) == 0);
    }

    private static TopicSettings topics(
            int numPartitions, DeletePolicy policy, long maxBytes, boolean deletesUnconsumed) {
        TopicSettings d = TopicSettings.defaults(numPartitions);
        return new TopicSettings(
                numPartitions,
                d.acceptPublish(),
                d.acceptSubscribe(),
                d.stat(),
                policy,
                d.deleteWhen(),
                maxBytes,
                deletesUnconsumed,
                d.unflushThreshold(),
                d.unflushIntervalMs(),
                d.dataPath(),
                d.filters());
    }

    /** Settings of every topic. */
    TopicSettings topics() {
        return broker.topics().defaults();
    }

    /** When retention looks: so often that every advance of the clock is one. */
    static RetentionTimes retentionTimes() {
        return new RetentionTimes() {
            @Override
            public long nextMs(String deleteWhen, long afterMs) {
                return afterMs + 1000;
            }

            @Override
            public long lookIntervalMs() {
                return 1000;
            }
        };
    }

    /** The same with everything durable before its answer. */
    SimOptions strict() {
        return new SimOptions(
                journal.withPolicies(1, 0, 500), broker, true, true, losesUnconsumed, directory);
    }

    /** The same over another directory. */
    SimOptions withDirectory(UnaryOperator<StoreDirectory> wrap) {
        return new SimOptions(
                journal, broker, promisesCommits, promisesPolicySends, losesUnconsumed, wrap);
    }

    /** The same with so short a memory of outcomes and producers. */
    SimOptions withRetentionMs(long ms) {
        return withBroker(config(broker, broker.topics(), ms));
    }

    /** The same, but retention takes what subscriptions need, of which the clients are not told. */
    SimOptions withSecretLoss() {
        TopicSettings lossy = topics(topics().numPartitions(), DeletePolicy.KEEP, 2000, true);
        return new SimOptions(
                journal,
                config(broker, TopicCatalog.of(lossy), broker.outcomeRetentionMs()),
                promisesCommits,
                promisesPolicySends,
                false,
                directory);
    }

    private SimOptions withBroker(BrokerConfig other) {
        return new SimOptions(
                journal, other, promisesCommits, promisesPolicySends, losesUnconsumed, directory);
    }

    private static BrokerConfig config(
            BrokerConfig b, TopicCatalog topics, long outcomeRetentionMs) {
        return new BrokerConfig(
                b.brokerId(),
                topics,
                b.autoCreate(),
                b.maxMessageSizeBytes(),
                b.maxTransactionSizeBytes(),
                b.transactionMemoryBytes(),
                b.transactionTimeoutMs(),
                outcomeRetentionMs,
                b.outcomeCountMax(),
                b.checkpointBytes(),
                b.checkpointIntervalMs(),
                b.maxSegmentSizeBytes(),
                b.maxTransferSizeBytes(),
                b.movesBeyondEnd(),
                b.minFreeBytes());
    }

    /** The same with other flush policies, of which the clients are not told. */
    SimOptions withSecretPolicies(int flushAtCommit, int threshold) {
        return new SimOptions(
                journal.withPolicies(flushAtCommit, threshold, 1_000_000_000L),
                broker,
                true,
                true,
                losesUnconsumed,
                directory);
    }
}
