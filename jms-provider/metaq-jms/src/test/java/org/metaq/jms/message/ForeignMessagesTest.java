package org.metaq.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;

/** Another provider's messages: seen through the interfaces alone, by way of a proxy. */
class ForeignMessagesTest {
    private static <T extends Message> T foreign(Class<T> type, MetaQMessage behind) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            try {
                                return method.invoke(behind, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }));
    }

    @Test
    void shouldGiveItsOwnMessagesBack() throws JMSException {
        MetaQMessage own = new MetaQMessage();
        assertThat(MessageCodec.convert(own)).isSameAs(own);
    }

    @Test
    void shouldCopyHeadersAndPropertiesThatAreTheApplications() throws JMSException {
        MetaQMessage behind = new MetaQMessage();
        behind.setJMSCorrelationID("c");
        behind.setJMSType("t");
        behind.setJMSReplyTo((Queue) () -> "reply");
        behind.setIntProperty("p", 5);
        behind.setStringProperty("JMSXGroupID", "g");
        behind.setStringProperty("JMS_Vendor_x", "v");
        behind.setDeliveryCount(4);
        behind.freeze();
        MetaQMessage copy = MessageCodec.convert(foreign(Message.class, behind));
        assertThat(copy.getClass()).isEqualTo(MetaQMessage.class);
        assertThat(copy.getJMSCorrelationID()).isEqualTo("c");
        assertThat(copy.getJMSType()).isEqualTo("t");
        assertThat(copy.getJMSReplyTo()).isEqualTo(new MetaQQueue("reply"));
        assertThat(Collections.list(copy.getPropertyNames())).containsExactly("p", "JMSXGroupID");
        assertThat(copy.getObjectProperty("p")).isEqualTo(5);
    }

    @Test
    void shouldTakeForeignDestinationsByNameAndRefuseOthers() throws JMSException {
        MetaQMessage behind = new MetaQMessage();
        behind.setJMSReplyTo((Topic) () -> "news");
        assertThat(MessageCodec.convert(foreign(Message.class, behind)).getJMSReplyTo())
                .isEqualTo(new MetaQTopic("news"));
        for (Destination bad : List.of(new Destination() {}, (Queue) () -> "")) {
            behind.setJMSReplyTo(bad);
            assertThatThrownBy(() -> MessageCodec.convert(foreign(Message.class, behind)))
                    .isInstanceOf(InvalidDestinationException.class);
        }
    }

    @Test
    void shouldCopyTextAndObject() throws JMSException {
        MetaQMessage text =
                MessageCodec.convert(foreign(TextMessage.class, new MetaQTextMessage("x")));
        assertThat(((MetaQTextMessage) text).getText()).isEqualTo("x");
        MetaQObjectMessage behind = new MetaQObjectMessage();
        behind.setObject("o");
        MetaQMessage object = MessageCodec.convert(foreign(ObjectMessage.class, behind));
        assertThat(((MetaQObjectMessage) object).getObject()).isEqualTo("o");
    }

    @Test
    void shouldCopyBytesWhateverTheirLengthAndPosition() throws JMSException {
        for (int length : new int[] {0, 1, 8191, 8192, 8193, 20_000}) {
            MetaQBytesMessage behind = new MetaQBytesMessage();
            behind.writeBytes(new byte[length]);
            if (length > 0) {
                behind.reset();
                behind.readByte();
            }
            MetaQBytesMessage copy =
                    (MetaQBytesMessage) MessageCodec.convert(foreign(BytesMessage.class, behind));
            copy.reset();
            assertThat(copy.getBodyLength()).isEqualTo(length);
        }
    }

    @Test
    void shouldCopyMapAndStream() throws JMSException {
        MetaQMapMessage behindMap = new MetaQMapMessage();
        behindMap.setInt("a", 1);
        behindMap.setChar("b", 'c');
        MetaQMessage map = MessageCodec.convert(foreign(MapMessage.class, behindMap));
        assertThat((Object) map.getBody(Map.class)).isEqualTo(Map.of("a", 1, "b", 'c'));

        MetaQStreamMessage behindStream = new MetaQStreamMessage();
        behindStream.writeInt(1);
        behindStream.writeBytes(new byte[] {2});
        MetaQStreamMessage stream =
                (MetaQStreamMessage)
                        MessageCodec.convert(foreign(StreamMessage.class, behindStream));
        stream.reset();
        assertThat(stream.readInt()).isEqualTo(1);
        assertThat(stream.readObject()).isEqualTo(new byte[] {2});
        assertThat(behindStream.readInt()).isEqualTo(1);
    }

    @Test
    void shouldSetOnTheForeignMessageWhatSendingSets() throws JMSException {
        MetaQMessage behind = new MetaQMessage();
        Message foreign = foreign(Message.class, behind);
        MetaQMessage sent = MessageCodec.convert(foreign);
        sent.setJMSMessageID("ID:1");
        sent.setJMSDestination(new MetaQQueue("q"));
        sent.setJMSPriority(9);
        sent.setJMSDeliveryMode(1);
        sent.setJMSTimestamp(1);
        sent.setJMSExpiration(2);
        sent.setJMSDeliveryTime(3);
        MessageCodec.copySendHeaders(sent, foreign);
        assertThat(behind).usingRecursiveComparison().ignoringFields("properties").isEqualTo(sent);
    }
}
