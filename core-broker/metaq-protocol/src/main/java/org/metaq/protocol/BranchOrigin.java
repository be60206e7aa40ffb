package org.metaq.protocol;

/**
 * Who began a branch, and when. A prepared branch keeps it for good, so texts that clients chose
 * are cut to {@link #TEXT_LENGTH_MAX} characters.
 *
 * @param startedMs ms since 1970; 0: not known
 * @param user empty: none given
 * @param clientId empty: none
 * @param connection id and remote address of the connection, as the broker's log has them; empty:
 *     not known
 */
public record BranchOrigin(long startedMs, String user, String clientId, String connection) {
    /** Of a branch that an older release prepared. */
    public static final BranchOrigin UNKNOWN = new BranchOrigin(0, "", "", "");

    /** Most characters of a text. */
    public static final int TEXT_LENGTH_MAX = 256;

    /** Cuts the texts. */
    public BranchOrigin {
        user = cut(user);
        clientId = cut(clientId);
        connection = cut(connection);
    }

    private static String cut(String text) {
        return text.substring(0, Math.min(text.length(), TEXT_LENGTH_MAX));
    }

    /** Writes int64 started, string user, string client id, string connection. */
    public void write(BodyWriter out) {
        out.i64(startedMs).string(user).string(clientId).string(connection);
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws ProtocolException if it is cut short
     */
    public static BranchOrigin read(BodyReader in) throws ProtocolException {
        return new BranchOrigin(in.i64(), in.string(), in.string(), in.string());
    }
}
