package org.metaq.server.operations;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.metaq.common.BranchId;

/**
 * What an Xid tells people. Formats that are known:
 *
 * <p>131077, of Narayana and WildFly. Global transaction id: 28 bytes of the transaction's uid,
 * then the node name. Branch qualifier: 28 bytes of the branch's uid, int32 number of the resource
 * manager, int32 length of a subordinate's node name, and that name. Only an Xid that is so to the
 * last byte is decoded.
 *
 * @param format format id
 * @param global global transaction id, in hex
 * @param branch branch qualifier, in hex
 * @param globalText the printable ASCII in the global transaction id, other bytes as dots; empty if
 *     there are less than four printable ones in a row, or the format is known
 * @param branchText as {@code globalText}, of the branch qualifier
 * @param node name of the transaction manager's node; empty if the format does not tell
 * @param subordinate name of the node to which the transaction was passed on; empty if there is
 *     none, or the format does not tell
 * @param transaction the transaction's uid as Narayana's log writes it; empty if the format does
 *     not tell
 */
public record DecodedXid(
        int format,
        String global,
        String branch,
        String globalText,
        String branchText,
        String node,
        String subordinate,
        String transaction) {
    private static final int NARAYANA = 131077;
    private static final int UID_LENGTH = 2 * Long.BYTES + 3 * Integer.BYTES;
    private static final int SUBORDINATE_LENGTH_OFFSET = UID_LENGTH + Integer.BYTES;
    private static final int SUBORDINATE_OFFSET = SUBORDINATE_LENGTH_OFFSET + Integer.BYTES;
    private static final int PRINTABLE_RUN_MIN = 4;

    /** Decodes the Xid of a branch; of a local transaction all is empty. */
    public static DecodedXid of(BranchId id) {
        byte[] global = id.global();
        byte[] branch = id.branch();
        String globalHex = HexFormat.of().formatHex(global);
        String branchHex = HexFormat.of().formatHex(branch);
        if (id.format() == NARAYANA && isNarayana(global, branch)) {
            return new DecodedXid(
                    id.format(),
                    globalHex,
                    branchHex,
                    "",
                    "",
                    ascii(global, UID_LENGTH),
                    ascii(branch, SUBORDINATE_OFFSET),
                    uid(ByteBuffer.wrap(global)));
        }
        return new DecodedXid(
                id.format(), globalHex, branchHex, text(global), text(branch), "", "", "");
    }

    private static boolean isNarayana(byte[] global, byte[] branch) {
        return global.length > UID_LENGTH
                && isPrintable(global, UID_LENGTH)
                && branch.length >= SUBORDINATE_OFFSET
                && ByteBuffer.wrap(branch).getInt(SUBORDINATE_LENGTH_OFFSET)
                        == branch.length - SUBORDINATE_OFFSET
                && isPrintable(branch, SUBORDINATE_OFFSET);
    }

    private static boolean isPrintable(byte[] bytes, int from) {
        for (int i = from; i < bytes.length; i++) {
            if (!isPrintable(bytes[i])) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPrintable(byte b) {
        return b >= ' ' && b <= '~';
    }

    private static String ascii(byte[] bytes, int from) {
        return new String(bytes, from, bytes.length - from, StandardCharsets.US_ASCII);
    }

    /** Two int64 and three int32, in hex with a sign. */
    private static String uid(ByteBuffer in) {
        StringBuilder uid = new StringBuilder();
        uid.append(Long.toString(in.getLong(), 16)).append(':');
        uid.append(Long.toString(in.getLong(), 16)).append(':');
        uid.append(Integer.toString(in.getInt(), 16)).append(':');
        uid.append(Integer.toString(in.getInt(), 16)).append(':');
        return uid.append(Integer.toString(in.getInt(), 16)).toString();
    }

    private static String text(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        int run = 0;
        int longestRun = 0;
        for (byte b : bytes) {
            boolean isPrintable = isPrintable(b);
            text.append(isPrintable ? (char) b : '.');
            run = isPrintable ? run + 1 : 0;
            longestRun = Math.max(longestRun, run);
        }
        return longestRun >= PRINTABLE_RUN_MIN ? text.toString() : "";
    }
}
