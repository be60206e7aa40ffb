package org.metaq.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageNotWriteableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTemporaryQueue;
import org.metaq.protocol.BodyWriter;
import org.metaq.protocol.Delivery;
import org.metaq.protocol.MessageFormat;

class MessageCodecTest {
    private static final long STORED_ID = 77;

    private static Delivery delivery(ByteBuffer body, int flag, int count, boolean redelivered) {
        // Among other bytes, as a message stands in a reply.
        ByteBuffer reply = ByteBuffer.allocate(3 + MessageFormat.HEADER_LENGTH + body.remaining());
        reply.position(3);
        MessageFormat.putHeader(reply, body.remaining(), 0, STORED_ID, flag);
        reply.put(body.duplicate());
        reply.position(3);
        return new Delivery(1, 2, count, redelivered, reply);
    }

    @SuppressWarnings("unchecked")
    private static <T extends MetaQMessage> T sent(T message) throws JMSException {
        EncodedMessage encoded = MessageCodec.encode(message, "origin-1");
        return (T)
                MessageCodec.decode(
                        delivery(encoded.body(), encoded.flag(), 1, false), AllowList.DEFAULT);
    }

    @Test
    void shouldCarryHeadersAndPropertiesOver() throws JMSException {
        MetaQMessage message = new MetaQMessage();
        message.setJMSMessageID("ID:1");
        message.setJMSTimestamp(1001);
        message.setJMSExpiration(1002);
        message.setJMSDeliveryTime(1003);
        message.setJMSPriority(7);
        message.setJMSDeliveryMode(1);
        message.setJMSType("type");
        message.setJMSCorrelationID("correlation");
        message.setJMSDestination(new MetaQQueue("a queue/é"));
        message.setJMSReplyTo(new MetaQTemporaryQueue("reply", destination -> {}));
        message.setBooleanProperty("boolean", true);
        message.setByteProperty("byte", (byte) -1);
        message.setShortProperty("short", (short) -2);
        message.setIntProperty("int", -3);
        message.setLongProperty("long", -4);
        message.setFloatProperty("float", -5.5f);
        message.setDoubleProperty("double", Double.NaN);
        message.setStringProperty("string", "é€");
        message.setStringProperty("JMSXGroupID", "g");

        MetaQMessage read = sent(message);

        assertThat(read)
                .usingRecursiveComparison()
                .comparingOnlyFields(
                        "messageId",
                        "timestampMs",
                        "expirationMs",
                        "deliveryTimeMs",
                        "priority",
                        "deliveryMode",
                        "type",
                        "correlationId",
                        "correlationIdBytes")
                .isEqualTo(message);
        assertThat(read.getJMSDestination()).isEqualTo(new MetaQQueue("a queue/é"));
        assertThat(read.getJMSReplyTo()).isEqualTo(message.getJMSReplyTo());
        assertThat(read.origin()).isEqualTo("origin-1");
        List<String> names = new ArrayList<>(Collections.list(message.getPropertyNames()));
        for (String name : names) {
            assertThat(read.getObjectProperty(name)).isEqualTo(message.getObjectProperty(name));
        }
        names.add("JMSXDeliveryCount");
        assertThat(Collections.list(read.getPropertyNames())).containsExactlyElementsOf(names);
        assertThatThrownBy(() -> ((MetaQTemporaryQueue) read.getJMSReplyTo()).delete())
                .isInstanceOf(JMSException.class);
    }

    @Test
    void shouldCarryACorrelationIdOfBytesOver() throws JMSException {
        MetaQMessage message = new MetaQMessage();
        message.setJMSCorrelationIDAsBytes(new byte[] {0, (byte) 0xFF});
        assertThat(sent(message).getJMSCorrelationIDAsBytes()).containsExactly(0, 0xFF);
    }

