package org.metaq.broker;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Applied;
import org.metaq.broker.state.RecordType;
import org.metaq.broker.state.Records;
import org.metaq.broker.state.Subscription;
import org.metaq.broker.state.Topic;
import org.metaq.common.DestinationKind;
import org.metaq.common.PhysicalName;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.store.journal.JournalRecord.Need;
import org.metaq.store.log.MemoryLog;

/** Destinations, temporary ones too, subscriptions and consumers. Confined to the writer thread. */
final class Subscriptions {
    private final BrokerContext context;
    private final Deliveries deliveries;

    /** Shared non-durable subscriptions by {@link Subscription.Terms#key}. */
    private final Map<String, Subscription> sharedVolatile = new HashMap<>();

    private final Map<Topic, BrokerConnection> temporaryOwners = new HashMap<>();
    private int nextTemporary = 1;

    Subscriptions(BrokerContext context, Deliveries deliveries) {
        this.context = context;
        this.deliveries = deliveries;
    }

    // ---- destinations

    void resolve(BrokerConnection connection, Command.Resolve c) {
        try {
            if (c.kind().isTemporary()) {
                throw new IllegalArgumentException(
                        "a temporary destination is not looked up by name");
            }
            String name = new PhysicalName(c.kind(), c.name()).text();
            resolve(
                    name,
                    applied -> answerTopic(connection, c.opaque(), name, applied),
                    () ->
                            BrokerContext.error(
                                    connection,
                                    c.opaque(),
                                    ErrorCode.NO_SUCH_DESTINATION,
                                    noSuchTopic(name)));
        } catch (IllegalArgumentException e) {
            BrokerContext.error(
                    connection, c.opaque(), ErrorCode.BAD_REQUEST, String.valueOf(e.getMessage()));
        }
    }

    private static String noSuchTopic(String name) {
        return "there is no destination " + name + " and autoCreateDestinations is off";
    }

    /** Finds or creates a topic; exactly one of the two is called, perhaps before this returns. */
    private void resolve(String name, Consumer<Applied> found, Runnable notAllowed) {
        if (context.state.topic(name) != null) {
            found.accept(Applied.Done.DONE);
        } else if (!context.mayServe(name)) {
            notAllowed.run();
        } else {
            createTopic(name, found);
        }
    }

    /** Appends the record that creates a topic; a no-op when it is applied and there is one. */
    void createTopic(String name, Consumer<Applied> completion) {
        Records.createTopic(context.batch.body(), name, context.catalog.of(name).numPartitions());
        context.batch.add(RecordType.CREATE_TOPIC, Need.SYNC, completion);
    }

    private void answerTopic(
            BrokerConnection connection, int opaque, String name, Applied applied) {
        Topic topic = context.topic(name);
        if (topic == null) {
            BrokerContext.answer(connection, opaque, "").accept(applied);
            return;
        }
        StringBuilder text = new StringBuilder(name).append(' ');
        topic.partitions().forEach(p -> text.append(p.number() == 0 ? "" : ",").append(p.number()));
        BrokerContext.ok(connection, opaque, text.toString());
    }

    void createTemporary(BrokerConnection connection, Command.CreateTemporary c) {
        if (!c.kind().isTemporary()) {
            BrokerContext.error(
                    connection,
                    c.opaque(),
                    ErrorCode.BAD_REQUEST,
                    "a temporary destination is a temporary-queue or a temporary-topic");
            return;
        }
        PhysicalName name = new PhysicalName(c.kind(), connection.id() + "-" + nextTemporary++);
        Topic topic = new Topic(name, 1, number -> new MemoryLog(name.text()));
        context.temporaryTopics.put(topic.text(), topic);
        connection.temporaryTopics.add(topic);
        temporaryOwners.put(topic, connection);
        if (c.kind().isQueue()) {
            addVolatile(
                    new Subscription.Terms("", "", topic.text(), false, true, false, ""), topic);
        }
        BrokerContext.ok(connection, c.opaque(), topic.text() + " 0");
    }

    void deleteTemporary(BrokerConnection connection, Command.DeleteTemporary c) {
        Topic topic = context.temporaryTopics.get(c.topic());
        if (topic == null || temporaryOwners.get(topic) != connection) {
            BrokerContext.error(
                    connection,
                    c.opaque(),
                    ErrorCode.NO_SUCH_DESTINATION,
                    "this connection has no temporary destination " + c.topic());
        } else if (topic.subscriptions().stream().anyMatch(deliveries::isActive)) {
            BrokerContext.error(
                    connection,
                    c.opaque(),
                    ErrorCode.DESTINATION_IN_USE,
                    c.topic() + " has open consumers: close them first");
        } else {
            delete(topic);
            connection.temporaryTopics.remove(topic);
            BrokerContext.ok(connection, c.opaque(), "");
        }
    }

