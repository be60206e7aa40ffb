package org.metaq.broker;

import org.jspecify.annotations.Nullable;

/**
 * The message groups ({@code JMSXGroupID}) of a subscription: each goes to one consumer as long as
 * that is open. Groups whose names have the same hash share a place, so that memory does not grow
 * with their number. Confined to the writer thread.
 */
final class MessageGroups {
    private static final int PLACES = 1024;

    private final @Nullable ConsumerState[] owners = new ConsumerState[PLACES];
    private final int[] waiting = new int[PLACES];

    private static int place(String groupId) {
        int hash = groupId.hashCode();
        return (hash ^ hash >>> 16) & PLACES - 1;
    }

    /** True if the consumer may take a message of this group. */
    boolean mayTake(String groupId, ConsumerState consumer) {
        int place = place(groupId);
        ConsumerState owner = owners[place];
        return waiting[place] == 0 && (owner == null || owner == consumer);
    }

    /** The consumer takes a message of this group: the group is its own from now on. */
    void taken(String groupId, ConsumerState consumer) {
        owners[place(groupId)] = consumer;
    }

    /** A consumer is closed: its groups go to whoever takes of them next. */
    void closed(ConsumerState consumer) {
        for (int place = 0; place < PLACES; place++) {
            if (owners[place] == consumer) {
                owners[place] = null;
            }
        }
    }

    /** A message of this group waits, and the others behind it. */
    void hold(String groupId) {
        waiting[place(groupId)]++;
    }

    /** A message of this group waits no more. */
    void free(String groupId) {
        waiting[place(groupId)]--;
    }
}
