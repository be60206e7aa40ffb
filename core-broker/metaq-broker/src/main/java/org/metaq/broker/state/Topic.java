package org.metaq.broker.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.metaq.common.PhysicalName;
import org.metaq.store.log.MessageLog;

/** A topic: partitions, and the subscriptions that read them. */
public final class Topic {
    private final PhysicalName name;
    private final String text;
    private final List<Partition> partitions;
    private final Set<Subscription> subscriptions = new LinkedHashSet<>();
    private boolean isDeleted;

    /**
     * A topic with its logs open.
     *
     * @param logs gives the log of a partition number
     */
    public Topic(PhysicalName name, int partitionCount, IntFunction<MessageLog> logs) {
        this.name = name;
        this.text = name.text();
        this.partitions = new ArrayList<>(partitionCount);
        grow(partitionCount, logs);
    }

    /** Adds partitions, and cursors to its subscriptions; does nothing if it has as many. */
    void grow(int partitionCount, IntFunction<MessageLog> logs) {
        for (int number = partitions.size(); number < partitionCount; number++) {
            Partition added = new Partition(this, number, logs.apply(number));
            partitions.add(added);
            subscriptions.forEach(subscription -> subscription.add(added));
        }
    }

    /** Kind and JMS name. */
    public PhysicalName name() {
        return name;
    }

    /** Physical name. */
    public String text() {
        return text;
    }

    /** Its partitions, by number. */
    public List<Partition> partitions() {
        return partitions;
    }

    /** True if it has a partition of this number. */
    public boolean hasPartition(int number) {
        return number >= 0 && number < partitions.size();
    }

    /** Every subscription that reads it, durable or not; the queue's one for a queue. */
    public Collection<Subscription> subscriptions() {
        return subscriptions;
    }

    /** Adds a subscription. */
    public void add(Subscription subscription) {
        subscriptions.add(subscription);
    }

    /** Removes a subscription. */
    public void remove(Subscription subscription) {
        subscriptions.remove(subscription);
    }

    /** True for a temporary destination that is gone. */
    public boolean isDeleted() {
        return isDeleted;
    }

    /** Closes the logs of a temporary destination, which is gone from now on. */
    public void delete() {
        isDeleted = true;
        close();
    }

    void close() {
        partitions.forEach(Partition::close);
    }

    @Override
    public String toString() {
        return text;
    }
}
