package org.metaq.jms.session;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.metaq.client.ScriptedBroker;
import org.metaq.common.BranchId;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.Command;
import org.metaq.protocol.Delivery;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.MessageFormat;
import org.metaq.protocol.Reply;
import org.metaq.protocol.Settlement;

/**
 * A scripted broker whose standing orders are a small model of the real one: one partition, all in
 * memory, subscriptions that give and take back messages in order. It is what these tests hold the
 * client against; whether the real broker is such is for the integration tests.
 *
 * <p>Guarded by the scripted broker's lock, under which all orders run.
 */
final class MemoryBroker implements AutoCloseable {
    final ScriptedBroker script;

    /** All commands but acquires, in the order of their arrival. */
    final List<Command> commands = new CopyOnWriteArrayList<>();

    private final Map<String, Long> lengths = new HashMap<>();
    private final Map<String, Group> groups = new LinkedHashMap<>();
    private final Map<Integer, Group> consumers = new HashMap<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private final Map<BranchId, Branch> branches = new LinkedHashMap<>();
    private boolean isRollbackOnly;
    private int connections;
    private int temporaries;
    private long messageIds;

    private static final class Stored {
        final long sequence;
        final byte[] message;
        int releases;

        Stored(long sequence, byte[] message) {
            this.sequence = sequence;
            this.message = message;
        }
    }

    private static final class Group {
        final long id;
        final String topic;
        final TreeMap<Long, Stored> available = new TreeMap<>();
        final TreeMap<Long, Stored> acquired = new TreeMap<>();

        Group(long id, String topic) {
            this.id = id;
            this.topic = topic;
        }
    }

    private static final class Branch {
        final List<Runnable> sends = new ArrayList<>();
        final List<Settlement> consumed = new ArrayList<>();
        boolean isPrepared;
    }

    private record Waiting(Command.Acquire acquire, ScriptedBroker.Peer peer) {}

    MemoryBroker() throws IOException {
        script = new ScriptedBroker();
        on(Command.Open.class, c -> "c" + ++connections + " 0 1 1048576 store-1 60");
        on(Command.SetClientId.class, c -> "");
        on(Command.Resolve.class, c -> physical(c) + " 0");
        on(Command.CreateTemporary.class, c -> "tempqueue@t" + ++temporaries + " 0");
        on(Command.DeleteTemporary.class, c -> "");
        on(Command.Subscribe.class, this::subscribe);
        on(Command.Unsubscribe.class, c -> "");
        on(Command.Send.class, this::send);
        on(Command.Acknowledge.class, c -> settle(c.settlement()));
        on(Command.Release.class, c -> release(c.settlement(), c.delivered()));
        on(Command.Begin.class, c -> begin(c));
        on(Command.End.class, c -> end(c));
        on(Command.Prepare.class, c -> prepare(c));
        on(Command.Commit.class, c -> commit(c));
        on(Command.Rollback.class, c -> rollback(c));
        on(Command.Forget.class, c -> "");
        on(Command.Recover.class, c -> inDoubt());
        on(Command.CloseConsumer.class, this::closeConsumer);
        script.always(Command.Acquire.class).then(this::acquire);
    }

    /** What an order makes of a command. */
    interface Order<C extends Command> {
        String of(C command) throws IOException;
    }

    private <C extends Command> void on(Class<C> type, Order<C> order) {
        script.always(type)
                .then(
                        (c, peer) -> {
                            commands.add(c);
                            String text = order.of(c);
                            byte[] reply = Reply.encodeResult(Reply.OK, text, c.opaque());
                            if (text.startsWith("!")) {
                                ErrorCode code = ErrorCode.valueOf(text.substring(1));
                                reply =
                                        Reply.encodeResult(
                                                code.status(), code.name() + " no", c.opaque());
                            }
                            peer.write(reply);
                            dispatch();
                        });
    }

    /** URI of a connection factory, with these options. */
    String uri(String options) {
        return "metaq://" + script.address() + options;
    }

