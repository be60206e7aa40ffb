package org.metaq.broker.state;

import java.util.ArrayList;
import java.util.List;

/** A group's state on a topic: who it is, and a {@link Cursor} for each partition. */
public final class Subscription {
    /**
     * Identity and terms of a subscription.
     *
     * @param clientId whose name space the name is in; empty for shared subscriptions of clients
     *     without id and for queues
     * @param name empty for a queue's and for an unshared non-durable one
     */
    public record Terms(
            String clientId,
            String name,
            String topic,
            boolean durable,
            boolean shared,
            boolean noLocal,
            String selector) {
        /** What a name is unique by. */
        public String key() {
            return clientId.length() + ":" + clientId + name;
        }
    }

    private final long id;
    private final Terms terms;
    private final Topic topic;
    private final List<Cursor> cursors;

    /**
     * A subscription that starts at the end of the topic's logs.
     *
     * @param id positive for durable ones, negative for those that no record knows
     */
    public Subscription(long id, Terms terms, Topic topic) {
        this.id = id;
        this.terms = terms;
        this.topic = topic;
        this.cursors = new ArrayList<>(topic.partitions().size());
        topic.partitions().forEach(this::add);
    }

    /** Starts at the end of a partition's log. */
    final void add(Partition partition) {
        cursors.add(new Cursor(this, partition, partition.log().endSequence()));
    }

    /** Positive for durable ones, negative for others; unique in the epoch. */
    public long id() {
        return id;
    }

    /** Identity and terms. */
    public Terms terms() {
        return terms;
    }

    /** What it reads. */
    public Topic topic() {
        return topic;
    }

    /** True if records change it and restarts keep it. */
    public boolean isDurable() {
        return terms.durable();
    }

    /** One cursor per partition, by number. */
    public List<Cursor> cursors() {
        return cursors;
    }

    /** Messages neither acknowledged nor held by a prepared branch, held or not by consumers. */
    public long backlog() {
        long backlog = 0;
        for (Cursor cursor : cursors) {
            backlog += cursor.backlog();
        }
        return backlog;
    }

    /** True while a prepared branch holds messages of it. */
    public boolean isLocked() {
        return cursors.stream().anyMatch(Cursor::isLocked);
    }

    @Override
    public String toString() {
        return "subscription " + id + " on " + topic;
    }
}