    private void delete(Topic topic) {
        List.copyOf(topic.subscriptions()).forEach(this::removeVolatile);
        context.temporaryTopics.remove(topic.text());
        temporaryOwners.remove(topic);
        topic.delete();
    }

    // ---- subscriptions

    void subscribe(BrokerConnection connection, Command.Subscribe c) {
        try {
            if (!c.selector().isBlank()) {
                throw new RefusedException(
                        ErrorCode.INVALID_SELECTOR,
                        "message selectors are not available in this release");
            }
            if (connection.consumers.containsKey(c.consumerId())) {
                throw new RefusedException(
                        ErrorCode.BAD_REQUEST, "consumer " + c.consumerId() + " is open already");
            }
            Topic topic = context.topic(c.topic());
            if (topic == null) {
                throw new RefusedException(
                        ErrorCode.NO_SUCH_DESTINATION, "there is no destination " + c.topic());
            }
            checkOwner(connection, topic);
            checkAcceptsSubscribe(topic);
            subscribe(connection, c, topic);
        } catch (RefusedException e) {
            BrokerContext.error(connection, c.opaque(), e.code(), e.text());
        }
    }

    void checkAcceptsSubscribe(Topic topic) throws RefusedException {
        if (!context.catalog.of(topic.text()).acceptSubscribe()) {
            throw new RefusedException(ErrorCode.FORBIDDEN, topic + " has acceptSubscribe = false");
        }
    }

    /**
     * Jakarta Messaging 3.1 §4.1.5: only the connection that made a temporary destination consumes.
     */
    void checkOwner(BrokerConnection connection, Topic topic) throws RefusedException {
        if (topic.name().kind().isTemporary() && temporaryOwners.get(topic) != connection) {
            throw new RefusedException(
                    ErrorCode.FORBIDDEN, topic + " belongs to another connection");
        }
    }

    private void subscribe(BrokerConnection connection, Command.Subscribe c, Topic topic)
            throws RefusedException {
        if (topic.name().kind().isQueue()) {
            Subscription queue = topic.subscriptions().iterator().next();
            open(connection, c, queue);
            return;
        }
        if (c.durable() && topic.name().kind() == DestinationKind.TEMPORARY_TOPIC) {
            throw new RefusedException(
                    ErrorCode.NO_SUCH_DESTINATION,
                    "a temporary topic has no durable subscriptions");
        }
        if ((c.durable() || c.shared()) && c.subscription().isEmpty()) {
            throw new RefusedException(
                    ErrorCode.BAD_REQUEST, "a durable or shared subscription needs a name");
        }
        if (c.durable() && !c.shared() && connection.clientId.isEmpty()) {
            throw new RefusedException(
                    ErrorCode.BAD_REQUEST,
                    "an unshared durable subscription needs a client id (option clientId)");
        }
        Subscription.Terms terms =
                new Subscription.Terms(
                        connection.clientId,
                        c.subscription(),
                        topic.text(),
                        c.durable(),
                        c.shared(),
                        c.noLocal(),
                        "");
        if (c.durable()) {
            subscribeDurable(connection, c, terms);
        } else {
            subscribeVolatile(connection, c, terms, topic);
        }
    }

    private void subscribeDurable(
            BrokerConnection connection, Command.Subscribe c, Subscription.Terms terms)
            throws RefusedException {
        Subscription existing = context.state.durable(terms.key());
        if (existing != null) {
            checkTerms(existing, terms);
        }
        Records.subscribe(context.batch.body(), terms);
        context.batch.add(
                RecordType.SUBSCRIBE,
                Need.SYNC,
                applied -> {
                    if (connection.isGone) {
                        return;
                    }
                    if (applied instanceof Applied.Subscribed subscribed) {
                        openChecked(connection, c, terms, subscribed.subscription());
                    } else {
                        BrokerContext.answer(connection, c.opaque(), "").accept(applied);
                    }
                });
    }

    private void openChecked(
            BrokerConnection connection,
            Command.Subscribe c,
            Subscription.Terms terms,
            Subscription subscription) {
        try {
            checkTerms(subscription, terms);
            open(connection, c, subscription);
        } catch (RefusedException e) {
            BrokerContext.error(connection, c.opaque(), e.code(), e.text());
        }
    }

