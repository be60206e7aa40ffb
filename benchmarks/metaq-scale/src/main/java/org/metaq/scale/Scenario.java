package org.metaq.scale;

import jakarta.jms.JMSException;
import java.io.IOException;

/** What is measured. */
enum Scenario {
    QUEUES("10,000 queues, each with 10 messages of 1 KiB and a consumer", ManyQueues::run),
    CONNECTIONS("2,000 connections, each with a session and a producer", ManyConnections::run),
    SESSIONS("20,000 sessions on 10 connections, each with a producer", ManySessions::run),
    BACKLOG("10,000,000 messages without a consumer, restart, drain", Backlog::run),
    SUBSCRIBERS("100 durable subscribers of one topic, 1 KiB", ManySubscribers::run),
    IDLE("1,000 idle consumers with listeners", IdleConsumers::run);

    private final String description;
    private final Body body;

    Scenario(String description, Body body) {
        this.description = description;
        this.body = body;
    }

    /** What is done. */
    private interface Body {
        void run(Run run) throws JMSException, IOException, InterruptedException, ScaleException;
    }

    String description() {
        return description;
    }

    /** As on the command line. */
    String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    /**
     * Runs it to its end in this JVM.
     *
     * @throws ScaleException if it cannot go on, such as for want of disk space
     */
    void run(Run run) throws JMSException, IOException, InterruptedException, ScaleException {
        run.warmUp();
        body.run(run);
    }
}
