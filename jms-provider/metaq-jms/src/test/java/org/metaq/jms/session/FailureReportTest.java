package org.metaq.jms.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FailureReportTest {
    @Test
    void shouldTellFailuresOneAfterTheOtherAndInOrder() {
        FailureReport report = new FailureReport("c");
        AtomicInteger running = new AtomicInteger();
        List<String> told = new CopyOnWriteArrayList<>();
        report.setListener(
                e -> {
                    assertThat(running.incrementAndGet()).isEqualTo(1);
                    told.add(String.valueOf(e.getMessage()));
                    running.decrementAndGet();
                });
        for (int i = 0; i < 100; i++) {
            report.report(new JMSException("" + i));
        }
        await().until(() -> told.size() == 100);
        assertThat(told).startsWith("0", "1", "2").endsWith("99");
    }

    @Test
    void shouldGoOnAfterAListenerThatThrowsAndForgetWhatNobodyHears() {
        FailureReport report = new FailureReport("c");
        report.report(new JMSException("nobody hears it"));
        List<String> told = new CopyOnWriteArrayList<>();
        report.setListener(
                e -> {
                    told.add(String.valueOf(e.getMessage()));
                    throw new UnsupportedOperationException("on purpose");
                });
        report.report(new JMSException("a"));
        report.report(new JMSException("b"));
        await().until(() -> told.size() == 2);
        assertThat(told).containsExactly("a", "b");
    }
}
