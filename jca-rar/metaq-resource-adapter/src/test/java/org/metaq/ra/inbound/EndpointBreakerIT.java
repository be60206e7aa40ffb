package org.metaq.ra.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Message;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.jms.destination.MetaQQueue;

/** What every message needs is away for some seconds: a database, say. */
class EndpointBreakerIT extends EndpointTestBase {
    private static final int MESSAGES = 300;
    private static final int SESSIONS = 10;
    private static final int THRESHOLD = 10;
    private static final int PROBES = 6;

    private MetaQQueue parked;

    private MetaQActivationSpec outageSpec() {
        parked = newQueue();
        MetaQActivationSpec spec = spec(queue);
        spec.setMaxSessions(SESSIONS);
        spec.setBreakerThreshold(THRESHOLD);
        spec.setBreakerDelay(100L);
        spec.setBreakerMaxDelay(400L);
        spec.setMaxDeliveries(4);
        spec.setRedeliveryDelay(10L);
        spec.setDeadLetterQueue(parked.getQueueName());
        return spec;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTryLittleDuringAnOutageAndParkNothingButTheMessageThatFailsByItself(
            boolean isTransacted) throws Exception {
        AtomicBoolean isAway = new AtomicBoolean(true);
        AtomicInteger failures = new AtomicInteger();
        FakeBean bean =
                new FakeBean(
                        message -> {
                            if (isAway.get()) {
                                failures.incrementAndGet();
                                throw new IllegalStateException("the database is away");
                            }
                            if (message.getBody(String.class).equals("poison")) {
                                throw new IllegalArgumentException("poison");
                            }
                        });
        bean.isTransacted = isTransacted;
        List<String> texts = IntStream.range(0, MESSAGES).mapToObj(i -> "m" + i).toList();
        send(queue, "poison");
        send(queue, texts);

        activate(bean, outageSpec());
        eventually(
                () ->
                        assertThat(endpoints.states())
                                .containsExactly(Activation.State.BREAKER_OPEN));
        // each probe comes later than the one before: some seconds
        int before = failures.get();
        eventually(() -> assertThat(failures.get()).isGreaterThanOrEqualTo(before + PROBES));
        assertThat(endpoints.states()).containsExactly(Activation.State.BREAKER_OPEN);
        isAway.set(false);

        Message letter = take(parked, 1).get(0);
        assertThat(letter.getBody(String.class)).isEqualTo("poison");
        assertThat(letter.getStringProperty("JMS_METAQ_DeadLetterException"))
                .isEqualTo("java.lang.IllegalArgumentException: poison");
        eventually(() -> assertThat(bean.done).hasSize(MESSAGES));
        assertThat(bean.done.stream().map(done -> done.replaceFirst("#.*", "")))
                .containsExactlyInAnyOrderElementsOf(texts);
        assertThat(endpoints.states()).containsExactly(Activation.State.RUNNING);
        // what was under way when it opened, then probes, the last of them perhaps just now
        assertThat(failures.get())
                .as("attempts in the outage")
                .isLessThanOrEqualTo(THRESHOLD + SESSIONS + PROBES + 1);
        endpoints.stop();
        assertEmpty(queue);
        assertEmpty(parked);
    }

    /** More poison than the threshold, and a good message behind it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReachTheGoodMessageBehindManyThatFail(boolean isTransacted) throws Exception {
        MetaQActivationSpec spec = outageSpec();
        spec.setMaxSessions(2);
        spec.setBreakerThreshold(3);
        spec.setBreakerDelay(5L);
        spec.setBreakerMaxDelay(10L);
        FakeBean bean =
                new FakeBean(
                        message -> {
                            if (message.getBody(String.class).startsWith("bad")) {
                                throw new IllegalArgumentException("bad");
                            }
                        });
        bean.isTransacted = isTransacted;
        send(queue, "bad1", "bad2", "bad3", "bad4", "bad5", "good");
        activate(bean, spec);
        eventually(() -> assertThat(bean.done).hasSize(1));
        assertThat(bean.done.get(0)).startsWith("good");
    }
}
