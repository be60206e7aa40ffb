package org.metaq.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.metaq.common.DestinationKind;

class EnvelopeTest {
    private static Envelope full(Envelope.BodyType bodyType) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("z", "last letter first");
        properties.put("count", 7);
        properties.put("JMSXGroupID", "g é 1");
        return new Envelope(
                bodyType,
                2,
                9,
                1_700_000_000_000L,
                Long.MAX_VALUE,
                1,
                "ID:1",
                "corr",
                new byte[] {0, -1},
                "type",
                new Envelope.Address(DestinationKind.QUEUE, "a queue"),
                new Envelope.Address(DestinationKind.TEMPORARY_TOPIC, "c1-1"),
                "c1",
                properties);
    }

    private static Envelope bare() {
        return new Envelope(
                Envelope.BodyType.NONE,
                1,
                0,
                0,
                0,
                0,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                Map.of());
    }

    private static ByteBuffer messageBody(byte[] envelope, int attributeLength) {
        ByteBuffer body = ByteBuffer.allocate(Integer.BYTES + envelope.length + 3);
        body.putInt(attributeLength).put(envelope).put(new byte[3]);
        return body.flip();
    }

    @ParameterizedTest
    @EnumSource(Envelope.BodyType.class)
    void shouldReadBackEveryField(Envelope.BodyType bodyType) throws ProtocolException {
        Envelope envelope = full(bodyType);
        Envelope read = Envelope.decode(ByteBuffer.wrap(envelope.encode()));
        assertThat(read).usingRecursiveComparison().withStrictTypeChecking().isEqualTo(envelope);
        assertThat(read.properties().keySet()).containsExactly("z", "count", "JMSXGroupID");
    }

    @Test
    void shouldTakeTheHeadAloneWhenNothingElseIsSet() throws ProtocolException {
        byte[] bytes = bare().encode();
        assertThat(bytes).hasSize(Envelope.HEAD_LENGTH);
        assertThat(Envelope.decode(ByteBuffer.wrap(bytes))).isEqualTo(bare());
    }

    @Test
    void shouldShowTheBrokerItsFieldsWithoutDecoding() throws ProtocolException {
        byte[] bytes = full(Envelope.BodyType.TEXT).encode();
        ByteBuffer body = messageBody(bytes, bytes.length);
        Envelope.checkHead(body);
        assertThat(Envelope.expirationOf(body)).isEqualTo(Long.MAX_VALUE);
        assertThat(Envelope.priorityOf(body)).isEqualTo(9);
        assertThat(Envelope.timestampOf(body)).isEqualTo(1_700_000_000_000L);
        assertThat(body.position()).isZero();
    }

    @Test
    void shouldRefuseEnvelopesThatAreCutShortAnywhere() {
        byte[] bytes = full(Envelope.BodyType.TEXT).encode();
        int refused = 0;
        for (int length = 0; length < bytes.length; length++) {
            try {
                // A cut between two fields is an envelope with fewer fields.
                Envelope.decode(ByteBuffer.wrap(bytes, 0, length));
            } catch (ProtocolException e) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThanOrEqualTo(bytes.length - 8);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 2, version",
        "1, 7, body type",
        "2, 0, delivery mode",
        "2, 3, delivery mode",
        "3, 10, priority",
        "3, -1, priority"
    })
    void shouldRefuseAHeadWithAValueOutOfRange(int index, int value, String what) {
        byte[] bytes = full(Envelope.BodyType.TEXT).encode();
        bytes[index] = (byte) value;
        assertThatThrownBy(() -> Envelope.checkHead(messageBody(bytes, bytes.length)))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(what);
        assertThatThrownBy(() -> Envelope.decode(ByteBuffer.wrap(bytes)))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(what);
    }

    @Test
    void shouldRefuseAnAttributeThatHasNoRoomForAHead() {
        byte[] bytes = bare().encode();
        assertThatCode(() -> Envelope.checkHead(messageBody(bytes, bytes.length)))
                .doesNotThrowAnyException();
        for (int length : new int[] {-1, 0, 27, bytes.length + 4, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> Envelope.checkHead(messageBody(bytes, length)))
                    .isInstanceOf(ProtocolException.class);
        }
        assertThatThrownBy(() -> Envelope.checkHead(ByteBuffer.allocate(31)))
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void shouldRefuseUnknownFieldsAndDestinationKinds() {
        byte[] head = bare().encode();
        byte[] unknownField = Arrays.copyOf(head, head.length + 1);
        unknownField[head.length] = 99;
        assertThatThrownBy(() -> Envelope.decode(ByteBuffer.wrap(unknownField)))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("99");
        byte[] unknownKind = new BodyWriter().raw(head).u8(5).u8(9).string("name").toBytes();
        assertThatThrownBy(() -> Envelope.decode(ByteBuffer.wrap(unknownKind)))
                .isInstanceOf(ProtocolException.class);
    }
}
