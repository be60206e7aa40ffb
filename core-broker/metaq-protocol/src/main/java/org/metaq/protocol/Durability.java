package org.metaq.protocol;

/** When a send may be answered. */
public enum Durability {
    /** On disk: the journal is forced first, whatever the broker's policy. */
    SYNC('s'),
    /** As the broker's flush policy says. */
    POLICY('p'),
    /** Accepted; may be lost with the broker's process or machine. */
    LAZY('l');

    private final char token;

    Durability(char token) {
        this.token = token;
    }

    /** Its token on the wire. */
    char token() {
        return token;
    }

    static Durability ofToken(String token) throws ProtocolException {
        for (Durability durability : values()) {
            if (token.length() == 1 && token.charAt(0) == durability.token) {
                return durability;
            }
        }
        throw new ProtocolException("no durability is written as '" + token + "'");
    }
}
