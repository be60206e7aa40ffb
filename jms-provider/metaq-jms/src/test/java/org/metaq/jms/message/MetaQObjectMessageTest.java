package org.metaq.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MetaQObjectMessageTest {
    private static final String HERE = MetaQObjectMessageTest.class.getName();

    /** Shows whether its code ran. */
    static final class Evil implements Serializable {
        private static final long serialVersionUID = 1;
        static volatile boolean ran;

        private void readObject(ObjectInputStream in) {
            ran = true;
        }
    }

    static final class Order implements Serializable {
        private static final long serialVersionUID = 1;
        final Object content;
        int quantity = 1;

        Order(Object content) {
            this.content = content;
        }
    }

    static final class Handler implements InvocationHandler, Serializable {
        private static final long serialVersionUID = 1;

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            return null;
        }
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

    static Stream<Serializable> plainData() {
        EnumMap<RoundingMode, Integer> enumMap = new EnumMap<>(RoundingMode.class);
        enumMap.put(RoundingMode.UP, 1);
        TreeSet<String> sorted = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        sorted.add("a");
        return Stream.<Serializable>of(
                true,
                (byte) 1,
                (short) 1,
                'c',
                1,
                1L,
                1f,
                1d,
                "text",
                new BigDecimal("1.50"),
                BigDecimal.TEN.toBigInteger(),
                RoundingMode.HALF_EVEN,
                new int[][] {{1}, {2, 3}},
                new String[] {"a", null},
                new Object[] {1, "b", new long[] {3}},
                new ArrayList<>(List.of(1, 2)),
                new LinkedList<>(List.of(1, 2)),
                new Vector<>(List.of(1, 2)),
                (Serializable) Arrays.asList(1, 2),
                (Serializable) List.of(1, 2, 3),
                (Serializable) Map.of("a", 1),
                (Serializable) Set.of("a"),
                new HashMap<>(Map.of("a", 1)),
                new LinkedHashMap<>(Map.of("a", 1)),
                new TreeMap<>(Map.of("a", 1)),
                new HashSet<>(IntStream.range(0, 5000).boxed().toList()),
                sorted,
                enumMap,
                EnumSet.of(DayOfWeek.MONDAY),
                (Serializable) Collections.unmodifiableList(new ArrayList<>(List.of(1))),
                (Serializable) Collections.emptyMap(),
                BitSet.valueOf(new long[] {5}),
                new Date(5),
                UUID.randomUUID(),
                Locale.FRENCH,
                Currency.getInstance("EUR"),
                Instant.now(),
                Duration.ofSeconds(5),
                ZonedDateTime.now());
    }

    @ParameterizedTest
    @MethodSource("plainData")
    void shouldReadPlainDataWithoutAnySetting(Serializable object) throws JMSException {
        Serializable read = received(object, "").getObject();
        assertThat(Arrays.deepEquals(new Object[] {read}, new Object[] {object}))
                .as("%s", read)
                .isTrue();
    }

    @Test
    void shouldReadADequeWithoutAnySetting() throws JMSException {
        ArrayDeque<Integer> deque = new ArrayDeque<>(List.of(1, 2));
        ArrayDeque<?> read = (ArrayDeque<?>) received(deque, "").getObject();
        assertThat(List.copyOf(read).equals(List.of(1, 2))).isTrue();
    }

    // StringBuffer and StringBuilder have no equals.
    static Stream<Serializable> textBuffers() {
        return Stream.of(new StringBuffer("text"), new StringBuilder("text"));
    }

    @ParameterizedTest
    @MethodSource("textBuffers")
    void shouldReadATextBufferWithoutAnySetting(Serializable buffer) throws JMSException {
        assertThat(received(buffer, "").getObject()).hasSameClassAs(buffer).hasToString("text");
    }

    @Test
    void shouldRefuseAClassThatIsNotAllowedAndNameItAndTheSetting() throws JMSException {
        MetaQObjectMessage message = received(new Order("x"), "");
        assertThatThrownBy(message::getObject)
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining(HERE + "$Order")
                .hasMessageContaining("allowedClasses");
        assertThatThrownBy(() -> message.getBody(Serializable.class))
                .isInstanceOf(MessageFormatException.class);
        assertThat(received(new Order("x"), HERE + "$Order").getObject()).isInstanceOf(Order.class);
        assertThat(received(new Order("x"), "org.metaq.jms.*").getObject())
                .isInstanceOf(Order.class);
    }

    @Test
    void shouldRefuseAnEvilClassInsideAllowedOnesWithoutRunningIt() throws JMSException {
        Evil.ran = false;
        String allowed = HERE + "$Order";
        for (Serializable carrier :
                List.<Serializable>of(
                        new Order(new Evil()),
                        new Order(new HashMap<>(Map.of("k", new ArrayList<>(List.of(new Evil()))))),
                        new Object[] {new Evil()},
                        new Evil[] {new Evil()},
                        new Evil[0][0],
                        new Order(new Object[] {Evil.class}))) {
            assertThatThrownBy(received(carrier, allowed)::getObject)
                    .isInstanceOf(MessageFormatException.class)
                    .hasMessageContaining("$Evil");
        }
        assertThat(Evil.ran).isFalse();
    }

    @Test
    void shouldRefuseProxiesEvenOfAllowedInterfacesAndHandlers() throws JMSException {
        Serializable proxy =
                (Serializable)
                        Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {Serializable.class, Comparable.class},
                                new Handler());
        assertThatThrownBy(
                        received(new Order(proxy), "java.*,jdk.*,com.sun.*,org.metaq.*")::getObject)
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("proxy");
    }

    @Test
    void shouldRefuseDeepNesting() throws JMSException {
        Object nested = "end";
        for (int i = 0; i < 300; i++) {
            nested = new Object[] {nested};
        }
        assertThatThrownBy(received((Serializable) nested, "")::getObject)
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("200 levels");
    }

    @Test
    void shouldRefuseAnArrayThatClaimsMoreThanItsBytesHold() throws JMSException, IOException {
        MetaQObjectMessage message = new MetaQObjectMessage(AllowList.DEFAULT);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
        out.writeShort(ObjectStreamConstants.STREAM_VERSION);
        out.writeByte(ObjectStreamConstants.TC_ARRAY);
        out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
        out.writeUTF("[J");
        out.writeLong(0x782004B512B17593L);
        out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
        out.writeShort(0);
        out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        out.writeByte(ObjectStreamConstants.TC_NULL);
        out.writeInt(Integer.MAX_VALUE - 8);
        message.setPayload(message.bodyType(), bytes.toByteArray());
        assertThatThrownBy(message::getObject)
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("2147483639 elements");
    }

    @Test
    void shouldRefuseBytesThatAreNoObject() throws JMSException {
        MetaQObjectMessage message = new MetaQObjectMessage(AllowList.DEFAULT);
        message.setPayload(message.bodyType(), new byte[] {1, 2, 3, 4, 5});
        assertThatThrownBy(message::getObject).isInstanceOf(MessageFormatException.class);
    }

    @Test
    void shouldSerializeWhenSetAndReadAnewAtEachCall() throws JMSException {
        Order order = new Order("x");
        MetaQObjectMessage message = new MetaQObjectMessage();
        message.setObject(order);
        order.quantity = 2;
        Order first = (Order) message.getObject();
        assertThat(first.quantity).isEqualTo(1);
        first.quantity = 3;
        assertThat(((Order) message.getObject()).quantity).isEqualTo(1);
    }

    @Test
    void shouldKeepTheOldObjectWhenTheNewOneCannotBeSerialized() throws JMSException {
        MetaQObjectMessage message = new MetaQObjectMessage();
        message.setObject("old");
        assertThatThrownBy(() -> message.setObject(new Order(new Object())))
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("Order");
        assertThat(message.getObject()).isEqualTo("old");
    }

    @Test
    void shouldGiveTheObjectAsItsBody() throws JMSException {
        MetaQObjectMessage message = new MetaQObjectMessage();
        assertThat(message.getBody(Integer.class)).isNull();
        assertThat(message.isBodyAssignableTo(Integer.class)).isTrue();
        message.setObject("text");
        assertThat(message.getBody(CharSequence.class)).isEqualTo("text");
        assertThat(message.isBodyAssignableTo(Integer.class)).isFalse();
        assertThatThrownBy(() -> message.getBody(Integer.class))
                .isInstanceOf(MessageFormatException.class);
    }

    @Test
    void shouldFindClassesThroughTheContextLoaderAndElseThroughItsOwn()
            throws JMSException, IOException {
        MetaQObjectMessage message = received(new Order("x"), "org.metaq.*");
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        URL[] classPath = {
            MetaQObjectMessageTest.class.getProtectionDomain().getCodeSource().getLocation()
        };
        try (URLClassLoader application =
                        new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader());
                URLClassLoader empty =
                        new URLClassLoader(new URL[0], ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(application);
            assertThat(message.getObject().getClass().getClassLoader()).isSameAs(application);
            thread.setContextClassLoader(empty);
            assertThat(message.getObject()).isInstanceOf(Order.class);
            thread.setContextClassLoader(null);
            assertThat(message.getObject()).isInstanceOf(Order.class);
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
