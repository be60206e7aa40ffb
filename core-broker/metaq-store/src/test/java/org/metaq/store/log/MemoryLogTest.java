package org.metaq.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.metaq.store.log.TestMessages.array;
import static org.metaq.store.log.TestMessages.message;

import java.lang.ref.WeakReference;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class MemoryLogTest {
    private final MemoryLog log = new MemoryLog("tempqueue@x-0");

    private void append(int count) {
        for (int i = 0; i < count; i++) {
            long sequence = log.endSequence();
            log.append(message(sequence, 50), 7 + sequence, 0, 4, 1);
        }
    }

    @Test
    void shouldShowMessagesOnceTheyArePublished() {
        append(200);
        assertThatThrownBy(() -> log.meta(0)).isInstanceOf(IllegalArgumentException.class);
        log.publish();

        for (long sequence = 0; sequence < 200; sequence++) {
            assertThat(log.meta(sequence))
                    .isEqualTo(new MessageMeta(sequence * 50, 50, 7 + sequence, 0, 4, 1));
            assertThat(array(log.bytes(sequence))).isEqualTo(array(message(sequence, 50)));
        }
        assertThat(log.endOffset()).isEqualTo(200 * 50);
        assertThatThrownBy(() -> log.bytes(200)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldForgetWhatIsReleasedAndGoOn() {
        append(150);
        log.publish();
        append(10);
        log.releaseBelow(70);
        log.releaseBelow(3);

        assertThat(log.startSequence()).isEqualTo(70);
        assertThat(log.startOffset()).isEqualTo(70 * 50);
        assertThatThrownBy(() -> log.bytes(69)).isInstanceOf(IllegalArgumentException.class);
        assertThat(log.meta(70).offset()).isEqualTo(70 * 50);
        assertThat(array(log.bytes(149))).isEqualTo(array(message(149, 50)));

        log.releaseBelow(1000);
        assertThat(log.startSequence()).isEqualTo(150);
        log.publish();
        assertThat(array(log.bytes(159))).isEqualTo(array(message(159, 50)));
        append(100);
        log.publish();
        assertThat(log.meta(259).offset()).isEqualTo(259 * 50);
    }

    @Test
    void shouldFreeMemoryOfReleasedMessagesButNotOfHeldBytes() {
        append(2);
        log.publish();
        WeakReference<MessageMeta> freed = new WeakReference<>(log.meta(0));
        MessageBytes held = log.bytes(0);
        log.releaseBelow(1);

        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(
                        () -> {
                            System.gc();
                            return freed.refersTo(null);
                        });
        assertThat(array(held)).isEqualTo(array(message(0, 50)));
        assertThat(held.channel()).isNull();
    }
}
