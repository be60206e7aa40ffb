package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.common.Checksums;
import org.metaq.protocol.Command;
import org.metaq.store.io.StoreDirectory;
import org.metaq.store.io.StoreFile;
import org.metaq.store.journal.JournalOptions;

/** Counts how often the journal is forced for sends to topics with thresholds of their own. */
class TopicFlushTest {
    @TempDir Path root;

    private final int[] forces = new int[1];

    /** [system] forces every {@code threshold} sends; {@code strict} each, {@code lazy} every 3. */
    private TestBroker start(int threshold) {
        Map<String, TopicSettings> sections = new LinkedHashMap<>();
        sections.put("plain", settings(threshold, 10_000));
        sections.put("strict", settings(0, 10_000));
        sections.put("lazy", settings(3, 2_000));
        BrokerConfig d = BrokerConfig.defaults(1);
        BrokerConfig config =
                new BrokerConfig(
                        1,
                        new TopicCatalog(settings(threshold, 10_000), sections),
                        true,
                        d.maxMessageSizeBytes(),
                        d.maxTransactionSizeBytes(),
                        d.transactionMemoryBytes(),
                        d.transactionTimeoutMs(),
                        d.outcomeRetentionMs(),
                        d.outcomeCountMax(),
                        d.checkpointBytes(),
                        d.checkpointIntervalMs(),
                        d.maxSegmentSizeBytes(),
                        d.maxTransferSizeBytes(),
                        true,
                        0);
        return new TestBroker(root, config) {
            @Override
            JournalOptions journal() {
                return super.journal().withPolicies(1, threshold, 10_000);
            }

            @Override
            StoreDirectory directory() {
                return counting(super.directory());
            }
        };
    }

    private static TopicSettings settings(int unflushThreshold, long unflushIntervalMs) {
        TopicSettings d = TopicSettings.defaults(1);
        return new TopicSettings(
                1,
                true,
                true,
                false,
                d.deletePolicy(),
                d.deleteWhen(),
                0,
                false,
                unflushThreshold,
                unflushIntervalMs,
                "",
                Map.of());
    }

    private StoreDirectory counting(StoreDirectory real) {
        return (StoreDirectory)
                Proxy.newProxyInstance(
                        StoreDirectory.class.getClassLoader(),
                        new Class<?>[] {StoreDirectory.class},
                        (proxy, method, arguments) -> {
                            Object result = invoke(real, method, arguments);
                            return result instanceof StoreFile file
                                            && String.valueOf(arguments[0]).startsWith("journal")
                                    ? counting(file)
                                    : result;
                        });
    }

    private StoreFile counting(StoreFile real) {
        return (StoreFile)
                Proxy.newProxyInstance(
                        StoreFile.class.getClassLoader(),
                        new Class<?>[] {StoreFile.class},
                        (proxy, method, arguments) -> {
                            forces[0] += method.getName().equals("force") ? 1 : 0;
                            return invoke(real, method, arguments);
                        });
    }

    private static Object invoke(Object real, java.lang.reflect.Method method, Object[] arguments)
            throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Forces that a put, and the work behind it, cost. */
    private int forcesOfPut(TestBroker.Client client, String topic) {
        ByteBuffer body = ByteBuffer.wrap("m".getBytes(StandardCharsets.UTF_8));
        int before = forces[0];
        client.ok(o -> new Command.Put(topic, 0, 0, Checksums.messageChecksum(body), body, o));
        return forces[0] - before;
    }

    @Test
    void shouldForceALazyTopicAtItsThresholdOnly() {
        TestBroker broker = start(0);
        TestBroker.Client client = broker.connect();
        // the first message id of a broker is reserved by a forced record
        assertThat(forcesOfPut(client, "plain")).isEqualTo(1);
        assertThat(forcesOfPut(client, "plain")).isEqualTo(1);
        for (int round = 0; round < 3; round++) {
            assertThat(forcesOfPut(client, "lazy")).isZero();
            assertThat(forcesOfPut(client, "lazy")).isZero();
            assertThat(forcesOfPut(client, "lazy")).isEqualTo(1);
        }
    }

    @Test
    void shouldForceALazyTopicWhenItsIntervalHasPassed() {
        TestBroker broker = start(0);
        TestBroker.Client client = broker.connect();
        forcesOfPut(client, "plain");
        assertThat(forcesOfPut(client, "lazy")).isZero();
        long sentNs = broker.monotonicNs();
        assertThat(broker.broker.nextDeadlineNs()).isLessThanOrEqualTo(sentNs + 2_000_000_000L);
        broker.advance(1_000);
        int before = forces[0];
        broker.advance(999);
        assertThat(forces[0]).isEqualTo(before);
        broker.advance(1);
        assertThat(forces[0]).isEqualTo(before + 1);
        broker.advance(10_000);
        assertThat(forces[0]).isEqualTo(before + 1);
    }

    @Test
    void shouldForceEverySendOfAStrictTopicUnderALazySystem() {
        TestBroker broker = start(1000);
        TestBroker.Client client = broker.connect();
        forcesOfPut(client, "plain");
        assertThat(forcesOfPut(client, "plain")).isZero();
        assertThat(forcesOfPut(client, "strict")).isEqualTo(1);
        assertThat(forcesOfPut(client, "strict")).isEqualTo(1);
        assertThat(forcesOfPut(client, "plain")).isZero();
    }
}