    /** Commands of a kind, in the order of their arrival. */
    <C extends Command> List<C> commands(Class<C> type) {
        return commands.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static String physical(Command.Resolve c) {
        return (c.kind().isQueue() ? "queue@" : "") + c.name();
    }

    // ---- subscriptions

    private String subscribe(Command.Subscribe c) {
        String key =
                c.topic().contains("queue@")
                        ? c.topic()
                        : c.subscription().isEmpty() ? "#" + c.consumerId() : c.subscription();
        Group group = group(key, c.topic());
        consumers.put(c.consumerId(), group);
        return Long.toString(group.id);
    }

    private Group group(String key, String topic) {
        return groups.computeIfAbsent(key, k -> new Group(groups.size() + 1, topic));
    }

    private void acquire(Command.Acquire c, ScriptedBroker.Peer peer) throws IOException {
        Waiting asked = new Waiting(c, peer);
        if (!answer(asked)) {
            if (c.waitMs() == 0) {
                peer.write(ScriptedBroker.valueFrame(c.opaque(), new byte[0]));
            } else {
                waiting.add(asked);
            }
        }
    }

    private void dispatch() throws IOException {
        for (Waiting asked : List.copyOf(waiting)) {
            if (answer(asked)) {
                waiting.remove(asked);
            }
        }
    }

    private boolean answer(Waiting asked) throws IOException {
        Group group = consumers.get(asked.acquire().consumerId());
        if (group.available.isEmpty()) {
            return false;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < asked.acquire().maxMessages() && !group.available.isEmpty(); i++) {
            Stored stored = group.available.pollFirstEntry().getValue();
            group.acquired.put(stored.sequence, stored);
            ByteBuffer prefix = ByteBuffer.allocate(Delivery.PREFIX_LENGTH);
            Delivery.putPrefix(
                    prefix, 0, stored.sequence, stored.releases + 1, stored.releases > 0, 1);
            out.writeBytes(prefix.array());
            out.writeBytes(stored.message);
        }
        asked.peer().write(ScriptedBroker.valueFrame(asked.acquire().opaque(), out.toByteArray()));
        return true;
    }

    private String closeConsumer(Command.CloseConsumer c) throws IOException {
        for (Waiting asked : List.copyOf(waiting)) {
            if (asked.acquire().consumerId() == c.consumerId()) {
                waiting.remove(asked);
                asked.peer()
                        .write(ScriptedBroker.valueFrame(asked.acquire().opaque(), new byte[0]));
            }
        }
        return release(c.undelivered(), false);
    }

    private String settle(Settlement settlement) {
        return each(settlement, (group, stored) -> {});
    }

    private String release(Settlement settlement, boolean delivered) {
        return each(
                settlement,
                (group, stored) -> {
                    stored.releases += delivered ? 1 : 0;
                    group.available.put(stored.sequence, stored);
                });
    }

    private interface Fate {
        void of(Group group, Stored stored);
    }

    private String each(Settlement settlement, Fate fate) {
        for (Settlement.Entry entry : settlement.entries()) {
            Group group =
                    groups.values().stream()
                            .filter(g -> g.id == entry.subscriptionId())
                            .findFirst()
                            .orElseThrow();
            for (SequenceRange range : entry.ranges()) {
                for (long s = range.first(); s <= range.last(); s++) {
                    Stored stored = group.acquired.remove(s);
                    if (stored == null) {
                        return "!NOT_ACQUIRED";
                    }
                    fate.of(group, stored);
                }
            }
        }
        return "";
    }

    // ---- sends and branches

    private String send(Command.Send c) {
        byte[] body = new byte[c.body().remaining()];
        c.body().duplicate().get(body);
        ByteBuffer message = ByteBuffer.allocate(MessageFormat.HEADER_LENGTH + body.length);
        MessageFormat.putHeader(message, body.length, c.checksum(), ++messageIds, c.flag());
        message.put(body);
        Runnable append = () -> append(c.topic(), message.array());
        if (c.branch() == null) {
            append.run();
        } else {
            branches.computeIfAbsent(c.branch(), b -> new Branch()).sends.add(append);
        }
        return messageIds + " 0 " + (c.branch() == null ? 0 : -1);
    }

    private void append(String topic, byte[] message) {
        long sequence = lengths.merge(topic, 1L, Long::sum) - 1;
        if (topic.contains("queue@")) {
            group(topic, topic);
        }
        for (Group group : groups.values()) {
            if (group.topic.equals(topic)) {
                group.available.put(sequence, new Stored(sequence, message));
            }
        }
    }

    private String begin(Command.Begin c) {
        boolean exists = branches.containsKey(c.branch());
        if (exists == (c.mode() == Command.BeginMode.NEW)) {
            return exists ? "!XAER_DUPID" : "!XAER_NOTA";
        }
        branches.putIfAbsent(c.branch(), new Branch());
        return "";
    }

    private String end(Command.End c) {
        Branch branch = branches.get(c.branch());
        if (branch == null) {
            return "!XAER_NOTA";
        }
        branch.consumed.add(c.acknowledged());
        return "";
    }

    private String prepare(Command.Prepare c) {
        Branch branch = branches.get(c.branch());
        if (branch == null) {
            return "!XAER_NOTA";
        }
        branch.isPrepared = true;
        return "0";
    }

    private String inDoubt() {
        StringBuilder keys = new StringBuilder();
        branches.forEach(
                (id, branch) -> {
                    if (branch.isPrepared) {
                        keys.append(id).append('\n');
                    }
                });
        return keys.toString();
    }

    /** The broker refused a send of the open branch, which from now on can only be rolled back. */
    synchronized void makeRollbackOnly() {
        isRollbackOnly = true;
    }

    private synchronized String commit(Command.Commit c) {
        if (isRollbackOnly) {
            return "!XA_RBROLLBACK";
        }
        Branch branch = branches.remove(c.branch());
        if (branch == null) {
            return c.branch().isXa() ? "!XAER_NOTA" : settle(c.acknowledged());
        }
        branch.sends.forEach(Runnable::run);
        branch.consumed.forEach(consumed -> settle(consumed));
        return settle(c.acknowledged());
    }

    private synchronized String rollback(Command.Rollback c) {
        isRollbackOnly = false;
        Branch branch = branches.remove(c.branch());
        if (branch == null) {
            return "!XAER_NOTA";
        }
        branch.consumed.forEach(consumed -> release(consumed, c.delivered()));
        return release(c.consumed(), c.delivered());
    }

    /** How many messages of a queue are acquired. */
    int acquiredCount(String queue) {
        synchronized (script) {
            return groups.get("queue@" + queue).acquired.size();
        }
    }

    /** How many messages of a queue are not. */
    int availableCount(String queue) {
        synchronized (script) {
            return groups.get("queue@" + queue).available.size();
        }
    }

    @Override
    public void close() throws Exception {
        script.close();
    }
}
