package org.metaq.client.consume;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.metaq.client.cluster.Partition;
import org.metaq.client.cluster.TopicPartition;
import org.metaq.common.Checksums;
import org.metaq.protocol.MessageFormat;

class MessageDecoderTest {
    private static final int LENGTH_MAX = 1_000;
    private static final TopicPartition FROM = new TopicPartition("t", new Partition(0, 0));

    private static ByteBuffer messages(ByteBuffer... messages) {
        ByteBuffer all = ByteBuffer.allocate(10_000);
        for (ByteBuffer message : messages) {
            all.put(message.duplicate());
        }
        return all.flip();
    }

    private static ByteBuffer message(long id, int flag, byte... body) {
        ByteBuffer out = ByteBuffer.allocate(MessageFormat.HEADER_LENGTH + body.length);
        int checksum = Checksums.messageChecksum(ByteBuffer.wrap(body));
        MessageFormat.putHeader(out, body.length, checksum, id, flag);
        return out.put(body).flip();
    }

    private static List<ReceivedMessage> decode(long offset, ByteBuffer bytes) throws Exception {
        return MessageDecoder.decode(FROM, offset, bytes, LENGTH_MAX);
    }

    @Test
    void shouldIgnoreAMessageThatIsCut() throws Exception {
        ByteBuffer two = messages(message(1, 0, (byte) 'a'), message(2, 0, (byte) 'b'));
        for (int length = 0; length <= two.limit(); length++) {
            List<ReceivedMessage> decoded = decode(500, two.duplicate().limit(length));
            assertThat(decoded).hasSize(length / 21);
        }
        List<ReceivedMessage> both = decode(500, two);
        assertThat(both.get(1).offset()).isEqualTo(521);
        assertThat(both.get(1).nextOffset()).isEqualTo(542);
        assertThat(both.get(1).messageId()).isEqualTo(2);
    }

    @Test
    void shouldTellAttributeEnvelopeAndPayloadApart() throws Exception {
        byte[] body = {0, 0, 0, 2, 'x', 'y', 'p'};
        List<ReceivedMessage> decoded =
                decode(
                        0,
                        messages(
                                message(1, MessageFormat.FLAG_ATTRIBUTE, body),
                                message(
                                        2,
                                        MessageFormat.FLAG_ATTRIBUTE | MessageFormat.FLAG_ENVELOPE,
                                        body),
                                message(3, 0, body),
                                message(4, 0)));
        assertThat(decoded.get(0).attribute()).isEqualTo("xy");
        assertThat(decoded.get(0).payload()).asString(UTF_8).isEqualTo("p");
        assertThat(decoded.get(1).attribute()).isNull();
        assertThat(decoded.get(1).isJms()).isTrue();
        assertThat(decoded.get(1).payload()).asString(UTF_8).isEqualTo("p");
        assertThat(decoded.get(2).payload()).isEqualTo(body);
        assertThat(decoded.get(3).payload()).isEmpty();
    }

    @Test
    void shouldRefuseWhatIsNoMessage() throws Exception {
        ByteBuffer damaged = message(1, 0, (byte) 'a');
        damaged.put(20, (byte) 'b');
        ByteBuffer tooLong = message(1, 0).putInt(0, LENGTH_MAX + 1);
        ByteBuffer negative = message(1, 0).putInt(0, -1);
        ByteBuffer attributeTooLong =
                message(1, MessageFormat.FLAG_ATTRIBUTE, new byte[] {0, 0, 0, 9, 'x'});
        ByteBuffer noAttribute = message(1, MessageFormat.FLAG_ATTRIBUTE, new byte[] {0, 0});
        for (ByteBuffer bad : List.of(damaged, tooLong, negative, attributeTooLong, noAttribute)) {
            assertThatThrownBy(() -> decode(77, messages(bad)))
                    .hasMessageContaining("no message at offset 77 of t/0-0");
            // What is before it is delivered first.
            assertThat(decode(0, messages(message(9, 0, (byte) 'a'), bad))).hasSize(1);
        }
    }
}
