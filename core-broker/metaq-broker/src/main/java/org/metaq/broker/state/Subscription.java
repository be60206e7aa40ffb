package org.metaq.broker.state;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.store.log.MessageMeta;

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
            return key(clientId, name);
        }

        /** The {@link #key} of a subscription of this name. */
        public static String key(String clientId, String name) {
            return clientId.length() + ":" + clientId + name;
        }
    }

    private final long id;
    private final Terms terms;
    private final Topic topic;
    private final List<Cursor> cursors;
    private Cursor.@Nullable Filter filter;
    private boolean hasMessageGroups;
    private int prioritiesSeen;

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

    /** Which messages it gets; null: all. For the broker, no part of the state. */
    public Cursor.@Nullable Filter filter() {
        return filter;
    }

    /** Sets {@link #filter}. */
    public void filter(Cursor.@Nullable Filter newFilter) {
        filter = newFilter;
    }

    /** True once a message of a message group was seen. */
    public boolean hasMessageGroups() {
        return hasMessageGroups;
    }

    /** True if a message of this priority was seen in this epoch. */
    public boolean hasSeenPriority(int priority) {
        return (prioritiesSeen & 1 << priority) != 0;
    }

    void seen(int priority, int flags) {
        prioritiesSeen |= 1 << priority;
        hasMessageGroups |= (flags & MessageMeta.FLAG_GROUP) != 0;
    }

    /** One cursor per partition, by number. */
    public List<Cursor> cursors() {
        return cursors;
    }

    /**
     * Moves it to another place.
     *
     * @param starts the first sequence to deliver, by partition; others stay where they are
     */
    public void reset(long[] starts) {
        for (Cursor cursor : cursors) {
            int number = cursor.partition().number();
            if (number < starts.length) {
                cursor.reset(starts[number]);
            }
        }
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
