package org.metaq.broker.state;

import org.metaq.store.log.MessageLog;

/** One partition of a topic: its log, and whether the batch under way appended to it. */
public final class Partition {
    private final Topic topic;
    private final int number;
    private final MessageLog log;
    private boolean isTouched;

    Partition(Topic topic, int number, MessageLog log) {
        this.topic = topic;
        this.number = number;
        this.log = log;
    }

    /** The topic it belongs to. */
    public Topic topic() {
        return topic;
    }

    /** Its number, &gt;= 0. */
    public int number() {
        return number;
    }

    /** Its messages. */
    public MessageLog log() {
        return log;
    }

    /** True the first time since {@link #publish}. */
    boolean touch() {
        boolean first = !isTouched;
        isTouched = true;
        return first;
    }

    void publish() {
        isTouched = false;
        log.publish();
    }
}
