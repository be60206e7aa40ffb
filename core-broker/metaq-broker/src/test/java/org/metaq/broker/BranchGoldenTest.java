package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.common.BranchId;
import org.metaq.protocol.BranchOrigin;
import org.metaq.protocol.BranchStatus;
import org.metaq.protocol.BranchStatus.Share;

/**
 * The branches of state version 5 are read, which knew neither who began them nor what they sent by
 * destination. {@code formats/state/v5.zip} is the directory of a {@link TestBroker} with the
 * configuration below of the commit before state version 6, closed after a client had sent m0 and
 * m1 to queue in, received both, and prepared two branches: SMALL, which sent s0 and s1 to queue
 * out and s2 to topic t and acknowledged m0; and SPILLED, which sent 40 messages of 50 bytes to
 * queue out and acknowledged m1. A last one, prepared when the checkpoint was there already and the
 * broker was left as by kill -9, sent j0 to queue out: it is in the journal only.
 */
class BranchGoldenTest {
    static final BranchId SMALL = BranchId.xa(1, new byte[] {1}, new byte[] {1});
    static final BranchId SPILLED = BranchId.xa(1, new byte[] {1}, new byte[] {2});
    static final BranchId JOURNALED = BranchId.xa(1, new byte[] {1}, new byte[] {3});

    private static final int HEADER_LENGTH = 20;

    /** Bytes that pending messages of all branches may take before they go to spill files. */
    private static final long TRANSACTION_MEMORY = 1000;

    @TempDir Path root;

    static BrokerConfig config() {
        BrokerConfig d = BrokerConfig.defaults(0);
        return new BrokerConfig(
                d.brokerId(),
                d.topics(),
                d.autoCreate(),
                d.maxMessageSizeBytes(),
                d.maxTransactionSizeBytes(),
                TRANSACTION_MEMORY,
                d.transactionTimeoutMs(),
                d.outcomeRetentionMs(),
                d.outcomeCountMax(),
                d.checkpointBytes(),
                d.checkpointIntervalMs(),
                d.maxSegmentSizeBytes(),
                d.maxTransferSizeBytes(),
                d.movesBeyondEnd(),
                0);
    }

    private BranchStatus status(TestBroker broker, BranchId id) {
        return Objects.requireNonNull(broker.broker.admin().branch(id));
    }

    @Test
    void shouldTellWhatTheBranchesOfAnOlderReleaseDid() throws IOException {
        assertThat(GoldenState.unpack("v5", root)).isEqualTo(5);
        TestBroker broker = GoldenState.broker(root, config());
        check(broker);
        broker.restart();
        check(broker);
        TestBroker.Client client = broker.connect();
        client.commit(SMALL, false);
        client.commit(SPILLED, false);
        client.rollback(JOURNALED);
        client.consume(1, client.queue("out"));
        assertThat(client.texts(1, 100)).hasSize(42).startsWith("s0", "s1").doesNotContain("j0");
        client.consume(2, client.queue("in"));
        assertThat(client.texts(2, 100)).isEmpty();
    }

    private void check(TestBroker broker) {
        assertThat(broker.broker.admin().branches(true))
                .containsExactlyInAnyOrder(SMALL, SPILLED, JOURNALED);
        for (BranchId id : broker.broker.admin().branches(true)) {
            assertThat(status(broker, id).origin()).isEqualTo(BranchOrigin.UNKNOWN);
        }
        assertThat(status(broker, SMALL).sent())
                .containsExactly(
                        new Share("queue@out", 2, 2 * HEADER_LENGTH + 4),
                        new Share("t", 1, HEADER_LENGTH + 2));
        assertThat(status(broker, SMALL).acknowledged())
                .containsExactly(new Share("queue@in", 1, HEADER_LENGTH + 2));
        assertThat(status(broker, SPILLED).sent())
                .containsExactly(new Share("queue@out", 40, 40 * (HEADER_LENGTH + 50)));
        assertThat(status(broker, JOURNALED).sent())
                .containsExactly(new Share("queue@out", 1, HEADER_LENGTH + 2));
    }
}
