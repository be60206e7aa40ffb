package org.metaq.broker;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Applied;
import org.metaq.broker.state.Topic;

/**
 * Keeps topics as they are configured, and tells which there are. Confined to the writer thread.
 */
final class Topics {
    private final BrokerContext context;
    private final Subscriptions subscriptions;
    private final Sequencer sequencer;

    private @Nullable Consumer<List<TopicRegistration>> listener;
    private @Nullable List<TopicRegistration> last;
    private int lastCount;
    private boolean mayDiffer = true;

    Topics(BrokerContext context, Subscriptions subscriptions, Sequencer sequencer) {
        this.context = context;
        this.subscriptions = subscriptions;
        this.sequencer = sequencer;
    }

    /** See {@link Broker#reconfigure}. */
    List<String> reconfigure(TopicCatalog catalog) {
        context.catalog = catalog;
        List<String> deviations = new ArrayList<>();
        for (String name : catalog.names()) {
            Topic topic = context.state.topic(name);
            if (topic == null || topic.partitions().size() < catalog.of(name).numPartitions()) {
                subscriptions.createTopic(name, applied -> noteRefusal(name, applied, deviations));
            }
        }
        sequencer.applyNow();
        noteSurplusPartitions(catalog, deviations);
        mayDiffer = true;
        return deviations;
    }

    private static void noteRefusal(String name, Applied applied, List<String> deviations) {
        if (applied instanceof Applied.Refused refused) {
            deviations.add(name + " was not created or enlarged: " + refused.text());
        }
    }

    private void noteSurplusPartitions(TopicCatalog catalog, List<String> deviations) {
        for (Topic topic : context.state.topics()) {
            int wanted = catalog.of(topic.text()).numPartitions();
            int count = topic.partitions().size();
            if (catalog.isConfigured(topic.text()) && wanted < count) {
                deviations.add(
                        "%s keeps its %d partitions: numPartitions = %d takes none away"
                                .formatted(topic, count, wanted));
            }
        }
    }

    void onChanged(Consumer<List<TopicRegistration>> newListener) {
        listener = newListener;
        last = null;
        mayDiffer = true;
    }

    /** Tells the listener if something changed. */
    void tell() {
        Consumer<List<TopicRegistration>> told = listener;
        if (told == null || (!mayDiffer && context.state.topics().size() == lastCount)) {
            return;
        }
        mayDiffer = false;
        lastCount = context.state.topics().size();
        List<TopicRegistration> topics = new ArrayList<>();
        for (Topic topic : context.state.topics()) {
            if (topic.name().kind().isTemporary() || !context.isServed(topic)) {
                continue;
            }
            TopicSettings settings = context.catalog.of(topic.text());
            topics.add(
                    new TopicRegistration(
                            topic.text(),
                            topic.partitions().size(),
                            settings.acceptPublish(),
                            settings.acceptSubscribe()));
        }
        if (!topics.equals(last)) {
            last = topics;
            told.accept(topics);
        }
    }
}
