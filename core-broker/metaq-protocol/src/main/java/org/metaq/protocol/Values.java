package org.metaq.protocol;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Typed values of properties, Map and Stream bodies: int8 tag, then the value big-endian.
 *
 * <p>0 null, 1 boolean, 2 byte, 3 short, 4 char, 5 int, 6 long, 7 float, 8 double, 9 string, 10
 * bytes.
 */
public final class Values {
    /** Fewest bytes of an entry of a map: the length of the name and the tag. */
    static final int ENTRY_LENGTH_MIN = Integer.BYTES + 1;

    private Values() {}

    /**
     * Writes one value.
     *
     * @throws IllegalArgumentException if the value is of no type listed above
     */
    public static void write(BodyWriter out, @Nullable Object value) {
        if (value == null) {
            out.u8(0);
        } else if (value instanceof Boolean v) {
            out.u8(1).bool(v);
        } else if (value instanceof Byte v) {
            out.u8(2).u8(v);
        } else if (value instanceof Short v) {
            out.u8(3).i16(v);
        } else if (value instanceof Character v) {
            out.u8(4).i16(v);
        } else if (value instanceof Integer v) {
            out.u8(5).i32(v);
        } else if (value instanceof Long v) {
            out.u8(6).i64(v);
        } else if (value instanceof Float v) {
            out.u8(7).i32(Float.floatToRawIntBits(v));
        } else if (value instanceof Double v) {
            out.u8(8).i64(Double.doubleToRawLongBits(v));
        } else if (value instanceof String v) {
            out.u8(9).string(v);
        } else if (value instanceof byte[] v) {
            out.u8(10).bytes(v);
        } else {
            throw new IllegalArgumentException("no value type for " + value.getClass().getName());
        }
    }

    /** Reads one value. */
    public static @Nullable Object read(BodyReader in) throws ProtocolException {
        int tag = in.u8();
        return switch (tag) {
            case 0 -> null;
            case 1 -> in.bool();
            case 2 -> (byte) in.u8();
            case 3 -> in.i16();
            case 4 -> (char) in.i16();
            case 5 -> in.i32();
            case 6 -> in.i64();
            case 7 -> Float.intBitsToFloat(in.i32());
            case 8 -> Double.longBitsToDouble(in.i64());
            case 9 -> in.string();
            case 10 -> in.bytes();
            default -> throw new ProtocolException("unknown value type " + tag);
        };
    }

    /** Passes over one value. */
    static void skip(BodyReader in) throws ProtocolException {
        int tag = in.u8();
        switch (tag) {
            case 0 -> in.skip(0);
            case 1, 2 -> in.skip(1);
            case 3, 4 -> in.skip(Short.BYTES);
            case 5, 7 -> in.skip(Integer.BYTES);
            case 6, 8 -> in.skip(Long.BYTES);
            case 9, 10 -> in.skip(in.i32());
            default -> throw new ProtocolException("unknown value type " + tag);
        }
    }

    /** Writes int32 count, then name and value of each entry in order. */
    public static void writeMap(BodyWriter out, Map<String, ? extends @Nullable Object> map) {
        out.i32(map.size());
        map.forEach(
                (name, value) -> {
                    out.string(name);
                    write(out, value);
                });
    }

    /** Reads what {@link #writeMap} wrote, in its order. */
    public static Map<String, @Nullable Object> readMap(BodyReader in) throws ProtocolException {
        int count = in.count(ENTRY_LENGTH_MIN);
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            map.put(in.string(), read(in));
        }
        return map;
    }
}
