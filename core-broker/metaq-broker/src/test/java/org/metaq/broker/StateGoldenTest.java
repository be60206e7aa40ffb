package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.broker.state.Kinds;

/**
 * The state of an older version is read. {@code formats/state/v4.zip} is the directory of a {@link
 * TestBroker} of the commit before state version 5, closed after client "c" had sent m0 to m39 to
 * queue q (priority 9 for m1, m5, m9 and so on, else 4; m5, m15, m25 and m35 expire a minute after
 * the clock's start), received three of them and acknowledged m1, subscribed to topic t as "s", and
 * sent it t0, t1 and t2 of the priorities 4, 0 and 9.
 */
class StateGoldenTest {
    private static final int SENT = 40;

    @TempDir Path root;
    private TestBroker broker;
    private TestBroker.Client client;
    private String queue;

    @BeforeEach
    void start() throws IOException {
        assertThat(GoldenState.unpack("v4", root)).isEqualTo(4);
        broker = GoldenState.broker(root, BrokerConfig.defaults(0));
        client = broker.connect("c");
        queue = client.queue("q");
    }

    private Kinds kinds() {
        return Objects.requireNonNull(broker.broker.state().topic(queue))
                .partitions()
                .get(0)
                .kinds();
    }

    /** m2 to m39 and m0, the urgent ones first. */
    private static List<String> unacknowledged() {
        return Stream.concat(
                        IntStream.range(0, SENT).filter(i -> i % 4 == 1 && i != 1).boxed(),
                        IntStream.range(0, SENT).filter(i -> i % 4 != 1).boxed())
                .map(i -> "m" + i)
                .toList();
    }

    private List<String> drain(int consumerId) {
        List<String> all = new ArrayList<>();
        List<String> batch;
        do {
            batch = client.texts(consumerId, SENT);
            all.addAll(batch);
        } while (!batch.isEmpty());
        return all;
    }

    private static boolean expires(String text) {
        return text.endsWith("5");
    }

    @Test
    void shouldFindQueuesSubscriptionsAndAllThatIsNotAcknowledged() {
        assertThat(broker.broker.state().topics()).hasSize(2);
        client.consume(1, queue);
        assertThat(drain(1)).isEqualTo(unacknowledged());
        client.subscribe(2, client.topic("t"), "s", true, false);
        assertThat(drain(2)).containsExactly("t2", "t0", "t1");
    }

    @Test
    void shouldExpireWhatItFindsThoughItHasNoKinds() {
        // m0 does not expire: that it may means that nothing is known of it.
        assertThat(kinds().nextExpiring(0, SENT)).isZero();
        broker.advance(60_001);
        client.consume(1, queue);
        assertThat(drain(1))
                .isEqualTo(unacknowledged().stream().filter(text -> !expires(text)).toList());
    }

    @Test
    void shouldOrderOldAndNewMessagesByPriorityAfterItWroteItsOwnState() throws IOException {
        client.send(queue, TestMessage.of("new").priority(9));
        client.send(queue, TestMessage.of("more"));
        broker.restart();
        client = broker.connect("c");
        client.consume(1, queue);
        List<String> texts = drain(1);
        assertThat(texts).hasSize(SENT + 1).endsWith("more");
        assertThat(texts.indexOf("new")).isEqualTo(texts.indexOf("m37") + 1);
        assertThat(texts.stream().filter(text -> text.startsWith("m") && !text.equals("more")))
                .containsExactlyElementsOf(unacknowledged());
    }
}