    @Test
    void shouldTellTheBrokerOfAGroupByAFlag() throws JMSException {
        MetaQMessage message = new MetaQMessage();
        assertThat(MessageFormat.hasGroup(MessageCodec.encode(message, null).flag())).isFalse();
        message.setStringProperty("JMSXGroupID", "g");
        assertThat(MessageFormat.hasGroup(MessageCodec.encode(message, null).flag())).isTrue();
        message.setStringProperty("JMSXGroupID", null);
        assertThat(MessageFormat.hasGroup(MessageCodec.encode(message, null).flag())).isFalse();
    }

    @Test
    void shouldFlagAndCountTheDelivery() throws JMSException {
        EncodedMessage encoded = MessageCodec.encode(new MetaQTextMessage("x"), null);
        MetaQMessage first =
                MessageCodec.decode(
                        delivery(encoded.body(), encoded.flag(), 1, false), AllowList.DEFAULT);
        MetaQMessage third =
                MessageCodec.decode(
                        delivery(encoded.body(), encoded.flag(), 3, true), AllowList.DEFAULT);
        assertThat(first.getJMSRedelivered()).isFalse();
        assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(third.getJMSRedelivered()).isTrue();
        assertThat(third.getIntProperty("JMSXDeliveryCount")).isEqualTo(3);
    }

    @Test
    void shouldCarryBodiesOverReadOnly() throws JMSException {
        MetaQTextMessage text = sent(new MetaQTextMessage("é\uD83D\uDE00"));
        assertThat(text.isBodyAssignableTo(String.class)).isTrue();
        assertThat(text.getText()).isEqualTo("é\uD83D\uDE00");
        assertThat(text.getText()).isEqualTo("é\uD83D\uDE00");
        assertThatThrownBy(() -> text.setText("y"))
                .isInstanceOf(MessageNotWriteableException.class);
        assertThat(sent(new MetaQTextMessage("")).getText()).isEmpty();
        assertThat(sent(new MetaQTextMessage(null)).getText()).isNull();

        MetaQMapMessage map = new MetaQMapMessage();
        map.setChar("c", 'c');
        map.setBytes("b", new byte[] {1});
        map.setObject("null", null);
        MetaQMapMessage readMap = sent(map);
        assertThat(readMap.getChar("c")).isEqualTo('c');
        assertThat(readMap.getBytes("b")).containsExactly(1);
        assertThat(readMap.itemExists("null")).isTrue();

        MetaQStreamMessage stream = new MetaQStreamMessage();
        stream.writeLong(5);
        stream.writeObject(null);
        stream.writeString("s");
        MetaQStreamMessage readStream = sent(stream);
        assertThat(readStream.readLong()).isEqualTo(5);
        assertThat(readStream.readObject()).isNull();
        assertThat(readStream.readString()).isEqualTo("s");

        MetaQBytesMessage bytes = new MetaQBytesMessage();
        bytes.writeInt(5);
        MetaQBytesMessage readBytes = sent(bytes);
        assertThat(readBytes.getBodyLength()).isEqualTo(4);
        assertThat(readBytes.readInt()).isEqualTo(5);

        MetaQObjectMessage object = new MetaQObjectMessage();
        object.setObject(new ArrayList<>(List.of("a")));
        assertThat(sent(object).getObject()).isEqualTo(List.of("a"));
        assertThat(sent(new MetaQObjectMessage()).getObject()).isNull();
    }

