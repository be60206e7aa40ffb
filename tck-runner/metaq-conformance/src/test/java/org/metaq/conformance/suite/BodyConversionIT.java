package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.MessageFormatException;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.conformance.Spec;

/** §3.11.3: the table of conversions, for maps and streams. */
class BodyConversionIT extends ConformanceTest {
    private static jakarta.jms.Connection connection;
    private static Session session;

    /** One connection for the whole table: it only makes messages. */
    @BeforeAll
    static void connectOnce() throws JMSException {
        connection = provider().connectionFactory().createConnection();
        session = connection.createSession();
    }

    @AfterAll
    static void closeConnection() throws JMSException {
        connection.close();
    }

    private static Object read(MapMessage map, String type) throws JMSException {
        return switch (type) {
            case Types.BOOLEAN -> map.getBoolean("v");
            case Types.BYTE -> map.getByte("v");
            case Types.SHORT -> map.getShort("v");
            case Types.CHAR -> map.getChar("v");
            case Types.INT -> map.getInt("v");
            case Types.LONG -> map.getLong("v");
            case Types.FLOAT -> map.getFloat("v");
            case Types.DOUBLE -> map.getDouble("v");
            case Types.BYTES -> map.getBytes("v");
            default -> map.getString("v");
        };
    }

    private static Object read(StreamMessage stream, String type) throws JMSException {
        return switch (type) {
            case Types.BOOLEAN -> stream.readBoolean();
            case Types.BYTE -> stream.readByte();
            case Types.SHORT -> stream.readShort();
            case Types.CHAR -> stream.readChar();
            case Types.INT -> stream.readInt();
            case Types.LONG -> stream.readLong();
            case Types.FLOAT -> stream.readFloat();
            case Types.DOUBLE -> stream.readDouble();
            case Types.BYTES -> bytes(stream);
            default -> stream.readString();
        };
    }

    private static byte[] bytes(StreamMessage stream) throws JMSException {
        byte[] two = new byte[2];
        assertThat(stream.readBytes(two)).isEqualTo(2);
        return two;
    }

    private static StreamMessage streamOf(Object value) throws JMSException {
        StreamMessage stream = session.createStreamMessage();
        stream.writeObject(value);
        stream.reset();
        return stream;
    }

    @ParameterizedTest(name = "{0} as {1}")
    @MethodSource("org.metaq.conformance.suite.Types#bodyPairs")
    @Spec({"3.11.3", "10.3"})
    void shouldConvertInMapsAsTheTableSays(String from, String to) throws JMSException {
        MapMessage map = session.createMapMessage();
        map.setObject("v", Types.value(from));

        Types.check(from, to, type -> read(map, type));
    }

    @ParameterizedTest(name = "{0} as {1}")
    @MethodSource("org.metaq.conformance.suite.Types#bodyPairs")
    @Spec({"3.11.3", "10.3"})
    void shouldConvertInStreamsAsTheTableSays(String from, String to) throws JMSException {
        StreamMessage stream = streamOf(Types.value(from));

        Types.check(from, to, type -> read(stream, type));
    }

    @ParameterizedTest(name = "{0} as {1}")
    @MethodSource("org.metaq.conformance.suite.Types#bodyPairs")
    @Spec("3.11.3")
    void shouldReadAgainAsTheRightTypeAfterAFailure(String from, String to) throws JMSException {
        StreamMessage stream = streamOf(Types.value(from));
        try {
            read(stream, to);
        } catch (MessageFormatException e) {
            assertThat(read(stream, from)).isEqualTo(Types.value(from));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {Types.BYTE, Types.SHORT, Types.INT, Types.LONG, Types.FLOAT, Types.DOUBLE})
    @Spec({"3.11.3", "10.3"})
    void shouldRefuseTextThatIsNoNumberAndReadItAgain(String type) throws JMSException {
        MapMessage map = session.createMapMessage();
        map.setString("v", "twelve");
        assertThatThrownBy(() -> read(map, type)).isInstanceOf(NumberFormatException.class);

        StreamMessage stream = streamOf("twelve");
        assertThatThrownBy(() -> read(stream, type)).isInstanceOf(NumberFormatException.class);
        assertThat(stream.readString()).isEqualTo("twelve");
    }

    @Test
    @Spec("3.11.3")
    void shouldConvertTextToBooleanAsJavaDoes() throws JMSException {
        assertThat(streamOf("TRUE").readBoolean()).isTrue();
        assertThat(streamOf("yes").readBoolean()).isFalse();
        MapMessage map = session.createMapMessage();
        map.setString("v", "tRue");
        assertThat(map.getBoolean("v")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {Types.BYTE, Types.SHORT, Types.INT, Types.LONG})
    @Spec("3.11.3")
    void shouldReadNullAsNoWholeNumber(String type) throws JMSException {
        MapMessage map = session.createMapMessage();
        assertThatThrownBy(() -> read(map, type)).isInstanceOf(NumberFormatException.class);
        StreamMessage stream = streamOf(null);
        assertThatThrownBy(() -> read(stream, type)).isInstanceOf(NumberFormatException.class);
        assertThat(stream.readString()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {Types.FLOAT, Types.DOUBLE, Types.CHAR})
    @Spec("3.11.3")
    void shouldReadNullAsJavaDoesElsewhere(String type) throws JMSException {
        MapMessage map = session.createMapMessage();
        assertThatThrownBy(() -> read(map, type)).isInstanceOf(NullPointerException.class);
        StreamMessage stream = streamOf(null);
        assertThatThrownBy(() -> read(stream, type)).isInstanceOf(NullPointerException.class);
    }

    @Test
    @Spec("3.11.3")
    void shouldReadWhatIsNotSetInAMapAsNull() throws JMSException {
        MapMessage map = session.createMapMessage();

        assertThat(map.getObject("v")).isNull();
        assertThat(map.getString("v")).isNull();
        assertThat(map.getBytes("v")).isNull();
        assertThat(map.getBoolean("v")).isFalse();
        assertThat(streamOf(null).readBoolean()).isFalse();
        assertThat(streamOf(null).readObject()).isNull();
    }

    @Test
    @Spec("3.11.3")
    void shouldWriteObjectsAsTheirPrimitives() throws JMSException {
        MapMessage map = session.createMapMessage();
        map.setObject("v", 6);
        assertThat(map.getInt("v")).isEqualTo(6);
        map.setInt("v", 7);
        assertThat(map.getObject("v")).isEqualTo(7);
    }

    @Test
    @Spec("3.11.3")
    void shouldReadABytesFieldInPieces() throws JMSException {
        StreamMessage stream = streamOf(new byte[] {1, 2, 3, 4, 5});
        byte[] two = new byte[2];

        assertThat(stream.readBytes(two)).isEqualTo(2);
        assertThat(two).containsExactly(1, 2);
        assertThatThrownBy(stream::readInt).isInstanceOf(MessageFormatException.class);
        assertThat(stream.readBytes(two)).isEqualTo(2);
        assertThat(stream.readBytes(two)).isEqualTo(1);
        assertThat(two[0]).isEqualTo((byte) 5);
    }
}
