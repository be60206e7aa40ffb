package org.metaq.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.StreamMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every cell of the tables of Jakarta Messaging 3.1 §3.5.4 and §3.11.3. */
class ConversionTableTest {
    private static final List<String> PROPERTY_TYPES =
            List.of("boolean", "byte", "short", "int", "long", "float", "double", "String");

    /** Rows: what was written; values: what it may be read as. */
    private static final Map<String, List<String>> TABLE =
            Map.of(
                    "boolean", List.of("boolean", "String"),
                    "byte", List.of("byte", "short", "int", "long", "String"),
                    "short", List.of("short", "int", "long", "String"),
                    "char", List.of("char", "String"),
                    "int", List.of("int", "long", "String"),
                    "long", List.of("long", "String"),
                    "float", List.of("float", "double", "String"),
                    "double", List.of("double", "String"),
                    "String",
                            List.of(
                                    "boolean", "byte", "short", "int", "long", "float", "double",
                                    "String"),
                    "bytes", List.of("bytes"));

    private static final Map<String, Object> SAMPLES =
            Map.of(
                    "boolean",
                    true,
                    "byte",
                    (byte) 7,
                    "short",
                    (short) 7,
                    "char",
                    '7',
                    "int",
                    7,
                    "long",
                    7L,
                    "float",
                    7.0f,
                    "double",
                    7.0,
                    "String",
                    "7",
                    "bytes",
                    new byte[] {7});

    private static Stream<Arguments> pairs(List<String> types) {
        List<Arguments> pairs = new ArrayList<>();
        for (String from : types) {
            for (String to : types) {
                pairs.add(Arguments.of(from, to));
            }
        }
        return pairs.stream();
    }

    static Stream<Arguments> propertyPairs() {
        return pairs(PROPERTY_TYPES);
    }

    static Stream<Arguments> bodyPairs() {
        List<String> types = new ArrayList<>(PROPERTY_TYPES);
        types.addAll(List.of("char", "bytes"));
        return pairs(types);
    }

    private interface Read {
        Object get() throws JMSException;
    }

