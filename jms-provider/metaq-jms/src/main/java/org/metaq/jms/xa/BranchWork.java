package org.metaq.jms.xa;

import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.common.BranchId;
import org.metaq.protocol.Settlement;

/** The work of a session, which a branch can take in. Thread-safe. */
public interface BranchWork {
    /** The session's number on its connection. */
    int session();

    /** The session's connection, which may be closed or lost. */
    ClientConnection connection();

    /**
     * The connection that the session works on, which lives if there is any.
     *
     * @throws ClientException if there is none, and will be none
     */
    ClientConnection ready() throws ClientException;

    /** What is sent and received from now on belongs to the branch. */
    void begin(BranchId branch);

    /** The branch that the session works in, or null. */
    @Nullable BranchId current();

    /** What is sent and received from now on belongs to no branch. */
    Ended end();

    /**
     * Why a send of the branch failed, as far as the broker has answered, and forgets it; null:
     * none that is known. Of one that is refused later the broker tells whoever prepares or
     * commits.
     */
    @Nullable ClientException takeFailedSend();

    /**
     * Gives back what was received in a branch that is rolled back, then what was fetched ahead as
     * never delivered, so that messages come again in order.
     *
     * @param consumed what the session still holds of the branch; {@link Settlement#NONE} if the
     *     broker gave it back with the branch
     */
    void giveBack(Settlement consumed, GiveBack how) throws ClientException;

    /**
     * How messages are given back.
     *
     * @param counted whether they count as delivered, so that their number of deliveries grows
     * @param reason why, for dead letters; empty: not known
     */
    record GiveBack(boolean counted, String reason) {
        /** What is usual. */
        public static final GiveBack COUNTED = new GiveBack(true, "");
    }

    /**
     * Work that a branch took in.
     *
     * @param consumed what was received
     * @param isLost whether the connection that it came over was lost, and the branch with it
     */
    record Ended(Settlement consumed, boolean isLost) {}
}
