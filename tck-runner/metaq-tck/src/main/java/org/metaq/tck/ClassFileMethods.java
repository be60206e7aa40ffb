package org.metaq.tck;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The methods of a class as its file lists them, which is the order of the source. Reflection gives
 * them in an order of its own. Reads the form of JVM specification §4.1; stateless.
 */
final class ClassFileMethods {
    private static final int MAGIC = 0xCAFEBABE;
    private static final int VERSION_LENGTH = 4;
    private static final int NAMES_LENGTH = 6;

    private ClassFileMethods() {}

    /**
     * Names of methods, in order; overloaded ones stand there several times.
     *
     * @param in at the start of a class file
     * @throws IOException if it is none
     */
    static List<String> read(DataInputStream in) throws IOException {
        if (in.readInt() != MAGIC) {
            throw new IOException("not a class file");
        }
        in.skipNBytes(VERSION_LENGTH);
        String[] constants = readConstants(in);
        in.skipNBytes(NAMES_LENGTH);
        in.skipNBytes(2L * in.readUnsignedShort());
        readMembers(in, constants);
        return readMembers(in, constants);
    }

    /** The constant pool; what is no text stays empty. */
    private static String[] readConstants(DataInputStream in) throws IOException {
        String[] constants = new String[in.readUnsignedShort()];
        for (int i = 1; i < constants.length; i++) {
            constants[i] = "";
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> constants[i] = in.readUTF();
                case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
                case 5, 6 -> {
                    in.skipNBytes(8);
                    // Long and double take two places.
                    i++;
                    constants[i] = "";
                }
                case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
                case 15 -> in.skipNBytes(3);
                default -> throw new IOException("unknown tag " + tag + " in the constant pool");
            }
        }
        return constants;
    }

    /** Names of the fields or methods. */
    private static List<String> readMembers(DataInputStream in, String[] constants)
            throws IOException {
        List<String> names = new ArrayList<>();
        int count = in.readUnsignedShort();
        for (int i = 0; i < count; i++) {
            in.skipNBytes(2);
            names.add(constants[in.readUnsignedShort()]);
            in.skipNBytes(2);
            int attributes = in.readUnsignedShort();
            for (int k = 0; k < attributes; k++) {
                in.skipNBytes(2);
                in.skipNBytes(Integer.toUnsignedLong(in.readInt()));
            }
        }
        return names;
    }
}
