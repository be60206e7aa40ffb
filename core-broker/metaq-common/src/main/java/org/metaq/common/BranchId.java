package org.metaq.common;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * Name of one transaction's work on a broker: an {@code Xid} or a local id.
 *
 * <p>Text form, which is also the transaction key of the wire: {@code TX:<session>:<number>} for a
 * local transaction, {@code XID:<format>:<global, hex>:<branch, hex>:<qualifier>} for an XA branch.
 * The qualifier is MetaQ's hint of who drives the branch; it takes no part in equality.
 */
public final class BranchId {
    /** X/Open XA: MAXGTRIDSIZE and MAXBQUALSIZE, bytes. */
    public static final int XID_PART_LENGTH_MAX = 64;

    /** Odd, and larger than any sum of bytes. */
    private static final int HASH_FACTOR = 0x9E3779B1;

    private static final HexFormat HEX = HexFormat.of();

    private final boolean isXa;
    private final String session;
    private final long number;
    private final byte[] global;
    private final byte[] branch;
    private final String qualifier;

    private BranchId(
            boolean isXa,
            String session,
            long number,
            byte[] global,
            byte[] branch,
            String qualifier) {
        this.isXa = isXa;
        this.session = session;
        this.number = number;
        this.global = global;
        this.branch = branch;
        this.qualifier = qualifier;
    }

    /**
     * A local transaction.
     *
     * @param session whose, no colon and no blank
     * @param number which of the session's
     */
    public static BranchId local(String session, long number) {
        checkWord("session", session);
        return new BranchId(false, session, number, new byte[0], new byte[0], "");
    }

    /**
     * An XA branch.
     *
     * @param format format id of the Xid
     * @param global global transaction id, 0..64 bytes; copied
     * @param branch branch qualifier, 0..64 bytes; copied
     * @throws IllegalArgumentException if a part is too long
     */
    public static BranchId xa(int format, byte[] global, byte[] branch) {
        return xa(format, global.clone(), branch.clone(), "");
    }

    private static BranchId xa(int format, byte[] global, byte[] branch, String qualifier) {
        if (global.length > XID_PART_LENGTH_MAX || branch.length > XID_PART_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "an Xid has at most 64 bytes a part, not "
                            + global.length
                            + " and "
                            + branch.length);
        }
        return new BranchId(true, "", format, global, branch, qualifier);
    }

    /**
     * Reads the text form.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static BranchId parse(String key) {
        String[] parts = key.split(":", -1);
        if (parts.length == 3 && parts[0].equals("TX")) {
            return local(parts[1], Long.parseLong(parts[2]));
        }
        if (parts.length == 5 && parts[0].equals("XID")) {
            return xa(
                    Integer.parseInt(parts[1]),
                    HEX.parseHex(parts[2]),
                    HEX.parseHex(parts[3]),
                    parts[4]);
        }
        throw new IllegalArgumentException("not a transaction key: '" + key + "'");
    }

    private static void checkWord(String what, String word) {
        if (word.isEmpty() || word.chars().anyMatch(c -> c == ':' || c <= ' ')) {
            throw new IllegalArgumentException(
                    "not a " + what + " of a transaction key: '" + word + "'");
        }
    }

    /** True for an XA branch, false for a local transaction. */
    public boolean isXa() {
        return isXa;
    }

    /** Session of a local transaction; empty for an XA branch. */
    public String session() {
        return session;
    }

    /** Format id of the Xid; 0 for a local transaction. */
    public int format() {
        return isXa ? (int) number : 0;
    }

    /** A copy of the global transaction id; empty for a local transaction. */
    public byte[] global() {
        return global.clone();
    }

    /** A copy of the branch qualifier; empty for a local transaction. */
    public byte[] branch() {
        return branch.clone();
    }

    /** MetaQ's hint of who drives the branch; empty if none was given. */
    public String qualifier() {
        return qualifier;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BranchId that
                && isXa == that.isXa
                && number == that.number
                && session.equals(that.session)
                && Arrays.equals(global, that.global)
                && Arrays.equals(branch, that.branch);
    }

    @Override
    public int hashCode() {
        int hash = session.hashCode() + Long.hashCode(number);
        return hash(hash(hash, global), branch);
    }

    /**
     * The ids of a transaction manager differ in the bytes of a counter. Under {@link
     * Arrays#hashCode(byte[])}, whose factor is 31, a hundred thousand of them share some thousands
     * of values.
     */
    private static int hash(int start, byte[] part) {
        int hash = start;
        for (byte each : part) {
            hash = hash * HASH_FACTOR + each;
        }
        return hash;
    }

    /** The text form; {@link #parse} reads it back. */
    @Override
    public String toString() {
        return isXa
                ? "XID:"
                        + number
                        + ":"
                        + HEX.formatHex(global)
                        + ":"
                        + HEX.formatHex(branch)
                        + ":"
                        + qualifier
                : "TX:" + session + ":" + number;
    }
}
