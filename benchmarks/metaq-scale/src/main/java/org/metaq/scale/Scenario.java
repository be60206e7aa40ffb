package org.metaq.scale;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.util.Locale;
import org.metaq.bench.BenchException;

/** What is measured. */
enum Scenario {
    QUEUES("10,000 queues, each with 10 messages of 1 KiB and a consumer"),
    CONNECTIONS("2,000 connections, each with a session and a producer"),
    SESSIONS("20,000 sessions on 10 connections, each with a producer"),
    BACKLOG("10,000,000 messages without a consumer, restart, drain"),
    SUBSCRIBERS("100 durable subscribers of one topic, 1 KiB"),
    IDLE("1,000 idle consumers with listeners"),
    IN_DOUBT("20,000 prepared branches of 1 KiB, restart");

    private final String description;

    Scenario(String description) {
        this.description = description;
    }

    String description() {
        return description;
    }

    /** As on the command line. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Runs it to its end in this JVM.
     *
     * @throws BenchException if it cannot go on, such as for want of disk space
     */
    void run(Run run) throws JMSException, IOException, InterruptedException, BenchException {
        run.warmUp();
        switch (this) {
            case QUEUES -> ManyQueues.run(run);
            case CONNECTIONS -> ManyConnections.run(run);
            case SESSIONS -> ManySessions.run(run);
            case BACKLOG -> Backlog.run(run);
            case SUBSCRIBERS -> ManySubscribers.run(run);
            case IDLE -> IdleConsumers.run(run);
            case IN_DOUBT -> InDoubt.run(run);
        }
    }
}
