package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.broker.TestBroker.Client;
import org.metaq.common.BranchId;

/** Prepared branches that a checkpoint has wait for their outcome, over several restarts. */
class WaitingBranchesTest {
    private static final int BRANCHES = 20;

    @TempDir Path root;
    private TestBroker broker;
    private Client client;
    private String in;
    private String out;

    /** Each takes one message, and sends one; those of odd numbers are left over. */
    @BeforeEach
    void prepare() {
        broker = new TestBroker(root, BrokerConfig.defaults(0));
        reconnect();
        IntStream.range(0, 2 * BRANCHES).forEach(i -> client.send(in, "in " + i));
        long subscription = client.consume(1, in);
        client.receive(1, 2 * BRANCHES);
        for (int i = 0; i < BRANCHES; i++) {
            client.begin(xid(i));
            client.send(out, "out " + i, xid(i));
            client.end(xid(i), client.of(subscription, 2 * i, 2 * i));
            client.prepare(xid(i));
        }
        for (int i = 0; i < 3; i++) {
            // the second checkpoint is of branches that nobody has asked for
            broker.restart();
            assertThat(broker.broker.state().branchCount()).isEqualTo(BRANCHES);
        }
        reconnect();
    }

    private void reconnect() {
        client = broker.connect();
        in = client.queue("in");
        out = client.queue("out");
    }

    private static BranchId xid(int number) {
        return BranchId.xa(1, new byte[] {(byte) number}, new byte[0]);
    }

    private static List<String> texts(String kind, int first, int step, int last) {
        return IntStream.iterate(first, i -> i <= last, i -> i + step)
                .mapToObj(i -> kind + " " + i)
                .toList();
    }

    @Test
    void shouldHoldWhatTheyTookWithoutBeingAskedFor() {
        client.consume(1, in);
        assertThat(client.texts(1, 3 * BRANCHES)).isEqualTo(texts("in", 1, 2, 2 * BRANCHES - 1));
        client.consume(2, out);
        assertThat(client.texts(2, 1)).isEmpty();
    }

    @Test
    void shouldAllBeRecoveredAndHaveTheirOutcome() {
        assertThat(client.recover().lines().count()).isEqualTo(BRANCHES);
        for (int i = 0; i < BRANCHES; i++) {
            if (i % 2 == 0) {
                client.commit(xid(i), false);
            } else {
                client.rollback(xid(i));
            }
        }
        assertThat(client.recover()).isEmpty();
        client.consume(1, out);
        assertThat(client.texts(1, 2 * BRANCHES)).isEqualTo(texts("out", 0, 2, BRANCHES - 1));
        List<String> left = new ArrayList<>(texts("in", 1, 2, 2 * BRANCHES - 1));
        left.addAll(texts("in", 2, 4, 2 * BRANCHES - 1));
        client.consume(2, in);
        assertThat(client.texts(2, 3 * BRANCHES)).containsExactlyInAnyOrderElementsOf(left);
        broker.restart();
        assertThat(broker.broker.state().branchCount()).isZero();
    }

    @Test
    void shouldStayWhenALocalTransactionComesAndGoes() {
        BranchId local = BranchId.local("session", 1);
        client.begin(local);
        client.send(out, "local", local);
        client.commit(local, true);
        broker.restart();
        reconnect();
        client.consume(1, out);
        assertThat(client.texts(1, 2)).containsExactly("local");
        assertThat(client.recover().lines().count()).isEqualTo(BRANCHES);
    }
}
