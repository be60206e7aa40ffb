package org.metaq.broker;

import org.metaq.protocol.ErrorCode;

/** Decides who may open a session. */
public interface Authenticator {
    /** How it went; called once, on the writer thread. */
    interface Reply {
        /** The session is opened. */
        void accepted();

        /**
         * The session is not opened.
         *
         * @param code {@link ErrorCode#UNAUTHORIZED} for wrong credentials, which the text must not
         *     tell more of; {@link ErrorCode#BUSY} if they were not looked at
         */
        void refused(ErrorCode code, String text);
    }

    /**
     * Looks at the credentials of an {@code open}.
     *
     * <p>Called on the writer thread and returns at once: what takes time, such as a slow hash, is
     * done elsewhere. The reply may come before this returns, or in a later task of the writer; the
     * connection may be gone by then.
     *
     * @param user empty: none given
     */
    void authenticate(String user, String password, Reply reply);

    /**
     * Whether connections without credentials are served: MetaQ's own clients, whose protocol has
     * none.
     */
    boolean allowsAnonymous();

    /** Accepts everybody. */
    static Authenticator none() {
        return new Authenticator() {
            @Override
            public void authenticate(String user, String password, Reply reply) {
                reply.accepted();
            }

            @Override
            public boolean allowsAnonymous() {
                return true;
            }
        };
    }
}
