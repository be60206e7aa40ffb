package org.metaq.mdbbench;

/** What is measured. */
enum Load {
    /** A queue that was filled before, and one session. */
    ONE("backlog, 1 session", "one", 0, 4),
    /** A queue that was filled before, and 15 sessions, as Artemis has by default. */
    MANY("backlog, 15 sessions", "many", 0, 1),
    /** Senders with a message in each transaction, while 15 sessions receive. */
    STEADY("4 senders, 15 sessions", "many", 4, 2);

    private final String description;
    private final String bean;
    private final int senders;
    private final int divisor;

    Load(String description, String bean, int senders, int divisor) {
        this.description = description;
        this.bean = bean;
        this.senders = senders;
        this.divisor = divisor;
    }

    String description() {
        return description;
    }

    /** Name of bean and queue. */
    String bean() {
        return bean;
    }

    /** Threads that send while beans receive; 0: all is sent before. */
    int senders() {
        return senders;
    }

    /** Messages, such that each load takes about as long, and each sender sends as many. */
    int count(int messages) {
        int count = messages / divisor;
        return senders == 0 ? count : count - count % senders;
    }
}
