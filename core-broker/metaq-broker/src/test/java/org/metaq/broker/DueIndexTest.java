package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.broker.DueIndex.Key;
import org.metaq.broker.state.WaitingMessages;

class DueIndexTest {
    private static final int EVERYTHING = Integer.MAX_VALUE;

    /** Waiting messages in arrays. */
    private static final class Model implements WaitingMessages {
        private long[] timesMs = new long[16];
        private long[] arrivals = new long[16];
        private boolean[] moved = new boolean[16];
        private int end;
        private int first;
        private long reads;

        /** What should come, in order. */
        private final TreeMap<Key, Integer> pending = new TreeMap<>();

        void add(long timeMs) {
            add(timeMs, end);
        }

        private void add(long timeMs, long arrival) {
            if (end == timesMs.length) {
                timesMs = Arrays.copyOf(timesMs, 2 * end);
                arrivals = Arrays.copyOf(arrivals, 2 * end);
                moved = Arrays.copyOf(moved, 2 * end);
            }
            timesMs[end] = timeMs;
            arrivals[end] = arrival;
            pending.put(new Key(timeMs, arrival), end);
            end++;
        }

        void move(int sequence) {
            moved[sequence] = true;
            pending.remove(new Key(timesMs[sequence], arrivals[sequence]), sequence);
            while (first < end && moved[first]) {
                first++;
            }
        }

        void addAgain(int sequence) {
            add(timesMs[sequence], arrivals[sequence]);
            move(sequence);
        }

        @Override
        public long firstPending() {
            return first;
        }

        @Override
        public long endSequence() {
            return end;
        }

        @Override
        public boolean isPending(long sequence) {
            return sequence < end && !moved[(int) sequence];
        }

        @Override
        public void forEachPending(long from, long to, Visitor visitor) {
            reads++;
            for (int i = (int) from; i < to; i++) {
                if (!moved[i]) {
                    visitor.visit(i, timesMs[i], arrivals[i]);
                }
            }
        }
    }

    private final Model model = new Model();

    private static void settle(DueIndex index) {
        while (index.hasWork()) {
            index.advance(1024);
        }
    }

    private List<Long> due(DueIndex index, long nowMs, int max) {
        List<Long> due = new ArrayList<>();
        index.due(nowMs, sequence -> due.size() < max && due.add(sequence));
        return due;
    }

    /** What is due comes in the order of the model, until nothing waits. */
    private void drain(DueIndex index, int max) {
        while (!model.pending.isEmpty()) {
            settle(index);
            assertThat(index.isReady()).isTrue();
            assertThat(index.nextMs()).isEqualTo(model.pending.firstKey().timeMs());
            for (long sequence : due(index, Long.MAX_VALUE, max)) {
                assertThat(sequence).isEqualTo((int) model.pending.firstEntry().getValue());
                model.move((int) sequence);
            }
            index.forgetMoved();
        }
        assertThat(index.nextMs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldKnowNothingBeforeItHasReadAndHaveNothingAfterwards() {
        DueIndex empty = new DueIndex(model, () -> 16);
        assertThat(empty.isReady()).isTrue();
        assertThat(empty.hasWork()).isFalse();
        model.add(5);
        assertThat(empty.isReady()).isFalse();
        empty.advance(EVERYTHING);
        assertThat(empty.isReady()).isTrue();
        assertThat(due(empty, 4, 10)).isEmpty();
        assertThat(due(empty, 5, 10)).containsExactly(0L);
    }

    @Test
    void shouldGiveThoseOfOneTimeInTheOrderOfTheirArrival() {
        for (int i = 0; i < 5000; i++) {
            model.add(7);
        }
        DueIndex index = new DueIndex(model, () -> 64);
        drain(index, 10);
    }

    @Test
    void shouldPassOverBlocksInWhichNothingIsNear() {
        int count = 200_000;
        for (int i = 0; i < count; i++) {
            model.add(1000 + i);
        }
        DueIndex index = new DueIndex(model, () -> 1000);
        drain(index, 500);
        assertThat(model.reads)
                .as("each block once at the start and twice more")
                .isLessThan(3 * count / 256);
    }

    @Test
    void shouldDoAsMuchInACallAsItIsTold() {
        for (int i = 0; i < 100_000; i++) {
            model.add(100_000 - i);
        }
        DueIndex index = new DueIndex(model, () -> 64);
        index.advance(64);
        assertThat(model.reads).isEqualTo(4);
        assertThat(index.isReady()).isFalse();
        assertThat(index.hasWork()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldAgreeWithAModelOverRandomMoves(int seed) {
        Random random = new Random(seed);
        int[] windowMax = {2 + random.nextInt(100)};
        DueIndex index = new DueIndex(model, () -> windowMax[0]);
        long nowMs = 0;
        for (int step = 0; step < 3000; step++) {
            int dice = random.nextInt(20);
            if (dice < 8) {
                for (int i = random.nextInt(60); i >= 0; i--) {
                    model.add(nowMs + random.nextInt(random.nextBoolean() ? 20 : 3000));
                }
            } else if (dice < 14) {
                nowMs += random.nextInt(100);
                move(index, nowMs, random);
            } else if (dice < 19) {
                index.advance(1 + random.nextInt(64));
            } else {
                compact(index, random);
                windowMax[0] = 2 + random.nextInt(100);
            }
        }
        drain(index, 50);
    }

    private void move(DueIndex index, long nowMs, Random random) {
        if (!index.isReady()) {
            return;
        }
        long expectedMs =
                model.pending.isEmpty() ? Long.MAX_VALUE : model.pending.firstKey().timeMs();
        assertThat(index.nextMs()).isEqualTo(expectedMs);
        for (long sequence : due(index, nowMs, 1 + random.nextInt(200))) {
            var first = model.pending.firstEntry();
            assertThat(sequence).isEqualTo((int) first.getValue());
            assertThat(first.getKey().timeMs()).as("not early").isLessThanOrEqualTo(nowMs);
            model.move((int) sequence);
        }
        index.forgetMoved();
    }

    /** The oldest ones come again, as the broker does it: only when everything was seen. */
    private void compact(DueIndex index, Random random) {
        if (!index.isReady()) {
            return;
        }
        int end = Math.min(model.end, model.first + random.nextInt(300));
        for (int sequence = model.first; sequence < end; sequence++) {
            if (model.isPending(sequence)) {
                model.addAgain(sequence);
            }
        }
        index.forgetMoved();
    }
}
