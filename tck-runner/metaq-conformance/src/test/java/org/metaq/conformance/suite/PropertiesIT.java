package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.math.BigDecimal;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.conformance.Spec;

/** §3.5: properties. */
class PropertiesIT extends ConformanceTest {
    private Session session;
    private Message message;

    @BeforeEach
    void makeAMessage() throws JMSException {
        session = session();
        message = session.createTextMessage("body");
    }

    static Stream<Object> extremes() {
        return Stream.of(
                true,
                false,
                Byte.MIN_VALUE,
                Byte.MAX_VALUE,
                Short.MIN_VALUE,
                Short.MAX_VALUE,
                Integer.MIN_VALUE,
                Integer.MAX_VALUE,
                Long.MIN_VALUE,
                Long.MAX_VALUE,
                Float.MIN_VALUE,
                Float.MAX_VALUE,
                Float.NaN,
                Float.NEGATIVE_INFINITY,
                Double.MIN_VALUE,
                Double.MAX_VALUE,
                Double.NaN,
                Double.POSITIVE_INFINITY,
                -0.0d,
                "",
                "text\u0000\u20ac\ud83d\ude00",
                "x".repeat(70_000));
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("extremes")
    @Spec({"3.5", "3.5.2", "3.5.5"})
    void shouldCarryValuesWithTheirType(Object value) throws JMSException {
        message.setObjectProperty("p", value);

        assertThat(sent(session, message).getObjectProperty("p")).isEqualTo(value);
    }

    @Test
    @Spec("3.5.2")
    void shouldCarryWhatTheTypedSettersSet() throws JMSException {
        message.setBooleanProperty("z", true);
        message.setByteProperty("b", (byte) 1);
        message.setShortProperty("s", (short) 2);
        message.setIntProperty("i", 3);
        message.setLongProperty("l", 4);
        message.setFloatProperty("f", 5.5f);
        message.setDoubleProperty("d", 6.5);
        message.setStringProperty("t", "seven");

        Message received = sent(session, message);

        assertThat(received.getBooleanProperty("z")).isTrue();
        assertThat(received.getByteProperty("b")).isEqualTo((byte) 1);
        assertThat(received.getShortProperty("s")).isEqualTo((short) 2);
        assertThat(received.getIntProperty("i")).isEqualTo(3);
        assertThat(received.getLongProperty("l")).isEqualTo(4);
        assertThat(received.getFloatProperty("f")).isEqualTo(5.5f);
        assertThat(received.getDoubleProperty("d")).isEqualTo(6.5);
        assertThat(received.getStringProperty("t")).isEqualTo("seven");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "_", "$x", "na\u00efve", "JMSXGroupID", "x1", "\u6570\u636e"})
    @Spec("3.5.1")
    void shouldTakeIdentifiersAsNames(String name) throws JMSException {
        message.setStringProperty(name, "v");

        assertThat(sent(session, message).getStringProperty(name)).isEqualTo("v");
    }

