package org.metaq.broker;

/** What the process around a broker does when a client asks for it. */
public interface AdminHandler {
    /** How it went; called once, on the writer thread. */
    interface Reply {
        /** It was done; the text is for a human, a line per fact. */
        void ok(String text);

        /** Nothing was done; the text says why. */
        void refused(String text);
    }

    /**
     * Reads the configuration again and has the broker go by it.
     *
     * <p>Called on the writer thread; returns at once, for it must not wait for a file.
     */
    void reload(Reply reply);
}
