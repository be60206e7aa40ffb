package org.metaq.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.io.Externalizable;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.Serializable;
import java.math.BigInteger;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.metaq.protocol.Envelope.BodyType;

/**
 * Nothing is deserialized unless its class is listed, whatever its kind and wherever it stands; and
 * Map and Stream messages have no place where an object could stand.
 */
class ObjectSafetyTest {
    private static final String HERE = ObjectSafetyTest.class.getName();

    /** What a class not listed would do if it were read. */
    static volatile boolean ran;

    record Money(long cents) implements Serializable {
        Money {
            ran = ran || cents == 13;
        }
    }

    enum Colour {
        RED,
        GREEN {
            @Override
            boolean isSafe() {
                return true;
            }
        };

        boolean isSafe() {
            return false;
        }
    }

    /** A class that may be listed, and holds what may not. */
    static class Parcel implements Serializable {
        private static final long serialVersionUID = 1;
        final Object content;

        Parcel(Object content) {
            this.content = content;
        }
    }

    static final class SpecialParcel extends Parcel {
        private static final long serialVersionUID = 1;

        SpecialParcel() {
            super("content");
        }
    }

    static final class Trap implements Serializable, Comparable<Trap>, Comparator<Object> {
        private static final long serialVersionUID = 1;

        private void readObject(ObjectInputStream in) {
            ran = true;
        }

        private Object readResolve() {
            ran = true;
            return this;
        }

        @Override
        public int compareTo(Trap other) {
            ran = true;
            return 0;
        }

        @Override
        public int compare(Object one, Object other) {
            return 0;
        }
    }

    /** Is read by its own code, after its constructor. */
    public static final class OwnForm implements Externalizable {
        private static final long serialVersionUID = 1;

        @Override
        public void writeExternal(ObjectOutput out) {
            // It has no state.
        }

        @Override
        public void readExternal(ObjectInput in) {
            ran = true;
        }
    }

    interface SerializableFunction extends Function<Object, Object>, Serializable {}

    @BeforeEach
    void nothingRan() {
        ran = false;
    }

    private static MetaQObjectMessage received(Serializable object, String allowed)
            throws JMSException {
        MetaQObjectMessage sent = new MetaQObjectMessage();
        sent.setObject(object);
        MetaQObjectMessage received = new MetaQObjectMessage(AllowList.parse(allowed));
        received.setPayload(sent.bodyType(), sent.payload());
        received.freeze();
        return received;
    }

    static Stream<Arguments> kinds() {
        SerializableFunction lambda = o -> o;
        TreeMap<String, Object> sorted = new TreeMap<>(new Trap());
        sorted.put("a", 1);
        PriorityQueue<Object> heap = new PriorityQueue<>(List.of(1));
        return arguments(
                new Money(1),
                Colour.RED,
                Colour.GREEN,
                new Colour[0],
                new Money[0][0],
                new SpecialParcel(),
                new Parcel(1),
                new OwnForm(),
                lambda,
                sorted,
                heap,
                new HashMap<>(Map.of("k", new Trap())),
                new HashMap<>(Map.of(new Trap(), "v")),
                new ArrayList<>(List.of(new ArrayList<>(List.of(new Trap())))),
                new Object[] {1, new Object[] {new Trap()}},
                new ArrayList<>(List.of(Trap.class)),
                URI.create("x:y"),
                new IllegalArgumentException("an exception", new Exception()));
    }