    /**
     * Jakarta Messaging 3.1 §4.2.3: an unshared subscription has one consumer; a shared one keeps
     * its terms while it has consumers; without consumers other terms make a new subscription, but
     * a name is never both shared and unshared.
     */
    private void checkTerms(Subscription existing, Subscription.Terms terms)
            throws RefusedException {
        Subscription.Terms old = existing.terms();
        if (old.shared() != terms.shared()) {
            throw new RefusedException(
                    ErrorCode.SUBSCRIPTION_MISMATCH,
                    "the durable subscription '"
                            + terms.name()
                            + "' is "
                            + (old.shared() ? "shared" : "not shared"));
        }
        if (deliveries.isActive(existing)) {
            if (!terms.shared()) {
                throw new RefusedException(
                        ErrorCode.SUBSCRIPTION_IN_USE,
                        "the subscription '" + terms.name() + "' has an active consumer");
            }
            if (!old.equals(terms)) {
                throw new RefusedException(
                        ErrorCode.SUBSCRIPTION_MISMATCH,
                        "the shared subscription '"
                                + terms.name()
                                + "' has active consumers with another topic or selector");
            }
        }
    }

    private void subscribeVolatile(
            BrokerConnection connection, Command.Subscribe c, Subscription.Terms terms, Topic topic)
            throws RefusedException {
        if (!terms.shared()) {
            open(connection, c, addVolatile(terms, topic));
            return;
        }
        Subscription existing = sharedVolatile.get(terms.key());
        if (existing == null) {
            existing = addVolatile(terms, topic);
            sharedVolatile.put(terms.key(), existing);
        } else {
            checkTerms(existing, terms);
        }
        open(connection, c, existing);
    }

    private Subscription addVolatile(Subscription.Terms terms, Topic topic) {
        Subscription subscription = new Subscription(context.nextVolatileId(), terms, topic);
        context.volatileSubscriptions.put(subscription.id(), subscription);
        topic.add(subscription);
        return subscription;
    }

    private void removeVolatile(Subscription subscription) {
        context.volatileSubscriptions.remove(subscription.id());
        sharedVolatile.remove(subscription.terms().key(), subscription);
        subscription.topic().remove(subscription);
        deliveries.removed(subscription);
    }

    private void open(BrokerConnection connection, Command.Subscribe c, Subscription subscription) {
        deliveries.open(connection, c.consumerId(), subscription);
        BrokerContext.ok(connection, c.opaque(), Long.toString(subscription.id()));
    }

    void unsubscribe(BrokerConnection connection, Command.Unsubscribe c) {
        Subscription.Terms key =
                new Subscription.Terms(
                        connection.clientId, c.subscription(), "", true, false, false, "");
        @Nullable Subscription existing = context.state.durable(key.key());
        String use = existing == null ? "" : use(connection, existing);
        if (!use.isEmpty()) {
            BrokerContext.error(
                    connection,
                    c.opaque(),
                    ErrorCode.SUBSCRIPTION_IN_USE,
                    "the subscription '" + c.subscription() + "' has " + use);
            return;
        }
        Records.unsubscribe(context.batch.body(), connection.clientId, c.subscription());
        context.batch.add(
                RecordType.UNSUBSCRIBE,
                Need.SYNC,
                BrokerContext.answer(connection, c.opaque(), ""));
    }

    /**
     * Jakarta Messaging 3.1, Session.unsubscribe: not while there is a consumer, nor while a
     * message is part of a transaction or not acknowledged. Empty: neither.
     */
    private String use(BrokerConnection connection, Subscription subscription) {
        if (deliveries.isActive(subscription)) {
            return "an active consumer";
        }
        boolean isHeld =
                connection.holdings.holds(subscription)
                        || subscription.isLocked()
                        || connection.associations.stream()
                                .anyMatch(branch -> branch.acknowledged.holds(subscription));
        return isHeld ? "messages that are not settled yet" : "";
    }

    // ---- consumers

    void closeConsumer(BrokerConnection connection, Command.CloseConsumer c) {
        ConsumerState consumer = connection.consumers.get(c.consumerId());
        if (consumer == null) {
            Deliveries.noSuchConsumer(connection, c.consumerId(), c.opaque());
        } else if (!connection.holdings.containsAll(c.undelivered())) {
            Deliveries.notAcquired(connection, c.opaque());
        } else {
            connection.holdings.remove(c.undelivered(), deliveries::giveBack);
            close(consumer);
            BrokerContext.ok(connection, c.opaque(), "");
        }
    }

    /** A non-durable subscription lives as long as it has consumers; a temporary queue's longer. */
    private void close(ConsumerState consumer) {
        Subscription subscription = consumer.subscription();
        boolean wasLast = deliveries.close(consumer);
        if (wasLast && !subscription.isDurable() && !subscription.topic().name().kind().isQueue()) {
            removeVolatile(subscription);
        }
    }

    /** A connection is gone: its consumers and temporary destinations go with it. */
    void disconnected(BrokerConnection connection) {
        List.copyOf(connection.consumers.values()).forEach(this::close);
        connection.holdings.drain(deliveries::giveBackSuspect);
        List.copyOf(connection.temporaryTopics).forEach(this::delete);
        connection.temporaryTopics.clear();
    }
}
