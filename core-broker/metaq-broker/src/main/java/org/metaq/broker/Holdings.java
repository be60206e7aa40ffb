package org.metaq.broker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.metaq.broker.state.Cursor;
import org.metaq.broker.state.SequenceSet;
import org.metaq.broker.state.Subscription;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.Settlement;

/** Messages that one connection, or one branch, holds: acquired and not settled. */
final class Holdings {
    private record Key(long subscriptionId, int partition) {}

    private record Held(Cursor cursor, SequenceSet sequences) {}

    private final Map<Key, Held> byKey = new HashMap<>();

    boolean isEmpty() {
        return byKey.values().stream().allMatch(held -> held.sequences().isEmpty());
    }

    /** True if a message of the subscription is held here. */
    boolean holds(Subscription subscription) {
        return byKey.values().stream()
                .anyMatch(
                        held ->
                                held.cursor().subscription() == subscription
                                        && !held.sequences().isEmpty());
    }

    void add(Cursor cursor, long first, long last) {
        Key key = new Key(cursor.subscription().id(), cursor.partition().number());
        byKey.computeIfAbsent(key, k -> new Held(cursor, new SequenceSet()))
                .sequences()
                .add(first, last);
    }

    /** True if every message of the settlement is held here. */
    boolean containsAll(Settlement settlement) {
        for (Settlement.Entry entry : settlement.entries()) {
            Held held = byKey.get(new Key(entry.subscriptionId(), entry.partition()));
            if (held == null || !entry.ranges().stream().allMatch(held.sequences()::containsAll)) {
                return false;
            }
        }
        return true;
    }

    /** Gives away what {@link #containsAll} found. */
    void remove(Settlement settlement, BiConsumer<Cursor, SequenceRange> to) {
        for (Settlement.Entry entry : settlement.entries()) {
            Key key = new Key(entry.subscriptionId(), entry.partition());
            Held held = byKey.get(key);
            if (held != null) {
                for (SequenceRange range : entry.ranges()) {
                    held.sequences().remove(range.first(), range.last());
                    to.accept(held.cursor(), range);
                }
                if (held.sequences().isEmpty()) {
                    byKey.remove(key);
                }
            }
        }
    }

    /** Gives all away. */
    void drain(BiConsumer<Cursor, SequenceRange> to) {
        byKey.values()
                .forEach(
                        held ->
                                held.sequences()
                                        .ranges()
                                        .forEach(range -> to.accept(held.cursor(), range)));
        byKey.clear();
    }

    /** What is held of durable subscriptions. */
    Settlement durable() {
        List<Settlement.Entry> entries = new ArrayList<>();
        byKey.forEach(
                (key, held) -> {
                    if (held.cursor().subscription().isDurable() && !held.sequences().isEmpty()) {
                        entries.add(
                                new Settlement.Entry(
                                        key.subscriptionId(),
                                        key.partition(),
                                        held.sequences().ranges()));
                    }
                });
        return new Settlement(entries);
    }

    /** Every held range of durable subscriptions, with its cursor. */
    void forEachDurable(BiConsumer<Cursor, SequenceRange> consumer) {
        forEach(true, consumer);
    }

    /** Every held range of subscriptions that no record knows, with its cursor. */
    void forEachVolatile(BiConsumer<Cursor, SequenceRange> consumer) {
        forEach(false, consumer);
    }

    private void forEach(boolean isDurable, BiConsumer<Cursor, SequenceRange> consumer) {
        for (Held held : byKey.values()) {
            if (held.cursor().subscription().isDurable() == isDurable) {
                held.sequences().ranges().forEach(range -> consumer.accept(held.cursor(), range));
            }
        }
    }
}