    /** Each alone, for JUnit would take an array apart. */
    private static Stream<Arguments> arguments(Object... objects) {
        return Stream.of(objects).map(object -> Arguments.of(new Object[] {object}));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldRefuseWhatIsNotListedWhateverItsKindAndPlace(Serializable object)
            throws JMSException {
        assertThatThrownBy(received(object, "")::getObject)
                .isInstanceOf(MessageFormatException.class)
                .hasMessageMatching("class [\\w.$\\[;]+ in an object message is not allowed.*")
                .hasMessageContaining("allowedClasses");
        assertThatThrownBy(() -> received(object, "").isBodyAssignableTo(Object.class))
                .isInstanceOf(MessageFormatException.class);
        assertThat(ran).isFalse();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldRefuseItInsideAListedClass(Serializable object) throws JMSException {
        // A parcel itself is listed here.
        assumeFalse(object.getClass() == Parcel.class);
        assertThatThrownBy(received(new Parcel(object), HERE + "$Parcel")::getObject)
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("is not allowed");
        assertThat(ran).isFalse();
    }

    @Test
    void shouldReadRecordsEnumsAndSubclassesOnceAllTheirClassesAreListed() throws JMSException {
        assertThat(received(new Money(5), HERE + "$Money").getObject()).isEqualTo(new Money(5));
        assertThat(received(Colour.RED, HERE + "$Colour").getObject()).isEqualTo(Colour.RED);
        assertThatThrownBy(received(new SpecialParcel(), HERE + "$SpecialParcel")::getObject)
                .as("its superclass is not listed")
                .hasMessageContaining("class " + HERE + "$Parcel in");
        assertThat(received(new SpecialParcel(), "org.metaq.jms.message.*").getObject())
                .isInstanceOf(SpecialParcel.class);
    }

    @Test
    void shouldNotTakeThePackageOfAListedClassOrTheEndOfItsName() throws JMSException {
        String[] patterns = {
            HERE,
            HERE + "$Mon",
            HERE + "$MoneyBag",
            "org.metaq.jms.mess.*",
            "org.metaq.jms.message.other.*",
            "metaq.jms.message.*"
        };
        for (String pattern : patterns) {
            assertThatThrownBy(received(new Money(5), pattern)::getObject)
                    .as(pattern)
                    .isInstanceOf(MessageFormatException.class);
        }
    }

    // ---- maps and streams

    static Stream<Arguments> objects() {
        return arguments(
                new Date(),
                List.of(1),
                Map.of("a", 1),
                new int[] {1},
                new String[] {"a"},
                new Object[] {1},
                BigInteger.ONE,
                Colour.RED,
                new Money(1),
                new Trap(),
                Trap.class);
    }

    @ParameterizedTest
    @MethodSource("objects")
    void shouldTakeNoObjectsIntoMapsStreamsBytesAndProperties(Object object) {
        assertThatThrownBy(() -> new MetaQMapMessage().setObject("k", object))
                .isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> new MetaQStreamMessage().writeObject(object))
                .isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> new MetaQBytesMessage().writeObject(object))
                .isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> new MetaQMessage().setObjectProperty("k", object))
                .isInstanceOf(MessageFormatException.class);
    }

    /** A stream value is a type code and bytes: each code, before the bytes of an object. */
    @Test
    void shouldMakeNoObjectOfAnyBytesInAStream() throws JMSException {
        MetaQObjectMessage evil = new MetaQObjectMessage();
        evil.setObject(new Trap());
        for (int code = 0; code < 256; code++) {
            byte[] payload = payload(code, evil.payload());
            MetaQStreamMessage message = new MetaQStreamMessage();
            try {
                message.setPayload(BodyType.STREAM, payload);
                message.freeze();
                assertPlain(message.readObject());
            } catch (JMSException e) {
                assertThat(e).as("code %d", code).hasMessageContaining("stream");
            }
        }
        assertThat(ran).isFalse();
    }

    private static byte[] payload(int code, byte[] object) {
        byte[] payload = new byte[object.length + 1];
        payload[0] = (byte) code;
        System.arraycopy(object, 0, payload, 1, object.length);
        return payload;
    }

    /** A map is a count, names and such values. */
    @Test
    void shouldMakeNoObjectOfAnyBytesInAMap() throws JMSException {
        MetaQObjectMessage evil = new MetaQObjectMessage();
        evil.setObject(new Trap());
        MetaQMapMessage template = new MetaQMapMessage();
        template.setByte("k", (byte) 1);
        byte[] whole = template.payload();
        int typeIndex = whole.length - 2;
        for (int code = 0; code < 256; code++) {
            byte[] value = payload(code, evil.payload());
            byte[] bytes = new byte[typeIndex + value.length];
            System.arraycopy(whole, 0, bytes, 0, typeIndex);
            System.arraycopy(value, 0, bytes, typeIndex, value.length);
            MetaQMapMessage message = new MetaQMapMessage();
            try {
                message.setPayload(BodyType.MAP, bytes);
                assertPlain(message.getObject("k"));
            } catch (JMSException e) {
                assertThat(e).as("code %d", code).hasMessageContaining("map");
            }
        }
        assertThat(ran).isFalse();
    }

    private static void assertPlain(Object value) {
        if (value != null) {
            assertThat(value.getClass())
                    .isIn(
                            Boolean.class,
                            Byte.class,
                            Short.class,
                            Character.class,
                            Integer.class,
                            Long.class,
                            Float.class,
                            Double.class,
                            String.class,
                            byte[].class);
        }
    }

    @Test
    void shouldTreatEachByteOfASerializedObjectAsSuspect() throws JMSException {
        MetaQObjectMessage sent = new MetaQObjectMessage();
        sent.setObject(new Parcel(new ArrayList<>(List.of(1, "two"))));
        byte[] bytes = sent.payload();
        IntStream.range(0, bytes.length)
                .forEach(
                        i -> {
                            byte[] broken = bytes.clone();
                            broken[i] ^= 0x41;
                            MetaQObjectMessage message = new MetaQObjectMessage(AllowList.DEFAULT);
                            message.setPayload(BodyType.OBJECT, broken);
                            assertThatThrownBy(message::getObject)
                                    .as("byte %d", i)
                                    .isInstanceOf(MessageFormatException.class);
                        });
    }
}
