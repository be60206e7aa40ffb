package org.metaq.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ValuesTest {
    static List<Object> values() {
        return Arrays.asList(
                null,
                true,
                false,
                Byte.MIN_VALUE,
                (byte) -1,
                Short.MIN_VALUE,
                Character.MAX_VALUE,
                'ä',
                Integer.MIN_VALUE,
                Long.MIN_VALUE,
                Float.NaN,
                -0.0f,
                Double.MIN_VALUE,
                Double.NEGATIVE_INFINITY,
                "",
                "text é€😀\0",
                new byte[0],
                new byte[] {1, 0, -1});
    }

    @ParameterizedTest
    @MethodSource("values")
    void shouldReadBackWhatItWroteWithItsType(Object value) throws ProtocolException {
        BodyWriter out = new BodyWriter(1);
        Values.write(out, value);
        BodyReader in = new BodyReader(out.toBuffer());
        assertThat(Values.read(in)).isEqualTo(value);
        in.end();
    }

    @ParameterizedTest
    @MethodSource("values")
    void shouldRefuseAValueThatIsCutShort(Object value) {
        BodyWriter out = new BodyWriter();
        Values.write(out, value);
        byte[] bytes = out.toBytes();
        for (int length = 0; length < bytes.length; length++) {
            ByteBuffer shorter = ByteBuffer.wrap(bytes, 0, length);
            assertThatThrownBy(() -> Values.read(new BodyReader(shorter)))
                    .isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void shouldKeepNullsAndTheOrderOfAMap() throws ProtocolException {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("z", null);
        map.put("", 1L);
        map.put("a", "b");
        BodyWriter out = new BodyWriter();
        Values.writeMap(out, map);
        Map<String, Object> read = Values.readMap(new BodyReader(out.toBuffer()));
        assertThat(read).isEqualTo(map);
        assertThat(read.keySet()).containsExactly("z", "", "a");
    }

    @Test
    void shouldRefuseTypesThatItDoesNotHave() {
        assertThatThrownBy(() -> Values.write(new BodyWriter(), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Values.read(reader(11)))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("11");
    }

    @Test
    void shouldTrustNoLengthAndNoCount() {
        byte[] hugeString = new BodyWriter().u8(9).i32(Integer.MAX_VALUE).u8(1).toBytes();
        assertThatThrownBy(() -> Values.read(new BodyReader(ByteBuffer.wrap(hugeString))))
                .isInstanceOf(ProtocolException.class);
        byte[] negative = new BodyWriter().u8(10).i32(-1).toBytes();
        assertThatThrownBy(() -> Values.read(new BodyReader(ByteBuffer.wrap(negative))))
                .isInstanceOf(ProtocolException.class);
        byte[] hugeMap = new BodyWriter().i32(Integer.MAX_VALUE).i64(0).toBytes();
        assertThatThrownBy(() -> Values.readMap(new BodyReader(ByteBuffer.wrap(hugeMap))))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("count");
    }

    private static BodyReader reader(int tag) {
        return new BodyReader(ByteBuffer.wrap(new byte[] {(byte) tag}));
    }
}