    @Test
    void shouldSendAReceivedMessageOnWithoutItsDeliveryCount() throws JMSException {
        MetaQTextMessage once = sent(new MetaQTextMessage("x"));
        once.setDeliveryCount(5);
        MetaQTextMessage twice = sent(once);
        assertThat(twice.getText()).isEqualTo("x");
        assertThat(twice.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        MetaQBytesMessage bytes = new MetaQBytesMessage();
        bytes.writeInt(5);
        MetaQBytesMessage partlyRead = sent(bytes);
        partlyRead.readByte();
        assertThat(sent(partlyRead).readInt()).isEqualTo(5);
        assertThat(partlyRead.readByte()).isZero();
    }

    @Test
    void shouldFreezeTheBytesAtTheTimeOfEncoding() throws JMSException {
        MetaQMapMessage map = new MetaQMapMessage();
        map.setInt("a", 1);
        EncodedMessage encoded = MessageCodec.encode(map, null);
        map.setInt("a", 2);
        MetaQMapMessage read =
                (MetaQMapMessage)
                        MessageCodec.decode(
                                delivery(encoded.body(), encoded.flag(), 1, false),
                                AllowList.DEFAULT);
        assertThat(read.getInt("a")).isEqualTo(1);
    }

    @Test
    void shouldShowAClassicClientThePlainText() throws JMSException {
        EncodedMessage encoded = MessageCodec.encode(new MetaQTextMessage("plain"), null);
        assertThat(encoded.flag()).isEqualTo(0x10001);
        ByteBuffer body = encoded.body().duplicate();
        CRC32 crc = new CRC32();
        crc.update(body.duplicate());
        assertThat(encoded.checksum()).isEqualTo((int) crc.getValue() & 0x7FFFFFFF);
        body.position(body.getInt() + Integer.BYTES);
        assertThat(StandardCharsets.UTF_8.decode(body).toString()).isEqualTo("plain");
    }

    @Test
    void shouldReadAClassicMessageAsBytesWithItsAttributeAsProperty() throws JMSException {
        ByteBuffer body = new BodyWriter().string("attribute é").raw(new byte[] {1, 2}).toBuffer();
        MetaQBytesMessage message =
                (MetaQBytesMessage)
                        MessageCodec.decode(
                                delivery(body, MessageFormat.FLAG_ATTRIBUTE, 2, true),
                                AllowList.DEFAULT);
        assertThat(message.getStringProperty("metaq_attribute")).isEqualTo("attribute é");
        assertThat(message.getJMSMessageID()).isEqualTo("ID:metaq-77");
        assertThat(message.getBodyLength()).isEqualTo(2);
        assertThat(message.readByte()).isEqualTo((byte) 1);
        assertThat(message.getJMSRedelivered()).isTrue();
        assertThatThrownBy(() -> message.setStringProperty("a", "b"))
                .isInstanceOf(MessageNotWriteableException.class);

        MetaQMessage bare =
                MessageCodec.decode(
                        delivery(ByteBuffer.wrap(new byte[] {5}), 0, 1, false), AllowList.DEFAULT);
        assertThat(bare.propertyExists("metaq_attribute")).isFalse();
        assertThat(bare.getBody(byte[].class)).containsExactly(5);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 4, 20, 31, 40})
    void shouldRefuseATornEnvelope(int length) throws JMSException {
        MetaQTextMessage message = new MetaQTextMessage("x");
        message.setJMSType("a type");
        EncodedMessage encoded = MessageCodec.encode(message, null);
        ByteBuffer torn = encoded.body().slice(0, length);
        assertThatThrownBy(
                        () ->
                                MessageCodec.decode(
                                        delivery(torn, encoded.flag(), 1, false),
                                        AllowList.DEFAULT))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("message 2 of partition 1");
    }

    @Test
    void shouldRefuseATornAttributeOfAClassicMessage() {
        ByteBuffer torn = ByteBuffer.wrap(new byte[] {0, 0, 0, 9, 1});
        assertThatThrownBy(
                        () ->
                                MessageCodec.decode(
                                        delivery(torn, MessageFormat.FLAG_ATTRIBUTE, 1, false),
                                        AllowList.DEFAULT))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("attribute of 9 bytes");
    }

    @Test
    void shouldRefuseAReplyToThatIsNoQueueOrTopic() {
        MetaQMessage message = new MetaQMessage();
        message.setJMSReplyTo(new jakarta.jms.Destination() {});
        assertThatThrownBy(() -> MessageCodec.encode(message, null))
                .isInstanceOf(InvalidDestinationException.class);
    }
}
