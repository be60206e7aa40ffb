package org.metaq.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeliveryTest {
    private static final int FIRST_LENGTH = Delivery.PREFIX_LENGTH + 20 + 3;

    private static ByteBuffer twoDeliveries() {
        ByteBuffer body = ByteBuffer.allocate(FIRST_LENGTH + Delivery.PREFIX_LENGTH + 20);
        Delivery.putPrefix(body, 2, Long.MAX_VALUE, 1, false, 1);
        MessageFormat.putHeader(body, 3, 77, -5, MessageFormat.FLAG_ATTRIBUTE);
        body.put(new byte[] {1, 2, 3});
        Delivery.putPrefix(body, 0, 0, Integer.MAX_VALUE, true, 1);
        MessageFormat.putHeader(body, 0, 0, 6, 0);
        return body.flip();
    }

    @Test
    void shouldReadEveryDeliveryOfAReply() throws ProtocolException {
        ByteBuffer body = twoDeliveries();
        List<Delivery> deliveries = Delivery.readAll(body);
        assertThat(deliveries)
                .containsExactly(
                        new Delivery(
                                2,
                                Long.MAX_VALUE,
                                1,
                                false,
                                body.slice(Delivery.PREFIX_LENGTH, 23)),
                        new Delivery(
                                0,
                                0,
                                Integer.MAX_VALUE,
                                true,
                                body.slice(FIRST_LENGTH + Delivery.PREFIX_LENGTH, 20)));
        assertThat(body.position()).isZero();
    }

    @Test
    void shouldReadTheMessagesOfARunAsDeliveriesInSequence() throws ProtocolException {
        ByteBuffer body = ByteBuffer.allocate(Delivery.PREFIX_LENGTH + 3 * 20 + 2);
        Delivery.putPrefix(body, 4, 10, 2, true, 3);
        MessageFormat.putHeader(body, 0, 0, 6, 0);
        MessageFormat.putHeader(body, 2, 0, 7, 0);
        body.putShort((short) 0x0102);
        MessageFormat.putHeader(body, 0, 0, 8, 0);
        body.flip();

        assertThat(Delivery.readAll(body))
                .containsExactly(
                        new Delivery(4, 10, 2, true, body.slice(Delivery.PREFIX_LENGTH, 20)),
                        new Delivery(4, 11, 2, true, body.slice(Delivery.PREFIX_LENGTH + 20, 22)),
                        new Delivery(4, 12, 2, true, body.slice(Delivery.PREFIX_LENGTH + 42, 20)));
    }

    @Test
    void shouldRefuseARunOfNoMessagesOrOfMoreThanThereAre() {
        for (int count : new int[] {0, -1, 2, Integer.MAX_VALUE}) {
            ByteBuffer body = twoDeliveries();
            body.putInt(FIRST_LENGTH + Delivery.PREFIX_LENGTH - Integer.BYTES, count);
            assertThatThrownBy(() -> Delivery.readAll(body)).isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void shouldReadAnEmptyReplyAsNone() throws ProtocolException {
        assertThat(Delivery.readAll(ByteBuffer.allocate(0))).isEmpty();
    }

    @Test
    void shouldRefuseAReplyThatIsCutShortAnywhereButBetweenDeliveries() throws ProtocolException {
        ByteBuffer body = twoDeliveries();
        for (int length = 1; length < body.capacity(); length++) {
            ByteBuffer shorter = body.slice(0, length);
            if (length == FIRST_LENGTH) {
                assertThat(Delivery.readAll(shorter)).hasSize(1);
            } else {
                assertThatThrownBy(() -> Delivery.readAll(shorter))
                        .isInstanceOf(ProtocolException.class);
            }
        }
    }

    @Test
    void shouldRefuseABodyLengthThatIsNegativeOrBeyondTheReply() {
        for (int length : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 24}) {
            ByteBuffer body = twoDeliveries();
            body.putInt(Delivery.PREFIX_LENGTH, length);
            assertThatThrownBy(() -> Delivery.readAll(body)).isInstanceOf(ProtocolException.class);
        }
    }
}