    private static void check(String from, String to, Read read) throws JMSException {
        if (!TABLE.get(from).contains(to)) {
            assertThatThrownBy(read::get).isInstanceOf(MessageFormatException.class);
            return;
        }
        Object expected = to.equals("String") ? SAMPLES.get(from).toString() : SAMPLES.get(to);
        if (from.equals("String") && to.equals("boolean")) {
            expected = false; // "7" is not "true"
        }
        assertThat(read.get()).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("propertyPairs")
    void shouldReadAPropertyExactlyAsTheTableAllows(String from, String to) throws JMSException {
        MetaQMessage message = new MetaQMessage();
        setProperty(message, from);
        check(from, to, () -> readProperty(message, to));
        assertThat(message.getObjectProperty("p")).isEqualTo(SAMPLES.get(from));
    }

    @ParameterizedTest
    @MethodSource("bodyPairs")
    void shouldReadAMapValueExactlyAsTheTableAllows(String from, String to) throws JMSException {
        MetaQMapMessage message = new MetaQMapMessage();
        setMap(message, from);
        check(from, to, () -> readMap(message, to));
        assertThat(message.getObject("p")).isEqualTo(SAMPLES.get(from));
    }

    @ParameterizedTest
    @MethodSource("bodyPairs")
    void shouldReadAStreamValueExactlyAsTheTableAllowsAndConsumeItOnlyThen(String from, String to)
            throws JMSException {
        MetaQStreamMessage message = new MetaQStreamMessage();
        writeStream(message, from);
        message.writeString("next");
        message.reset();
        check(from, to, () -> readStream(message, to));
        if (!TABLE.get(from).contains(to)) {
            assertThat(message.readObject()).isEqualTo(SAMPLES.get(from));
        }
        assertThat(message.readString()).isEqualTo("next");
    }

    @ParameterizedTest
    @MethodSource("bodyPairs")
    void shouldStoreObjectsAsTheTypedSettersDo(String from, String to) throws JMSException {
        MetaQMapMessage map = new MetaQMapMessage();
        map.setObject("p", SAMPLES.get(from));
        check(from, to, () -> readMap(map, to));
        MetaQStreamMessage stream = new MetaQStreamMessage();
        stream.writeObject(SAMPLES.get(from));
        stream.reset();
        check(from, to, () -> readStream(stream, to));
    }

    private static void setProperty(Message message, String type) throws JMSException {
        Object value = SAMPLES.get(type);
        switch (type) {
            case "boolean" -> message.setBooleanProperty("p", (boolean) value);
            case "byte" -> message.setByteProperty("p", (byte) value);
            case "short" -> message.setShortProperty("p", (short) value);
            case "int" -> message.setIntProperty("p", (int) value);
            case "long" -> message.setLongProperty("p", (long) value);
            case "float" -> message.setFloatProperty("p", (float) value);
            case "double" -> message.setDoubleProperty("p", (double) value);
            case "String" -> message.setStringProperty("p", (String) value);
            default -> throw new AssertionError(type);
        }
    }

    private static Object readProperty(Message message, String type) throws JMSException {
        return switch (type) {
            case "boolean" -> message.getBooleanProperty("p");
            case "byte" -> message.getByteProperty("p");
            case "short" -> message.getShortProperty("p");
            case "int" -> message.getIntProperty("p");
            case "long" -> message.getLongProperty("p");
            case "float" -> message.getFloatProperty("p");
            case "double" -> message.getDoubleProperty("p");
            case "String" -> message.getStringProperty("p");
            default -> throw new AssertionError(type);
        };
    }

    private static void setMap(MapMessage message, String type) throws JMSException {
        Object value = SAMPLES.get(type);
        switch (type) {
            case "boolean" -> message.setBoolean("p", (boolean) value);
            case "byte" -> message.setByte("p", (byte) value);
            case "short" -> message.setShort("p", (short) value);
            case "char" -> message.setChar("p", (char) value);
            case "int" -> message.setInt("p", (int) value);
            case "long" -> message.setLong("p", (long) value);
            case "float" -> message.setFloat("p", (float) value);
            case "double" -> message.setDouble("p", (double) value);
            case "String" -> message.setString("p", (String) value);
            case "bytes" -> message.setBytes("p", (byte[]) value);
            default -> throw new AssertionError(type);
        }
    }

    private static Object readMap(MapMessage message, String type) throws JMSException {
        return switch (type) {
            case "boolean" -> message.getBoolean("p");
            case "byte" -> message.getByte("p");
            case "short" -> message.getShort("p");
            case "char" -> message.getChar("p");
            case "int" -> message.getInt("p");
            case "long" -> message.getLong("p");
            case "float" -> message.getFloat("p");
            case "double" -> message.getDouble("p");
            case "String" -> message.getString("p");
            case "bytes" -> message.getBytes("p");
            default -> throw new AssertionError(type);
        };
    }

    private static void writeStream(StreamMessage message, String type) throws JMSException {
        Object value = SAMPLES.get(type);
        switch (type) {
            case "boolean" -> message.writeBoolean((boolean) value);
            case "byte" -> message.writeByte((byte) value);
            case "short" -> message.writeShort((short) value);
            case "char" -> message.writeChar((char) value);
            case "int" -> message.writeInt((int) value);
            case "long" -> message.writeLong((long) value);
            case "float" -> message.writeFloat((float) value);
            case "double" -> message.writeDouble((double) value);
            case "String" -> message.writeString((String) value);
            case "bytes" -> message.writeBytes((byte[]) value);
            default -> throw new AssertionError(type);
        }
    }

    private static Object readStream(StreamMessage message, String type) throws JMSException {
        return switch (type) {
            case "boolean" -> message.readBoolean();
            case "byte" -> message.readByte();
            case "short" -> message.readShort();
            case "char" -> message.readChar();
            case "int" -> message.readInt();
            case "long" -> message.readLong();
            case "float" -> message.readFloat();
            case "double" -> message.readDouble();
            case "String" -> message.readString();
            case "bytes" -> readAllBytes(message);
            default -> throw new AssertionError(type);
        };
    }

    private static byte[] readAllBytes(StreamMessage message) throws JMSException {
        byte[] buffer = new byte[1];
        assertThat(message.readBytes(buffer)).isEqualTo(1);
        assertThat(message.readBytes(new byte[1])).isEqualTo(-1);
        return buffer;
    }
}
