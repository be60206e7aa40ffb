package org.metaq.broker;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
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
import org.metaq.protocol.StartPosition;
import org.metaq.selector.Selector;
import org.metaq.store.journal.JournalRecord.Need;
import org.metaq.store.log.MemoryLog;

/** Destinations, temporary ones too, subscriptions and consumers. Confined to the writer thread. */
final class Subscriptions {
    private final BrokerContext context;
    private final Deliveries deliveries;
    private final Settlements settlements;

    /** Shared non-durable subscriptions by {@link Subscription.Terms#key}. */
    private final Map<String, Subscription> sharedVolatile = new HashMap<>();

    private final Map<Topic, BrokerConnection> temporaryOwners = new HashMap<>();
    private int nextTemporary = 1;

    Subscriptions(BrokerContext context, Deliveries deliveries, Settlements settlements) {
        this.context = context;
        this.deliveries = deliveries;
        this.settlements = settlements;
    }

    /** A new epoch: finds again what durable subscriptions leave out. */
    void startEpoch() {
        for (Subscription subscription : context.state.subscriptions()) {
            try {
                filter(subscription, subscription.terms().clientId());
            } catch (RefusedException e) {
                throw new IllegalStateException(
                        "the selector of " + subscription + " is not one any more: " + e.text(), e);
            }
            context.ready.add(subscription.topic());
        }
    }

    /**
     * Sets what a subscription of a topic leaves out.
     *
     * @param origin names the messages of its own connection or client id
     */
    private void filter(Subscription subscription, String origin) throws RefusedException {
        if (!subscription.topic().name().kind().isQueue()) {
            subscription.filter(SubscriptionFilter.of(subscription.terms(), origin, context.heads));
        }
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
        PhysicalName name;
        try {
            name =
                    c.name().isEmpty()
                            ? newName(connection, c.kind())
                            : PhysicalName.parse(c.name());
        } catch (IllegalArgumentException e) {
            BrokerContext.error(
                    connection, c.opaque(), ErrorCode.BAD_REQUEST, String.valueOf(e.getMessage()));
            return;
        }
        Topic existing = context.temporaryTopics.get(name.text());
        if (name.kind() != c.kind()) {
            BrokerContext.error(
                    connection,
                    c.opaque(),
                    ErrorCode.BAD_REQUEST,
                    c.name() + " is not the name of a temporary destination of this kind");
        } else if (existing == null) {
            createTemporary(connection, name);
            BrokerContext.ok(connection, c.opaque(), name.text() + " 0");
        } else if (temporaryOwners.get(existing) == connection) {
            BrokerContext.ok(connection, c.opaque(), name.text() + " 0");
        } else {
            BrokerContext.error(
                    connection,
                    c.opaque(),
                    ErrorCode.DESTINATION_IN_USE,
                    c.name() + " belongs to another connection");
        }
    }

    /** A client may have taken any name; see {@link Command.CreateTemporary}. */
    private PhysicalName newName(BrokerConnection connection, DestinationKind kind) {
        PhysicalName name;
        do {
            name = new PhysicalName(kind, connection.id() + "-" + nextTemporary++);
        } while (context.temporaryTopics.containsKey(name.text()));
        return name;
    }

    private void createTemporary(BrokerConnection connection, PhysicalName name) {
        Topic topic = new Topic(name, 1, number -> new MemoryLog(name.text()));
        context.temporaryTopics.put(topic.text(), topic);
        connection.temporaryTopics.add(topic);
        temporaryOwners.put(topic, connection);
        if (name.kind().isQueue()) {
            addVolatile(
                    new Subscription.Terms("", "", topic.text(), false, true, false, ""), topic);
        }
    }

    /** Temporary destinations go over to the connection that takes another's place. */
    void moveTemporaries(BrokerConnection from, BrokerConnection to) {
        from.temporaryTopics.forEach(topic -> temporaryOwners.put(topic, to));
        to.temporaryTopics.addAll(from.temporaryTopics);
        from.temporaryTopics.clear();
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
        context.temporaryDelays.drop(topic);
        topic.delete();
    }

    // ---- subscriptions

    void subscribe(BrokerConnection connection, Command.Subscribe c) {
        try {
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
            if (c.options().start() != null) {
                throw new RefusedException(
                        ErrorCode.BAD_REQUEST,
                        "a queue has no start position for a consumer: an operator can reset it");
            }
            Subscription queue = topic.subscriptions().iterator().next();
            open(connection, c, queue, SubscriptionFilter.selector(c.selector()));
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
                        c.selector().isBlank() ? "" : c.selector());
        SubscriptionFilter.of(terms, "", context.heads);
        if (c.durable()) {
            subscribeDurable(connection, c, terms, topic);
        } else {
            subscribeVolatile(connection, c, terms, topic);
        }
    }

    private void subscribeDurable(
            BrokerConnection connection, Command.Subscribe c, Subscription.Terms terms, Topic topic)
            throws RefusedException {
        Subscription existing = context.state.durable(terms.key());
        if (existing != null) {
            checkTerms(existing, terms);
            checkNotReset(c, existing);
        }
        StartPosition start = c.options().start();
        boolean isNew = existing == null || !existing.terms().equals(terms);
        long[] starts =
                start != null && (isNew || c.options().resets()) ? Starts.of(topic, start) : null;
        Records.subscribe(context.batch.body(), terms);
        context.batch.add(
                RecordType.SUBSCRIBE,
                Need.SYNC,
                applied -> {
                    if (applied instanceof Applied.Subscribed subscribed) {
                        openChecked(connection, c, terms, subscribed.subscription());
                    } else {
                        BrokerContext.answer(connection, c.opaque(), "").accept(applied);
                    }
                });
        if (starts != null) {
            reset(terms, starts, BrokerContext::ignore);
        }
    }

