package org.metaq.ra.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.ra.inbound.CircuitBreaker.State;

class CircuitBreakerTest {
    private long nowMs = 1_000_000;
    private final CircuitBreaker breaker = new CircuitBreaker(3, 100, 350, () -> nowMs);

    private void open() {
        breaker.failed("a");
        breaker.failed("b");
        assertThat(breaker.failed("c")).isTrue();
    }

    private void failProbe(String messageId) {
        nowMs += breaker.untilProbeMs();
        assertThat(breaker.beginProbe()).isTrue();
        breaker.probeFailed(messageId);
    }

    @Test
    void shouldOpenWhenSoManyDifferentMessagesFailedInARow() {
        assertThat(breaker.failed("a")).isFalse();
        assertThat(breaker.failed("b")).isFalse();
        assertThat(breaker.isClosed()).isTrue();
        assertThat(breaker.failed("c")).isTrue();
        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertThat(breaker.failed("d")).as("it is open already").isFalse();
        assertThat(breaker.failuresInARow()).isEqualTo(4);
    }

    @Test
    void shouldStayClosedHoweverOftenTheSameMessagesFail() {
        for (int i = 0; i < 1000; i++) {
            assertThat(breaker.failed(i % 2 == 0 ? "a" : "b")).isFalse();
        }
        assertThat(breaker.isClosed()).isTrue();
        assertThat(breaker.failuresInARow()).isEqualTo(1000);
    }

    @Test
    void shouldCountAnewAfterASuccess() {
        breaker.failed("a");
        breaker.failed("b");
        breaker.succeeded();
        assertThat(breaker.failuresInARow()).isZero();
        assertThat(breaker.failed("c")).isFalse();
        assertThat(breaker.failed("a")).isFalse();
        assertThat(breaker.failed("b")).isTrue();
    }

    @Test
    void shouldNeverOpenWithoutAThreshold() {
        CircuitBreaker off = new CircuitBreaker(0, 100, 350, () -> nowMs);
        for (int i = 0; i < 1000; i++) {
            assertThat(off.failed("m" + i)).isFalse();
        }
        assertThat(off.isClosed()).isTrue();
    }

    @Test
    void shouldProbeOneMessageWhenTheDelayIsOver() {
        assertThat(breaker.beginProbe()).as("closed").isFalse();
        open();
        assertThat(breaker.untilProbeMs()).isEqualTo(100);
        nowMs += 99;
        assertThat(breaker.beginProbe()).as("too early").isFalse();
        nowMs += 1;
        assertThat(breaker.beginProbe()).isTrue();
        assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
        assertThat(breaker.beginProbe()).as("one at a time").isFalse();
        breaker.probeSucceeded();
        assertThat(breaker.isClosed()).isTrue();
        assertThat(breaker.failuresInARow()).isZero();
    }

    @Test
    void shouldDoubleTheDelayWithEachProbeThatFailsAndBeginAnewWhenItOpensAgain() {
        open();
        failProbe("a");
        assertThat(breaker.untilProbeMs()).isEqualTo(200);
        failProbe("b");
        assertThat(breaker.untilProbeMs()).isEqualTo(350);
        failProbe("c");
        assertThat(breaker.untilProbeMs()).isEqualTo(350);
        nowMs += 350;
        breaker.beginProbe();
        breaker.probeSucceeded();
        open();
        assertThat(breaker.untilProbeMs()).isEqualTo(100);
    }

    @Test
    void shouldPreferAnotherProbeThanThoseThatFailed() {
        open();
        assertThat(breaker.hasFailedAsProbe("a")).isFalse();
        failProbe("a");
        failProbe("b");
        assertThat(breaker.hasFailedAsProbe("a")).isTrue();
        assertThat(breaker.hasFailedAsProbe("b")).isTrue();
        nowMs += 350;
        breaker.beginProbe();
        breaker.probeSucceeded();
        assertThat(breaker.hasFailedAsProbe("a")).as("forgotten").isFalse();
    }

    @Test
    void shouldTryAgainAfterTheSameDelayWhenAProbeWasNotMade() {
        open();
        failProbe("a");
        nowMs += 200;
        breaker.beginProbe();
        breaker.probeAbandoned();
        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertThat(breaker.untilProbeMs()).isEqualTo(200);
    }

    @Test
    void shouldTakeNoNoticeOfDeliveriesThatBeganBeforeItOpened() {
        open();
        breaker.succeeded();
        assertThat(breaker.state()).isEqualTo(State.OPEN);
        nowMs += 100;
        breaker.beginProbe();
        breaker.succeeded();
        breaker.failed("late");
        assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
        assertThat(breaker.hasFailedAsProbe("late")).isFalse();
    }

    @Test
    void shouldRefuseTheResultOfAProbeThatIsNotUnderWay() {
        assertThatThrownBy(breaker::probeSucceeded)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("CLOSED");
        open();
        assertThatThrownBy(() -> breaker.probeFailed("a")).hasMessageContaining("OPEN");
        assertThatThrownBy(breaker::probeAbandoned).hasMessageContaining("OPEN");
    }

    /** What it should do, written down in another way: as a list of what happened since. */
    private static final class Model {
        final Set<String> failed = new HashSet<>();
        final Set<String> probes = new HashSet<>();
        State state = State.CLOSED;
        int failedProbes;
        long openedAtMs;

        long delayMs(long first, long max) {
            long delay = first;
            for (int i = 0; i < failedProbes; i++) {
                delay = Math.min(max, delay * 2);
            }
            return delay;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldDoAsAModelDoes(long seed) {
        Random random = new Random(seed);
        Model model = new Model();
        for (int step = 0; step < 20_000; step++) {
            String id = "m" + random.nextInt(5);
            switch (random.nextInt(8)) {
                case 0 -> {
                    breaker.succeeded();
                    if (model.state == State.CLOSED) {
                        model.failed.clear();
                    }
                }
                case 1, 2 -> failBoth(model, id);
                case 3 -> nowMs += random.nextInt(400);
                default -> probeBoth(model, id, random.nextInt(4));
            }
            String where = "seed " + seed + ", step " + step;
            assertThat(breaker.state()).as(where).isEqualTo(model.state);
            assertThat(breaker.hasFailedAsProbe(id)).as(where).isEqualTo(model.probes.contains(id));
        }
    }

    private void failBoth(Model model, String id) {
        boolean opens = false;
        if (model.state == State.CLOSED) {
            model.failed.add(id);
            opens = model.failed.size() == 3;
        }
        assertThat(breaker.failed(id)).isEqualTo(opens);
        if (opens) {
            model.state = State.OPEN;
            model.openedAtMs = nowMs;
            model.failedProbes = 0;
        }
    }

    private void probeBoth(Model model, String id, int result) {
        if (model.state != State.HALF_OPEN) {
            boolean begins =
                    model.state == State.OPEN
                            && nowMs >= model.openedAtMs + model.delayMs(100, 350);
            assertThat(breaker.beginProbe()).isEqualTo(begins);
            model.state = begins ? State.HALF_OPEN : model.state;
            return;
        }
        model.state = State.OPEN;
        model.openedAtMs = nowMs;
        switch (result) {
            case 0 -> {
                breaker.probeSucceeded();
                model.state = State.CLOSED;
                model.failed.clear();
                model.probes.clear();
            }
            case 1 -> breaker.probeAbandoned();
            default -> {
                breaker.probeFailed(id);
                model.failedProbes++;
                model.probes.add(id);
            }
        }
    }
}
