package org.metaq.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.protocol.Command;

class ConnectionHandlerTest {
    private static final long IDLE_MS = 60_000;

    private final List<InboundEvent> events = new ArrayList<>();
    private final InboundBudget budget = new InboundBudget(1000);
    private final ReplyDispatcher dispatcher = new ReplyDispatcher();
    private final EmbeddedChannel channel =
            new EmbeddedChannel(
                    new ConnectionHandler(
                            new ServerContext(
                                    1000,
                                    IDLE_MS,
                                    budget,
                                    new BodyMemory(1 << 20),
                                    dispatcher,
                                    new RateLimitedLog(),
                                    events::add)));

    private void receive(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
    }

    private String sent() {
        StringBuilder all = new StringBuilder();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            all.append(out.toString(StandardCharsets.ISO_8859_1));
            out.release();
        }
        return all.toString();
    }

    private List<Command> commands() {
        return events.stream()
                .filter(InboundEvent.Received.class::isInstance)
                .map(event -> ((InboundEvent.Received) event).command())
                .toList();
    }

    @Test
    void shouldTellConnectionCommandsAndEndInOrder() {
        receive("version 1\r\nversion 2\r\n");
        channel.close();
        assertThat(events).hasSize(4);
        assertThat(events.get(0)).isInstanceOf(InboundEvent.Connected.class);
        assertThat(commands()).containsExactly(new Command.Version(1), new Command.Version(2));
        assertThat(events.get(3)).isInstanceOf(InboundEvent.Disconnected.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r\n", "HELLO\r\n", "put a b c\r\n", "\u0000\u0001\r\n"})
    void shouldCloseTheConnectionOnWhatIsNoCommand(String input) {
        receive(input + "version 1\r\n");
        assertThat(channel.isOpen()).isFalse();
        assertThat(commands()).isEmpty();
        assertThat(sent()).isEmpty();
    }

    @Test
    void shouldAnswerAnOversizedMessageAndLiveOn() {
        receive("put t 0 1001 0 5\r\n" + "x".repeat(1001) + "version 1\r\n");
        assertThat(sent()).startsWith("result 413 ").contains(" 5\r\nMESSAGE_TOO_LARGE ");
        assertThat(commands()).containsExactly(new Command.Version(1));
    }

    @Test
    void shouldLeaveCommandsUndecodedAndStopReadingWhileTheBudgetIsUsedUp() {
        receive("version 1\r\nversion 2\r\nversion 3\r\nversion 4\r\nversion 5\r\nversion 6\r\n");
        assertThat(commands()).hasSize(4);
        assertThat(channel.config().isAutoRead()).isFalse();

        budget.release(budget.usedBytes());
        channel.runPendingTasks();

        assertThat(commands()).hasSize(6);
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @Test
    void shouldStopReadingAndEncodingWhileTheClientDoesNotRead() {
        NettyLink link = ((InboundEvent.OfLink) events.get(0)).link();
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
        channel.runPendingTasks();
        link.result(1, 200, "first");
        dispatcher.dispatch();
        channel.runPendingTasks();
        receive("version 1\r\n");
        assertThat(sent()).isEmpty();
        assertThat(commands()).isEmpty();
        assertThat(channel.config().isAutoRead()).isFalse();

        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
        channel.runPendingTasks();

        assertThat(sent()).isEqualTo("result 200 5 1\r\nfirst");
        assertThat(commands()).containsExactly(new Command.Version(1));
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @Test
    void shouldCutAClientThatLetsRepliesPileUpBeyondTheHardLimit() {
        NettyLink link = ((InboundEvent.OfLink) events.get(0)).link();
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
        FakeCore core = new FakeCore();
        for (int i = 0; i < 80 && channel.isOpen(); i++) {
            link.data(i, core.bytes(1 << 20));
            assertThat(channel.isOpen()).as("after %d MiB", i).isEqualTo(i < 79);
            dispatcher.dispatch();
        }
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void shouldSendAllRepliesOfACycleInOrderAndAsOneBuffer() {
        NettyLink link = ((InboundEvent.OfLink) events.get(0)).link();
        link.result(1, 200, "a");
        link.value(2, java.nio.ByteBuffer.wrap(new byte[] {'b'}));
        link.data(3, new FakeCore().bytes(3));
        dispatcher.dispatch();
        channel.runPendingTasks();
        ByteBuf out = channel.readOutbound();
        assertThat(out.toString(StandardCharsets.ISO_8859_1))
                .isEqualTo("result 200 1 1\r\navalue 1 2\r\nbvalue 3 3\r\n\0\1\2");
        out.release();
        Object more = channel.readOutbound();
        assertThat(more).isNull();
    }

    @Test
    void shouldCloseASilentJmsConnectionButNotAClassicOne() {
        channel.freezeTime();
        receive("version 1\r\n");
        pass(10 * IDLE_MS);
        assertThat(channel.isOpen()).isTrue();
        budget.release(budget.usedBytes());

        receive("open 1 16 12\r\n" + "\0".repeat(16));
        budget.release(budget.usedBytes());
        channel.runPendingTasks();
        for (int i = 0; i < 10; i++) {
            pass(IDLE_MS / 2);
            receive("version 1\r\n");
            budget.release(budget.usedBytes());
            channel.runPendingTasks();
        }
        assertThat(channel.isOpen()).isTrue();
        pass(IDLE_MS + 5_000);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void shouldGiveUpACommandWhoseRestDoesNotCome() {
        channel.freezeTime();
        receive("put t 0 100 0 1\r\nabc");
        pass(20_000);
        assertThat(channel.isOpen()).isTrue();
        pass(20_000);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void shouldHoldPiecesOfALargeMessageToTheBudgetAndGoOnWhenTheyWereTaken() {
        InboundBudget small = new InboundBudget(2L * CommandDecoder.PIECE_LENGTH);
        List<InboundEvent> told = new ArrayList<>();
        EmbeddedChannel large =
                new EmbeddedChannel(
                        new ConnectionHandler(
                                new ServerContext(
                                        4 << 20,
                                        IDLE_MS,
                                        small,
                                        new BodyMemory(1 << 20),
                                        dispatcher,
                                        new RateLimitedLog(),
                                        told::add)));
        int length = CommandDecoder.WHOLE_BODY_MAX + 1;
        String line = "send t 0 0 7 1 2 s - " + length + " 77\r\n";
        large.writeInbound(
                Unpooled.copiedBuffer(line + "x".repeat(length), StandardCharsets.ISO_8859_1));
        assertThat(told).hasSize(4);
        assertThat(told.get(1)).isInstanceOf(InboundEvent.Begun.class);
        assertThat(large.config().isAutoRead()).isFalse();
        int received = 0;
        for (int i = 2; received < length; i++) {
            if (i == told.size()) {
                small.release(small.usedBytes());
                large.runPendingTasks();
            }
            received += ((InboundEvent.Piece) told.get(i)).bytes().remaining();
        }
        assertThat(received).isEqualTo(length);
        assertThat(large.config().isAutoRead()).isTrue();
        large.close();
    }

    private void pass(long ms) {
        for (long left = ms; left > 0; left -= 1000) {
            channel.advanceTimeBy(1000, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }
    }
}
