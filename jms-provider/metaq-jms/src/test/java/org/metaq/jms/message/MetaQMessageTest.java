package org.metaq.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class MetaQMessageTest {
    private final MetaQMessage message = new MetaQMessage();

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(
            strings = {
                "1st", "a b", "a-b", "a.b", "NULL", "true", "False", "not", "AND", "or", "Between",
                "like", "IN", "is", "escape"
            })
    void shouldRefuseNamesThatASelectorCouldNotName(String name) {
        assertThatThrownBy(() -> message.setIntProperty(name, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> message.setObjectProperty(name, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(message.propertyExists(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "_x", "$y", "größe", "notable", "JMSXGroupID", "JMS_vendor"})
    void shouldTakeIdentifiersAsNames(String name) throws JMSException {
        message.setStringProperty(name, "v");
        assertThat(message.getStringProperty(name)).isEqualTo("v");
    }

    @Test
    void shouldTypeTheGroupPropertiesAndKeepTheOtherStandardOnesToTheProvider()
            throws JMSException {
        message.setIntProperty("JMSXGroupSeq", 3);
        assertThatThrownBy(() -> message.setStringProperty("JMSXGroupSeq", "3"))
                .isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> message.setLongProperty("JMSXGroupID", 3))
                .isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> message.setIntProperty("JMSXDeliveryCount", 3))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("JMSXDeliveryCount");
        message.setDeliveryCount(2);
        assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        assertThat(Collections.list(message.getPropertyNames()))
                .containsExactly("JMSXGroupSeq", "JMSXDeliveryCount");
    }

    @Test
    void shouldRefuseOtherObjectsAsProperties() {
        for (Object value : List.of('c', new byte[1], List.of(), new Object())) {
            assertThatThrownBy(() -> message.setObjectProperty("p", value))
                    .isInstanceOf(MessageFormatException.class);
        }
        assertThat(message.propertyExists("p")).isFalse();
    }

    @Test
    void shouldReadAbsentAndNullAlike() throws JMSException {
        message.setObjectProperty("nothing", null);
        assertThat(message.propertyExists("nothing")).isTrue();
        assertThat(message.propertyExists("absent")).isFalse();
        for (String name : List.of("nothing", "absent")) {
            assertThat(message.getBooleanProperty(name)).isFalse();
            assertThat(message.getStringProperty(name)).isNull();
            assertThat(message.getObjectProperty(name)).isNull();
            assertThatThrownBy(() -> message.getByteProperty(name))
                    .isInstanceOf(NumberFormatException.class);
            assertThatThrownBy(() -> message.getShortProperty(name))
                    .isInstanceOf(NumberFormatException.class);
            assertThatThrownBy(() -> message.getIntProperty(name))
                    .isInstanceOf(NumberFormatException.class);
            assertThatThrownBy(() -> message.getLongProperty(name))
                    .isInstanceOf(NumberFormatException.class);
            assertThatThrownBy(() -> message.getFloatProperty(name))
                    .isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> message.getDoubleProperty(name))
                    .isInstanceOf(NullPointerException.class);
        }
    }

    @Test
    void shouldRefuseTextThatIsNoNumber() throws JMSException {
        message.setStringProperty("p", "300");
        assertThatThrownBy(() -> message.getByteProperty("p"))
                .isInstanceOf(NumberFormatException.class);
        assertThat(message.getShortProperty("p")).isEqualTo((short) 300);
        message.setStringProperty("p", "x");
        assertThatThrownBy(() -> message.getDoubleProperty("p"))
                .isInstanceOf(NumberFormatException.class);
        assertThat(message.getBooleanProperty("p")).isFalse();
    }

    @Test
    void shouldKeepPropertiesReadOnlyAfterReceiptUntilCleared() throws JMSException {
        message.setStringProperty("p", "v");
        message.freeze();
        assertThatThrownBy(() -> message.setStringProperty("q", "v"))
                .isInstanceOf(MessageNotWriteableException.class);
        message.setJMSType("headers can be set");
        message.clearProperties();
        assertThat(message.getPropertyNames().hasMoreElements()).isFalse();
        message.setStringProperty("q", "v");
        assertThat(message.getJMSType()).isEqualTo("headers can be set");
    }

    @Test
    void shouldNotFailWhenAPropertyIsSetWhileNamesAreListed() throws JMSException {
        message.setStringProperty("p", "v");
        var names = message.getPropertyNames();
        message.setStringProperty("q", "v");
        assertThat(Collections.list(names)).containsExactly("p");
    }

    @Test
    void shouldGiveTheCorrelationIdInBothForms() {
        byte[] id = {1, 2, (byte) 0xFF};
        message.setJMSCorrelationIDAsBytes(id);
        id[0] = 9;
        assertThat(message.getJMSCorrelationIDAsBytes()).containsExactly(1, 2, 0xFF);
        message.getJMSCorrelationIDAsBytes()[0] = 9;
        assertThat(message.getJMSCorrelationIDAsBytes()).containsExactly(1, 2, 0xFF);
        message.setJMSCorrelationID("é");
        assertThat(message.getJMSCorrelationIDAsBytes()).containsExactly(0xC3, 0xA9);
        message.setJMSCorrelationIDAsBytes(new byte[] {'a'});
        assertThat(message.getJMSCorrelationID()).isEqualTo("a");
        message.setJMSCorrelationID(null);
        assertThat(message.getJMSCorrelationIDAsBytes()).isNull();
    }

    @Test
    void shouldStartWithTheDefaultsAndRefuseWhatNoEnvelopeHolds() throws JMSException {
        assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(message.getJMSPriority()).isEqualTo(4);
        assertThat(message.getJMSMessageID()).isNull();
        assertThat(message.getJMSExpiration()).isZero();
        assertThatThrownBy(() -> message.setJMSPriority(10)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> message.setJMSPriority(-1)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> message.setJMSDeliveryMode(3)).isInstanceOf(JMSException.class);
        assertThat(message.getJMSPriority()).isEqualTo(4);
    }

    @Test
    void shouldCallItsAcknowledgerAndDoNothingWithout() throws JMSException {
        assertThatCode(message::acknowledge).doesNotThrowAnyException();
        AtomicInteger calls = new AtomicInteger();
        message.setAcknowledger(calls::incrementAndGet);
        message.acknowledge();
        assertThat(calls).hasValue(1);
    }

    @Test
    void shouldGiveNoBodyAsAnyType() throws JMSException {
        assertThat(message.isBodyAssignableTo(Integer.class)).isTrue();
        assertThat(message.getBody(Integer.class)).isNull();
    }
}
