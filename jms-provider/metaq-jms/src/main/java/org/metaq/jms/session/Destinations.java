package org.metaq.jms.session;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.common.DestinationKind;
import org.metaq.common.PhysicalName;
import org.metaq.jms.destination.MetaQDestination;
import org.metaq.jms.destination.MetaQTemporaryQueue;
import org.metaq.jms.destination.MetaQTemporaryTopic;
import org.metaq.jms.destination.TemporaryOwner;
import org.metaq.protocol.Command;
import org.metaq.protocol.Reply;

/**
 * Where destinations are at the broker, and the temporary ones of this connection. Thread-safe:
 * concurrent maps, no lock.
 */
final class Destinations implements TemporaryOwner {
    private static final int[] FIRST_PARTITION = {0};

    private final MetaQConnection connection;
    private final Map<MetaQDestination, Target> targets = new ConcurrentHashMap<>();
    private final Set<MetaQDestination> temporaries = ConcurrentHashMap.newKeySet();

    Destinations(MetaQConnection connection) {
        this.connection = connection;
    }

    /**
     * A destination as commands name it.
     *
     * @param physicalName see {@link PhysicalName}
     * @param partitions not empty, ascending; not to be changed
     */
    record Target(String physicalName, int[] partitions) {}

    /**
     * Looks a destination up, once per connection.
     *
     * @throws InvalidDestinationException if there is none, or it is a deleted temporary one
     */
    Target resolve(MetaQDestination destination) throws JMSException {
        try {
            Target known = targets.get(destination);
            return known != null
                    ? known
                    : connection.repeatable(client -> resolve(destination, client));
        } catch (ClientException e) {
            throw JmsErrors.of("look up " + destination, e);
        }
    }

    /**
     * As {@link #resolve(MetaQDestination)}, over this connection and no other.
     *
     * @throws ClientException if there is none, or the connection is lost
     */
    Target resolve(MetaQDestination destination, ClientConnection client) throws ClientException {
        Target known = targets.get(destination);
        if (known != null) {
            return known;
        }
        if (destination.kind().isTemporary()) {
            // Another connection's, or ours and deleted: the broker knows which.
            return new Target(destination.physicalName().text(), FIRST_PARTITION);
        }
        Reply reply =
                client.call(
                        new Command.Resolve(
                                destination.kind(), destination.name(), client.nextOpaque()));
        Target target = target(Replies.text(reply));
        targets.put(destination, target);
        return target;
    }

    /** Forgets what was learnt about a destination that the broker no longer knows. */
    void forget(MetaQDestination destination) {
        targets.remove(destination);
    }

    /** Creates a temporary destination. */
    MetaQDestination createTemporary(DestinationKind kind) throws JMSException {
        Reply reply =
                call(
                        "create a temporary destination",
                        opaque -> new Command.CreateTemporary(kind, opaque));
        Target target = target(Replies.text(reply));
        String name = PhysicalName.parse(target.physicalName()).name();
        MetaQDestination destination =
                kind == DestinationKind.TEMPORARY_QUEUE
                        ? new MetaQTemporaryQueue(name, this)
                        : new MetaQTemporaryTopic(name, this);
        targets.put(destination, target);
        temporaries.add(destination);
        return destination;
    }

    @Override
    public void delete(MetaQDestination destination) throws JMSException {
        if (!temporaries.contains(destination)) {
            return;
        }
        call(
                "delete " + destination,
                opaque -> new Command.DeleteTemporary(destination.physicalName().text(), opaque));
        temporaries.remove(destination);
        targets.remove(destination);
    }

    /**
     * Jakarta Messaging 3.1 §6.2.2: only the connection that made a temporary destination may
     * receive from it.
     */
    void requireReceivable(MetaQDestination destination) throws JMSException {
        if (destination.kind().isTemporary() && !temporaries.contains(destination)) {
            throw new InvalidDestinationException(
                    destination + " was deleted, or belongs to another connection");
        }
    }

    /**
     * On the next connection, before others use it: has the broker know the temporary destinations
     * under the names that they have, so that replies to requests under way still arrive.
     *
     * @param last the connection before
     * @throws ClientException if the next is lost again
     */
    void restore(ClientConnection last, ClientConnection next) throws ClientException {
        boolean isSameStore = next.brokerId() == last.brokerId() && next.epoch() >= last.epoch();
        if (!isSameStore) {
            targets.keySet().retainAll(temporaries);
        }
        for (MetaQDestination temporary : List.copyOf(temporaries)) {
            String name = temporary.physicalName().text();
            try {
                next.call(new Command.CreateTemporary(temporary.kind(), name, next.nextOpaque()));
            } catch (ClientException e) {
                if (e.isConnectionLost() || e.isOutcomeUnknown()) {
                    throw e;
                }
                temporaries.remove(temporary);
                targets.remove(temporary);
                connection.report(JmsErrors.of("take " + temporary + " along", e));
            }
        }
    }

    private Reply call(String doing, IntFunction<Command> command) throws JMSException {
        try {
            return connection.repeatable(client -> client.call(command.apply(client.nextOpaque())));
        } catch (ClientException e) {
            throw JmsErrors.of(doing, e);
        }
    }

    private static Target target(String reply) {
        String[] words = reply.trim().split(" ", -1);
        int[] partitions =
                words.length < 2
                        ? FIRST_PARTITION
                        : Arrays.stream(words[1].split(",", -1))
                                .mapToInt(Integer::parseInt)
                                .toArray();
        return new Target(words[0], partitions);
    }
}
