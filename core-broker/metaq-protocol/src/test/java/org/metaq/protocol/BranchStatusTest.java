package org.metaq.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BranchStatusTest {
    private static BranchStatus status(BranchStatus.State state, long preparedMs, long decidedMs) {
        return new BranchStatus(
                SampleCommands.XA,
                state,
                new BranchOrigin(5, "alice", "client é", "0-1-7 from /127.0.0.1:4711"),
                preparedMs,
                decidedMs,
                List.of(new BranchStatus.Share("queue@out", 2, 180)),
                List.of(
                        new BranchStatus.Share("queue@in", 1, 90),
                        new BranchStatus.Share("orders", 3, Long.MAX_VALUE)),
                360,
                1L << 40);
    }

    private static byte[] written(BranchStatus status) {
        BodyWriter out = new BodyWriter();
        status.write(out);
        return out.toBytes();
    }

    @ParameterizedTest
    @EnumSource(BranchStatus.State.class)
    void shouldReadWhatItWrote(BranchStatus.State state) throws ProtocolException {
        BranchStatus status = status(state, 7, 9);
        BodyReader in = new BodyReader(ByteBuffer.wrap(written(status)));
        assertThat(BranchStatus.read(in)).isEqualTo(status);
        in.end();
    }

    @Test
    void shouldRefuseWhatIsCutShortOrHasAnUnknownState() {
        byte[] bytes = written(status(BranchStatus.State.PREPARED, 7, 0));
        for (int length = 0; length < bytes.length; length++) {
            BodyReader in = new BodyReader(ByteBuffer.wrap(bytes, 0, length));
            assertThatThrownBy(() -> BranchStatus.read(in)).isInstanceOf(ProtocolException.class);
        }
        bytes[Integer.BYTES + SampleCommands.XA.toString().length()] = 99;
        assertThatThrownBy(() -> BranchStatus.read(new BodyReader(ByteBuffer.wrap(bytes))))
                .hasMessageContaining("99");
    }

    @Test
    void shouldTellSinceWhenItIsInItsState() {
        assertThat(status(BranchStatus.State.ACTIVE, 0, 0).sinceMs()).isEqualTo(5);
        assertThat(status(BranchStatus.State.PREPARED, 7, 0).sinceMs()).isEqualTo(7);
        assertThat(status(BranchStatus.State.HEURISTIC_COMMITTED, 7, 9).sinceMs()).isEqualTo(9);
    }

    @Test
    void shouldCutWhatAClientCallsItself() {
        BranchOrigin origin = new BranchOrigin(1, "u".repeat(10_000), "c", "");
        assertThat(origin.user()).hasSize(BranchOrigin.TEXT_LENGTH_MAX);
        assertThat(origin.clientId()).isEqualTo("c");
    }
}
