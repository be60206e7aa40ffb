package org.metaq.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.metaq.common.Clock;
import org.metaq.protocol.Command;

@Timeout(60)
class WriterOnEventLoopTest {
    private final FakeCore core = new FakeCore();
    private final InboundBudget budget = new InboundBudget(1 << 20);
    private final ReplyDispatcher dispatcher = new ReplyDispatcher();
    private final EventLoopGroup loops = Transport.NIO.group("test-writer", 1);
    private final BrokerAgent agent =
            new WriterOnEventLoop(core, budget, dispatcher, Clock.system(), loops.next());
    private final NettyLink link =
            new NettyLink(new EmbeddedChannel(), dispatcher, new RateLimitedLog(), () -> {});

    @AfterEach
    void end() {
        loops.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private void offer(Command command) {
        budget.add(10);
        agent.offer(new InboundEvent.Received(link, command, 10));
    }

    @Test
    void shouldDoNothingBeforeItIsStarted() throws Exception {
        agent.offer(new InboundEvent.Connected(link));
        offer(new Command.Version(1));
        loops.submit(() -> {}).await();
        assertThat(core.submitted).hasValue(0);
        agent.start();
        Awaitility.await().until(() -> core.submitted.get() == 1);
    }

    @Test
    void shouldApplyAllThatSeveralThreadsOfferAndEndWithTheBrokerClosed() throws Exception {
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
        agent.stop();
        assertThat(core.submitted).hasValue(40_000);
        assertThat(budget.usedBytes()).isZero();
        assertThat(core.ends).containsExactly("close");
        assertThat(agent.failure()).isNotDone();
    }

    @Test
    void shouldReportWhatTheBrokerDiedOfAndDoNothingMore() throws Exception {
        agent.start();
        agent.offer(new InboundEvent.Connected(link));
        offer(new Command.Stats("fail", 2));
        assertThat(agent.failure().get(10, TimeUnit.SECONDS)).hasMessage("told to fail");
        int submitted = core.submitted.get();
        offer(new Command.Version(3));
        agent.stop();
        assertThat(core.submitted).hasValue(submitted);
        assertThat(core.ends).containsExactly("abandon");
    }
}
