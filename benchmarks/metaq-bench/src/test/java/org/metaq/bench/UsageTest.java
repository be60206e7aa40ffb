package org.metaq.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class UsageTest {
    /** Enough for a thread to end between opening its file and reading it, several times. */
    private static final int LOOKS = 2000;

    private volatile boolean isOver;

    @Test
    void shouldLookAtAProcessWhoseThreadsComeAndGo() throws Exception {
        assumeThat(Usage.isSupported()).isTrue();
        Thread starter = new Thread(this::startThreads, "starter");
        starter.start();
        try {
            for (int i = 0; i < LOOKS; i++) {
                assertThat(Usage.of(ProcessHandle.current().pid()).switches()).isNotEmpty();
            }
        } finally {
            isOver = true;
            starter.join();
        }
    }

    private void startThreads() {
        while (!isOver) {
            Thread shortLived = new Thread(() -> LockSupport.parkNanos(1));
            shortLived.start();
            try {
                shortLived.join();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    @Test
    void shouldNotTakeOffWhatAThreadDidThatHasEnded() {
        Usage before = new Usage(0, Map.of(1L, 100L, 2L, 5000L), 0);
        Usage after = new Usage(0, Map.of(1L, 130L, 3L, 7L), 0);
        assertThat(after.switchesSince(before)).isEqualTo(37);
    }
}