    @Test
    @Spec("3.5.1")
    void shouldDistinguishCaseInNames() throws JMSException {
        message.setIntProperty("key", 1);
        message.setIntProperty("Key", 2);

        Message received = sent(session, message);

        assertThat(received.getIntProperty("key")).isEqualTo(1);
        assertThat(received.getIntProperty("Key")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1a", "a b", "a-b", "a.b", "NULL", "TRUE", "and", "Between"})
    @Spec("3.5.1")
    void shouldNotTakeOtherNames(String name) {
        assertThatThrownBy(() -> message.setStringProperty(name, "v"))
                .isInstanceOfAny(
                        JMSException.class,
                        JMSRuntimeException.class,
                        IllegalArgumentException.class);
    }

    @Test
    @Spec("3.5.1")
    void shouldNotTakeNullAsName() {
        assertThatThrownBy(() -> message.setStringProperty(null, "v"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    static List<ThrowingCallable> settersOf(Message received) {
        return List.of(
                () -> received.setBooleanProperty("p", true),
                () -> received.setByteProperty("p", (byte) 1),
                () -> received.setShortProperty("p", (short) 1),
                () -> received.setIntProperty("p", 1),
                () -> received.setLongProperty("p", 1),
                () -> received.setFloatProperty("p", 1),
                () -> received.setDoubleProperty("p", 1),
                () -> received.setStringProperty("p", ""),
                () -> received.setObjectProperty("p", 1));
    }

    @Test
    @Spec({"3.5.3", "10.3"})
    void shouldNotLetReceiversSetProperties() throws JMSException {
        message.setIntProperty("p", 7);
        Message received = sent(session, message);

        assertThat(settersOf(received))
                .allSatisfy(
                        setter ->
                                assertThatThrownBy(setter)
                                        .isInstanceOf(MessageNotWriteableException.class));
        assertThat(received.getIntProperty("p")).isEqualTo(7);
    }

    static Object read(Message message, String type) throws JMSException {
        return switch (type) {
            case Types.BOOLEAN -> message.getBooleanProperty("p");
            case Types.BYTE -> message.getByteProperty("p");
            case Types.SHORT -> message.getShortProperty("p");
            case Types.INT -> message.getIntProperty("p");
            case Types.LONG -> message.getLongProperty("p");
            case Types.FLOAT -> message.getFloatProperty("p");
            case Types.DOUBLE -> message.getDoubleProperty("p");
            default -> message.getStringProperty("p");
        };
    }

    @ParameterizedTest(name = "{0} as {1}")
    @MethodSource("org.metaq.conformance.suite.Types#propertyPairs")
    @Spec({"3.5.4", "3.5.5", "10.3"})
    void shouldConvertAsTheTableSays(String from, String to) throws JMSException {
        message.setObjectProperty("p", Types.value(from));
        Types.check(from, to, type -> read(message, type));
    }

    @Test
    @Spec("3.5.4")
    void shouldConvertTextToBooleanAsJavaDoes() throws JMSException {
        message.setStringProperty("p", "TRUE");
        assertThat(message.getBooleanProperty("p")).isTrue();
        message.setStringProperty("p", "yes");
        assertThat(message.getBooleanProperty("p")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {Types.BYTE, Types.SHORT, Types.INT, Types.LONG, Types.FLOAT, Types.DOUBLE})
    @Spec({"3.5.4", "10.3"})
    void shouldRefuseTextThatIsNoNumber(String type) throws JMSException {
        message.setStringProperty("p", "twelve");

        assertThatThrownBy(() -> read(message, type)).isInstanceOf(NumberFormatException.class);
    }

    @Test
    @Spec({"3.5.4", "3.5.8"})
    void shouldReadWhatIsNotSetAsNull() throws JMSException {
        assertThat(message.getObjectProperty("p")).isNull();
        assertThat(message.getStringProperty("p")).isNull();
        assertThat(message.getBooleanProperty("p")).isFalse();
        for (String type : new String[] {Types.BYTE, Types.SHORT, Types.INT, Types.LONG}) {
            assertThatThrownBy(() -> read(message, type)).isInstanceOf(NumberFormatException.class);
        }
        for (String type : new String[] {Types.FLOAT, Types.DOUBLE}) {
            assertThatThrownBy(() -> read(message, type)).isInstanceOf(NullPointerException.class);
        }
        assertThat(message.propertyExists("p")).isFalse();
    }

    @Test
    @Spec({"3.5.4", "3.12"})
    void shouldCarryNullAsValue() throws JMSException {
        message.setStringProperty("p", null);

        Message received = sent(session, message);

        assertThat(received.getStringProperty("p")).isNull();
        assertThat(received.getObjectProperty("p")).isNull();
    }

    @Test
    @Spec({"3.5.5", "10.3"})
    void shouldTakeNoOtherClassesAsValues() {
        for (Object value :
                new Object[] {
                    'c', new byte[1], new Date(), BigDecimal.ONE, List.of(), new StringBuilder()
                }) {
            assertThatThrownBy(() -> message.setObjectProperty("p", value))
                    .isInstanceOf(MessageFormatException.class);
        }
    }

    @Test
    @Spec("3.5.6")
    void shouldIterateOverNames() throws JMSException {
        message.setIntProperty("one", 1);
        message.setStringProperty("two", "2");
        message.setJMSCorrelationID("id");

        assertThat(namesIn(message.getPropertyNames()))
                .contains("one", "two")
                .allMatch(name -> !name.startsWith("JMS") || name.startsWith("JMSX"));
        List<String> received = namesIn(sent(session, message).getPropertyNames());
        assertThat(received)
                .contains("one", "two")
                .allMatch(name -> !name.startsWith("JMS") || name.startsWith("JMSX"));
    }

    @Test
    @Spec("3.5.7")
    void shouldClearPropertiesOnly() throws JMSException {
        message.setIntProperty("p", 1);
        message.setJMSType("type");

        message.clearProperties();

        assertThat(namesIn(message.getPropertyNames())).isEmpty();
        assertThat(text(message)).isEqualTo("body");
        assertThat(message.getJMSType()).isEqualTo("type");
    }

    @Test
    @Spec({"3.5.7", "3.10"})
    void shouldLetReceiversSetPropertiesAfterClearing() throws JMSException {
        message.setIntProperty("p", 1);
        TextMessage received = (TextMessage) sent(session, message);

        received.clearProperties();
        received.setIntProperty("q", 2);

        assertThat(received.propertyExists("p")).isFalse();
        assertThat(received.getIntProperty("q")).isEqualTo(2);
        assertThat(received.getText()).isEqualTo("body");
        assertThatThrownBy(() -> received.setText("new"))
                .isInstanceOf(MessageNotWriteableException.class);
    }

    @Test
    @Spec("3.5.9")
    void shouldCarryGroups() throws JMSException {
        message.setStringProperty("JMSXGroupID", "group");
        message.setIntProperty("JMSXGroupSeq", 1);

        Message received = sent(session, message);

        assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("group");
        assertThat(received.getIntProperty("JMSXGroupSeq")).isEqualTo(1);
    }

    @Test
    @Spec({"3.5.9", "6.1.6"})
    void shouldListTheDefinedProperties() throws JMSException {
        assertThat(namesIn(stopped().getMetaData().getJMSXPropertyNames()))
                .contains("JMSXGroupID", "JMSXGroupSeq", "JMSXDeliveryCount")
                .allMatch(name -> name.startsWith("JMSX"));
    }

    @Test
    @Spec({"3.5.9", "3.5.11"})
    void shouldSetTheDeliveryCountAtReceiversOnly() throws JMSException {
        Message received = sent(session, message);

        assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(received.propertyExists("JMSXDeliveryCount")).isTrue();
        assertThat(namesIn(received.getPropertyNames())).contains("JMSXDeliveryCount");
        assertThat(message.propertyExists("JMSXDeliveryCount")).isFalse();
    }
}