    private void reset(Subscription.Terms terms, long[] starts, Consumer<Applied> completion) {
        Records.reset(context.batch.body(), terms.clientId(), terms.name(), terms.topic(), starts);
        context.batch.add(RecordType.RESET, Need.SYNC, completion);
    }

    /**
     * Moves a durable subscription, or a queue's, that has no open consumer.
     *
     * @param name of the subscription; empty: the queue's
     */
    void reset(String clientId, String name, Topic topic, StartPosition start, Answer answer) {
        Subscription subscription =
                name.isEmpty() && topic.name().kind().isQueue()
                        ? topic.subscriptions().iterator().next()
                        : context.state.durable(Subscription.Terms.key(clientId, name));
        if (subscription == null || subscription.topic() != topic) {
            answer.refused(
                    ErrorCode.NO_SUCH_SUBSCRIPTION,
                    "%s has no durable subscription '%s' of client id '%s'"
                            .formatted(topic, name, clientId));
        } else if (deliveries.isActive(subscription)) {
            answer.refused(
                    ErrorCode.SUBSCRIPTION_IN_USE,
                    subscription + " has open consumers: close them first");
        } else {
            try {
                long[] starts = Starts.of(topic, start);
                reset(subscription.terms(), starts, answer.whenApplied(describe(starts)));
            } catch (RefusedException e) {
                answer.refused(e.code(), e.text());
            }
        }
    }

    private static String describe(long[] starts) {
        return "starts at the sequences "
                + Arrays.stream(starts)
                        .mapToObj(s -> s == Records.END_OF_LOG ? "end" : Long.toString(s))
                        .collect(Collectors.joining(", "));
    }

    private void openChecked(
            BrokerConnection connection,
            Command.Subscribe c,
            Subscription.Terms terms,
            Subscription subscription) {
        try {
            filter(subscription, terms.clientId());
            if (!connection.isGone) {
                checkTerms(subscription, terms);
                open(connection, c, subscription, null);
            }
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
            open(connection, c, startVolatile(connection, c, terms, topic), null);
            return;
        }
        Subscription existing = sharedVolatile.get(terms.key());
        if (existing == null) {
            existing = startVolatile(connection, c, terms, topic);
            sharedVolatile.put(terms.key(), existing);
        } else {
            checkTerms(existing, terms);
            checkNotReset(c, existing);
        }
        open(connection, c, existing, null);
    }

    private void checkNotReset(Command.Subscribe c, Subscription existing) throws RefusedException {
        if (c.options().start() != null && c.options().resets() && deliveries.isActive(existing)) {
            throw new RefusedException(
                    ErrorCode.SUBSCRIPTION_IN_USE,
                    "the subscription '"
                            + c.subscription()
                            + "' has other consumers: it is not reset under them");
        }
    }

    private Subscription startVolatile(
            BrokerConnection connection, Command.Subscribe c, Subscription.Terms terms, Topic topic)
            throws RefusedException {
        StartPosition start = c.options().start();
        long[] starts = start == null ? null : Starts.of(topic, start);
        Subscription subscription = addVolatile(terms, topic);
        filter(subscription, connection.clientId.isEmpty() ? connection.id() : connection.clientId);
        if (starts != null) {
            subscription.reset(starts);
        }
        return subscription;
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

    private void open(
            BrokerConnection connection,
            Command.Subscribe c,
            Subscription subscription,
            @Nullable Selector selector) {
        deliveries.open(connection, c.consumerId(), subscription, selector);
        if (!c.options().redelivery().isEmpty()) {
            connection.redeliveryOptions.put(subscription, c.options().redelivery());
        }
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
            Settlements.notAcquired(connection, c.opaque());
        } else {
            connection.holdings.remove(c.undelivered(), settlements::giveBack);
            close(consumer);
            BrokerContext.ok(connection, c.opaque(), "");
        }
    }

    /** A non-durable subscription lives as long as it has consumers; a temporary queue's longer. */
    private void close(ConsumerState consumer) {
        Subscription subscription = consumer.subscription();
        boolean wasLast = deliveries.close(consumer);
        forgetOptions(consumer.connection, subscription);
        if (wasLast && !subscription.isDurable() && !subscription.topic().name().kind().isQueue()) {
            removeVolatile(subscription);
        }
    }

    /** What a consumer asked for counts as long as the connection holds messages of it. */
    private static void forgetOptions(BrokerConnection connection, Subscription subscription) {
        if (!connection.redeliveryOptions.isEmpty()
                && !connection.holdings.holds(subscription)
                && connection.consumers.values().stream()
                        .noneMatch(c -> c.subscription() == subscription)) {
            connection.redeliveryOptions.remove(subscription);
        }
    }

    /** A connection is gone: its consumers and temporary destinations go with it. */
    void disconnected(BrokerConnection connection) {
        List.copyOf(connection.consumers.values()).forEach(this::close);
        connection.holdings.drain(settlements::giveBackSuspect);
        List.copyOf(connection.temporaryTopics).forEach(this::delete);
        connection.temporaryTopics.clear();
    }
}
