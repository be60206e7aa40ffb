package org.metaq.ra.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.metaq.ra.inbound.Activation.State;

/** The broker is not there, or goes. */
class BrokerAwayIT extends EndpointTestBase {
    private void awaitState(State state) {
        eventually(() -> assertThat(endpoints.states()).containsExactly(state));
    }

    @Test
    void shouldBeginByItselfWhenTheBrokerComesLaterThanTheActivation() throws Exception {
        stopBroker();
        FakeBean bean = activate(FakeBean.accepting(), spec(queue));
        assertThat(endpoints.states()).containsExactly(State.CONNECTING);
        restartBroker();
        send(queue, "a");
        awaitDone(bean, "a#1");
    }

    @Test
    void shouldGoOnByItselfWhenTheBrokerComesBack() throws Exception {
        FakeBean bean = activate(FakeBean.accepting(), spec(queue));
        send(queue, "a");
        awaitDone(bean, "a#1");
        for (int i = 1; i <= 3; i++) {
            stopBroker();
            awaitState(State.CONNECTING);
            restartBroker();
            awaitState(State.RUNNING);
            send(queue, "b" + i);
            int expected = i + 1;
            eventually(() -> assertThat(bean.done).hasSize(expected));
        }
        assertThat(bean.done).containsExactly("a#1", "b1#1", "b2#1", "b3#1");
        assertThat(ourThreads().stream().filter(name -> name.contains("reader")).count())
                .as("readers of one connection")
                .isLessThanOrEqualTo(1);
    }

    /** What was being delivered is rolled back with its connection, and comes again. */
    @Test
    void shouldDeliverAgainWhatABrokerThatGoesTookWithIt() throws Exception {
        CountDownLatch isIn = new CountDownLatch(1);
        CountDownLatch isBack = new CountDownLatch(1);
        FakeBean bean =
                new FakeBean(
                        message -> {
                            isIn.countDown();
                            await(isBack);
                        });
        activate(bean, spec(queue));
        send(queue, "a");
        await(isIn);
        stopBroker();
        awaitState(State.CONNECTING);
        restartBroker();
        isBack.countDown();
        eventually(() -> assertThat(bean.done).hasSize(1));
        assertThat(bean.deliveries()).isEqualTo(2);
    }

    /** B32. */
    @Test
    void shouldDeactivateAtOnceWhileTheBrokerIsDead() throws Exception {
        FakeBean bean = activate(FakeBean.accepting(), spec(queue));
        awaitState(State.RUNNING);
        stopBroker();
        awaitState(State.CONNECTING);
        assertBounded(() -> endpoints.deactivate(bean, spec(queue)), Duration.ofSeconds(5));
        FakeBean other = activate(FakeBean.accepting(), spec(queue));
        assertBounded(endpoints::stop, Duration.ofSeconds(5));
        assertThat(other.deliveries()).isZero();
        restartBroker();
    }

    private static void assertBounded(Runnable action, Duration limit) {
        long startNs = System.nanoTime();
        action.run();
        assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(limit);
    }

    @Test
    void shouldLetTheMessageUnderWayEndWhenItIsDeactivated() throws Exception {
        CountDownLatch isIn = new CountDownLatch(1);
        CountDownLatch mayGo = new CountDownLatch(1);
        FakeBean bean =
                new FakeBean(
                        message -> {
                            isIn.countDown();
                            await(mayGo);
                        });
        MetaQActivationSpec spec = spec(queue);
        spec.setMaxSessions(1);
        activate(bean, spec);
        send(queue, "a", "b");
        await(isIn);
        Thread deactivation = new Thread(() -> endpoints.deactivate(bean, spec));
        deactivation.start();
        // it has given back what was fetched before it waits
        assertThat(take(queue, 1).get(0).getBody(String.class)).isEqualTo("b");
        mayGo.countDown();
        deactivation.join();
        assertThat(bean.done).containsExactly("a#1");
        assertEmpty(queue);
    }

    @Test
    void shouldNotWaitForEverForABeanThatDoesNotReturn() throws Exception {
        CountDownLatch isIn = new CountDownLatch(1);
        CountDownLatch mayGo = new CountDownLatch(1);
        FakeBean bean =
                activate(
                        new FakeBean(
                                message -> {
                                    isIn.countDown();
                                    await(mayGo);
                                }),
                        spec(queue));
        send(queue, "a");
        await(isIn);
        assertBounded(endpoints::stop, STOP_MAX.plusSeconds(1));
        mayGo.countDown();
        eventually(() -> assertThat(bean.underWay()).isZero());
        assertThat(take(queue, 1).get(0).getBody(String.class)).isEqualTo("a");
        assertThat(bean.done).isEmpty();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
