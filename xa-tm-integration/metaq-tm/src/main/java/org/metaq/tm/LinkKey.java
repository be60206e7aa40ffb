package org.metaq.tm;

import org.jspecify.annotations.Nullable;

/**
 * Which links are as good as another: they have the same API and the same credentials, so that a
 * wrong password never gets the connection that the right one opened.
 *
 * @param user null: the connection factory's own credentials, without a password here
 */
record LinkKey(Api api, @Nullable String user, @Nullable String password) {
    /** The two APIs of Jakarta Messaging. A connection serves one. */
    enum Api {
        /** {@code Connection} and {@code Session}. */
        CLASSIC,
        /** {@code JMSContext}. */
        SIMPLIFIED
    }

    /** Without the password. */
    @Override
    public String toString() {
        return api + (user == null ? "" : " as " + user);
    }
}
