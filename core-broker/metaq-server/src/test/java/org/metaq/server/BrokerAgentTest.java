package org.metaq.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.metaq.common.Clock;
import org.metaq.protocol.Command;

@Timeout(60)
class BrokerAgentTest {
    private final FakeCore core = new FakeCore();
    private final InboundBudget budget = new InboundBudget(1 << 20);
    private final ReplyDispatcher dispatcher = new ReplyDispatcher();
    private final BrokerAgent agent = new WriterThread(core, budget, dispatcher, Clock.system(), 0);
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final NettyLink link =
            new NettyLink(channel, dispatcher, new RateLimitedLog(), () -> {});

    private void offer(Command command) {
        budget.add(10);
        agent.offer(new InboundEvent.Received(link, command, 10));
    }

    @Test
    void shouldSleepWhenIdleAndWakeForEachEvent() throws Exception {
        agent.start();
        agent.offer(new InboundEvent.Connected(link));
        for (int i = 1; i <= 20_000; i++) {
            offer(new Command.Version(i));
            // each is waited for, so that the writer parks in between and must be woken again
            while (core.submitted.get() < i) {
                Thread.onSpinWait();
            }
        }
        int cycles = core.cycles.get();
        assertThat(cycles).isLessThan(200_000);
        agent.stop();
        assertThat(budget.usedBytes()).isZero();
        assertThat(core.ends).containsExactly("close");
        assertThat(agent.failure()).isNotDone();
    }

    @Test
    void shouldApplyAllThatSeveralThreadsOffer() throws Exception {
        agent.start();
        agent.offer(new InboundEvent.Connected(link));
        List<Thread> producers = new ArrayList<>();
        for (int p = 0; p < 4; p++) {
            Thread producer =
                    new Thread(
                            () -> {
                                for (int i = 0; i < 10_000; i++) {
                                    offer(new Command.Version(i));
                                }
                            });
            producer.start();
            producers.add(producer);
        }
        for (Thread producer : producers) {
            producer.join();
        }
        agent.offer(new InboundEvent.Disconnected(link));
        Awaitility.await().until(() -> core.disconnected.get() == 1);
        assertThat(core.submitted).hasValue(40_000);
        agent.stop();
        assertThat(budget.usedBytes()).isZero();
    }

    @Test
    void shouldDropTheCommandsOfAConnectionThatIsGone() throws Exception {
        agent.start();
        agent.offer(new InboundEvent.Connected(link));
        agent.offer(new InboundEvent.Disconnected(link));
        offer(new Command.Version(1));
        agent.stop();
        assertThat(core.submitted).hasValue(0);
        assertThat(budget.usedBytes()).isZero();
    }

    @Test
    void shouldReportWhatTheBrokerDiedOfAndAnswerNothingMore() throws Exception {
        agent.offer(new InboundEvent.Connected(link));
        offer(new Command.Version(1));
        offer(new Command.Stats("fail", 2));
        agent.start();
        assertThat(agent.failure().get(10, TimeUnit.SECONDS)).hasMessage("told to fail");
        agent.stop();
        assertThat(core.ends).containsExactly("abandon");
        channel.runPendingTasks();
        Object more = channel.readOutbound();
        assertThat(more).isNull();
    }
}
