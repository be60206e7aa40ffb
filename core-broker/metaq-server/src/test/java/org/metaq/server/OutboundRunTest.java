package org.metaq.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.metaq.broker.OutboundDelivery;
import org.metaq.protocol.Delivery;
import org.metaq.protocol.MessageFormat;
import org.metaq.protocol.ProtocolException;
import org.metaq.store.log.MessageBytes;

class OutboundRunTest {
    private static final int LENGTH = MessageFormat.HEADER_LENGTH;

    /** Empty messages one behind the other in a file that is all of them. */
    private record Piece(int position, int length) implements MessageBytes {
        @Override
        public void copyTo(ByteBuffer to) {
            for (int i = 0; i < length / LENGTH; i++) {
                MessageFormat.putHeader(to, 0, 0, position / LENGTH + i, 0);
            }
        }

        @Override
        public void copyTo(int from, ByteBuffer to) {
            throw new UnsupportedOperationException();
        }

        @Override
        public @Nullable FileChannel channel() {
            return null;
        }

        @Override
        public long channelPosition() {
            return position;
        }

        @Override
        public @Nullable MessageBytes followedBy(MessageBytes next) {
            Piece other = (Piece) next;
            return other.position == position + length
                    ? new Piece(position, length + other.length)
                    : null;
        }
    }

    private static OutboundDelivery delivery(int partition, int sequence, int count) {
        return new OutboundDelivery(
                partition, sequence, count, count > 1, new Piece(sequence * LENGTH, LENGTH));
    }

    private static List<Integer> counts(List<OutboundDelivery> deliveries) {
        return OutboundRun.of(deliveries).stream().map(OutboundRun::messageCount).toList();
    }

    @Test
    void shouldPutTogetherWhatIsNextToEachOther() {
        assertThat(counts(List.of())).isEmpty();
        assertThat(counts(List.of(delivery(0, 5, 1)))).containsExactly(1);
        assertThat(counts(List.of(delivery(0, 5, 1), delivery(0, 6, 1), delivery(0, 7, 1))))
                .containsExactly(3);
    }

    @Test
    void shouldBeginARunWhereAnythingDiffers() {
        assertThat(counts(List.of(delivery(0, 5, 1), delivery(0, 7, 1)))).containsExactly(1, 1);
        assertThat(counts(List.of(delivery(0, 6, 1), delivery(0, 5, 1)))).containsExactly(1, 1);
        assertThat(counts(List.of(delivery(0, 5, 1), delivery(1, 6, 1)))).containsExactly(1, 1);
        assertThat(counts(List.of(delivery(0, 5, 1), delivery(0, 6, 2)))).containsExactly(1, 1);
        assertThat(
                        counts(
                                List.of(
                                        delivery(0, 1, 2),
                                        delivery(0, 2, 2),
                                        delivery(0, 3, 1),
                                        delivery(0, 4, 1),
                                        delivery(0, 5, 1))))
                .containsExactly(2, 3);
    }

    @Test
    void shouldReadAsTheDeliveriesThatItWasMadeOf() throws ProtocolException {
        List<OutboundDelivery> deliveries = new ArrayList<>();
        for (int sequence : new int[] {1, 2, 3, 9, 10, 20}) {
            deliveries.add(delivery(3, sequence, sequence == 10 ? 4 : 1));
        }
        ByteBuffer body = ByteBuffer.allocate(1000);
        for (OutboundRun run : OutboundRun.of(deliveries)) {
            run.putPrefix(body);
            run.messages().copyTo(body);
        }

        List<Delivery> read = Delivery.readAll(body.flip());

        assertThat(read).extracting(Delivery::sequence).containsExactly(1L, 2L, 3L, 9L, 10L, 20L);
        assertThat(read).extracting(Delivery::deliveryCount).containsExactly(1, 1, 1, 1, 4, 1);
        assertThat(read).extracting(Delivery::redelivered).containsSequence(false, true, false);
        assertThat(read)
                .extracting(delivery -> delivery.message().getLong(MessageFormat.MESSAGE_ID_OFFSET))
                .containsExactly(1L, 2L, 3L, 9L, 10L, 20L);
    }
}
