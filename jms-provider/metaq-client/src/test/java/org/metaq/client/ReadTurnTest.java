package org.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The test's thread is the reader thread. */
@Timeout(30)
class ReadTurnTest {
    private final ReadTurn turn = new ReadTurn(Thread.currentThread(), SharedThread.INSTANCE);

    /** Two wishes, one right after the other, of another thread. */
    private void wishTwice() throws Exception {
        CompletableFuture.runAsync(
                        () -> {
                            assertThat(turn.take()).isFalse();
                            assertThat(turn.take()).isFalse();
                        })
                .get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldKeepTheTurnUntilThreadsHaveWantedItOneAfterTheOther() throws Exception {
        turn.await();
        assertThat(turn.isMine()).isTrue();
        assertThat(turn.standBy()).isFalse();
        boolean stoodBy = false;
        // a scheduler may part two wishes; some pair comes close together
        for (int i = 0; i < 1000 && !stoodBy; i++) {
            wishTwice();
            stoodBy = turn.standBy();
        }
        assertThat(stoodBy).isTrue();
        assertThat(turn.isMine()).isTrue();
    }

    @Test
    void shouldReadItselfWhenNobodyReadWhileItStoodBy() throws Exception {
        shouldKeepTheTurnUntilThreadsHaveWantedItOneAfterTheOther();
        wishTwice();
        assertThat(turn.standBy()).as("nobody read").isFalse();
        turn.readerHasRead();
        boolean stoodBy = false;
        for (int i = 0; i < 1000 && !stoodBy; i++) {
            wishTwice();
            stoodBy = turn.standBy();
        }
        assertThat(stoodBy).isTrue();
    }

    @Test
    void shouldComeBackOnlyWhenTheThreadThatReadsHasGivenTheTurnBack() throws Exception {
        turn.await();
        AtomicBoolean isReading = new AtomicBoolean();
        CompletableFuture<Void> reading =
                CompletableFuture.runAsync(
                        () -> {
                            while (!turn.take()) {
                                Thread.onSpinWait();
                            }
                            isReading.set(true);
                            long endNs = System.nanoTime() + 10 * ReadTurn.STANDBY_NS;
                            while (System.nanoTime() - endNs < 0) {
                                assertThat(turn.isMine()).isTrue();
                            }
                            isReading.set(false);
                            turn.giveBack();
                        });
        while (!reading.isDone()) {
            turn.readerHasRead();
            turn.standBy();
            assertThat(isReading).isFalse();
            assertThat(turn.isMine()).isTrue();
        }
        reading.get();
    }

    @Test
    void shouldNotStandByWhileSomebodyWaitsToBeWoken() throws Exception {
        turn.await();
        AtomicBoolean isOpen = new AtomicBoolean(true);
        ReplyWait wait = new ReplyWait(turn, (condition, timeoutNs) -> {}, isOpen::get);
        for (int i = 0; i < 100; i++) {
            wishTwice();
            assertThat(turn.standBy()).isFalse();
        }
        isOpen.set(false);
        boolean stoodBy = false;
        for (int i = 0; i < 1000 && !stoodBy; i++) {
            wishTwice();
            stoodBy = turn.standBy();
        }
        assertThat(stoodBy).isTrue();
        wait.close();
    }

    @Test
    void shouldRefuseTheTurnWhileTheReaderThreadIsWanted() throws Exception {
        turn.wantReader();
        CompletableFuture.runAsync(() -> assertThat(turn.take()).isFalse())
                .get(10, TimeUnit.SECONDS);
        turn.readerLooks();
        CompletableFuture.runAsync(
                        () -> {
                            assertThat(turn.take()).isTrue();
                            turn.giveBack();
                        })
                .get(10, TimeUnit.SECONDS);
    }
}
