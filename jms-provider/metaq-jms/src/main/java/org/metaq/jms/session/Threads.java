package org.metaq.jms.session;

/** Makes the provider's threads. */
final class Threads {
    private Threads() {}

    /** A daemon thread, not started. */
    static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }
}
