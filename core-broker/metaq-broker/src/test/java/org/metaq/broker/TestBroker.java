package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.common.BranchId;
import org.metaq.common.Checksums;
import org.metaq.common.Clock;
import org.metaq.common.DestinationKind;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.Command;
import org.metaq.protocol.CommandCodec;
import org.metaq.protocol.Durability;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.MessageFormat;
import org.metaq.protocol.Settlement;
import org.metaq.protocol.SubscribeOptions;
import org.metaq.store.io.DiskDirectory;
import org.metaq.store.io.StoreDirectory;
import org.metaq.store.journal.BusyException;
import org.metaq.store.journal.Journal;
import org.metaq.store.journal.JournalOptions;

/**
 * A broker on a real directory under a clock that the test moves; its clients live in this thread.
 */
class TestBroker implements Clock {
    private final Path root;
    private final BrokerConfig config;
    private long nowMs = 1_700_000_000_000L;
    Broker broker;

    /** The journal takes nothing. */
    boolean isBusy;

    /** Free space that the broker is told. */
    long usableBytes = Long.MAX_VALUE;

    TestBroker(Path root, BrokerConfig config) {
        this.root = root;
        this.config = config;
        this.broker = start();
    }

    JournalOptions journal() {
        return JournalOptions.DEFAULT.withLengths(1 << 20, 4 << 20);
    }

    private Broker start() {
        StoreDirectory directory = directory();
        StoreViews views = new StoreViews(directory, config.maxSegmentSizeBytes());
        Journal journal = refusing(views.openJournal(journal()));
        return Broker.openOver(config, views, journal, directory, this, Runnable::run);
    }

    /** The journal, but for what it refuses. */
    private Journal refusing(Journal real) {
        InvocationHandler handler =
                (proxy, method, arguments) -> {
                    if (isBusy && method.getName().equals("append")) {
                        throw new BusyException("the test wants it so");
                    }
                    return invoke(real, method, arguments);
                };
        return (Journal)
                Proxy.newProxyInstance(
                        Journal.class.getClassLoader(), new Class<?>[] {Journal.class}, handler);
    }

    private static Object invoke(Object target, Method method, Object[] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** The real directory, but for the free space. */
    StoreDirectory directory() {
        StoreDirectory real = DiskDirectory.open(root);
        InvocationHandler handler =
                (proxy, method, arguments) -> {
                    if (method.getName().equals("usableBytes")) {
                        return usableBytes;
                    }
                    return invoke(real, method, arguments);
                };
        return (StoreDirectory)
                Proxy.newProxyInstance(
                        StoreDirectory.class.getClassLoader(),
                        new Class<?>[] {StoreDirectory.class},
                        handler);
    }

    /** As after kill -9: nothing is closed, what was written to files is there. */
    void crash() {
        broker = start();
    }

    void restart() {
        broker.close();
        broker = start();
    }

    /** As if someone set the clock. */
    void setClockBack(long ms) {
        nowMs -= ms;
    }

    void advance(long ms) {
        nowMs += ms;
        broker.doWork();
    }

    @Override
    public long wallMs() {
        return nowMs;
    }

    @Override
    public long monotonicNs() {
        return nowMs * 1_000_000L;
    }

    Client connect() {
        return new Client("");
    }

    Client connect(String clientId) {
        return new Client(clientId);
    }

    /** A client of MetaQ's own commands, which does not open a session. */
    Client connectClassic() {
        return new Client(null);
    }

    /** A message as a test sees it. */
    record Received(long sequence, int deliveryCount, boolean redelivered, String text) {}

    /** The payload of a stored message as text. */
    static String text(byte[] message) {
        ByteBuffer in = ByteBuffer.wrap(message);
        int payload = MessageFormat.HEADER_LENGTH;
        if (MessageFormat.hasAttribute(in.getInt(MessageFormat.FLAG_OFFSET))) {
            payload += Integer.BYTES + in.getInt(MessageFormat.HEADER_LENGTH);
        }
        return new String(message, payload, message.length - payload, StandardCharsets.UTF_8);
    }

    final class Client {
        final TestLink link = new TestLink();
        final BrokerConnection connection = broker.connect(link);
        private int opaque;

        Client(@Nullable String clientId) {
            if (clientId == null) {
                return;
            }
            ok(o -> new Command.Open(CommandCodec.PROTOCOL_VERSION, "", "", clientId, o));
        }

        interface Request {
            Command of(int opaque);
        }

        int submit(Request request) {
            int number = submitOnly(request);
            broker.doWork();
            return number;
        }

        /** Leaves the work to a later doWork. */
        int submitOnly(Request request) {
            int number = ++opaque;
            broker.submit(connection, request.of(number));
            return number;
        }

        String ok(Request request) {
            var result = link.results.get(submit(request));
            assertThat(result).as("an answer").isNotNull();
            assertThat(result.status()).as(result.text()).isEqualTo(200);
            return result.text();
        }

        /** Status, a blank and the text of the answer. */
        String answer(Request request) {
            var result = link.results.get(submit(request));
            assertThat(result).as("an answer").isNotNull();
            return result.status() + " " + result.text();
        }

        @Nullable ErrorCode error(Request request) {
            var result = link.results.get(submit(request));
            assertThat(result).as("an answer").isNotNull();
            return result.error();
        }

        String queue(String name) {
            return ok(o -> new Command.Resolve(DestinationKind.QUEUE, name, o)).split(" ")[0];
        }

        String topic(String name) {
            return ok(o -> new Command.Resolve(DestinationKind.TOPIC, name, o)).split(" ")[0];
        }

        long consume(int consumerId, String topic) {
            return subscribe(consumerId, topic, "", false, false);
        }

        long subscribe(int consumerId, String topic, String name, boolean durable, boolean shared) {
            return Long.parseLong(
                    ok(
                            o ->
                                    new Command.Subscribe(
                                            consumerId,
                                            topic,
                                            name,
                                            durable,
                                            shared,
                                            false,
                                            "",
                                            o)));
        }

        Request sendOf(
                String topic, String text, @Nullable BranchId branch, long producer, long number) {
            ByteBuffer body = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            return o ->
                    new Command.Send(
                            topic,
                            -1,
                            0,
                            Checksums.messageChecksum(body),
                            producer,
                            number,
                            Durability.POLICY,
                            branch,
                            body,
                            o);
        }

        /** A JMS message; its text is the payload. */
        String send(String topic, TestMessage message) {
            ByteBuffer body = message.body();
            return ok(
                    o ->
                            new Command.Send(
                                    topic,
                                    -1,
                                    message.flag(),
                                    Checksums.messageChecksum(body),
                                    0,
                                    0,
                                    Durability.POLICY,
                                    null,
                                    body,
                                    o));
        }

        /** Opens a consumer with a selector. */
        long select(int consumerId, String topic, String selector) {
            return subscribe(consumerId, topic, "", false, false, selector, SubscribeOptions.NONE);
        }

        long subscribe(
                int consumerId,
                String topic,
                String name,
                boolean durable,
                boolean shared,
                String selector,
                SubscribeOptions options) {
            return Long.parseLong(
                    ok(
                            o ->
                                    new Command.Subscribe(
                                            consumerId,
                                            topic,
                                            name,
                                            durable,
                                            shared,
                                            false,
                                            selector,
                                            options,
                                            o)));
        }

        void closeConsumer(int consumerId) {
            ok(o -> new Command.CloseConsumer(consumerId, Settlement.NONE, o));
        }

        String send(String topic, String text) {
            return ok(sendOf(topic, text, null, 0, 0));
        }

        String send(String topic, String text, BranchId branch) {
            return ok(sendOf(topic, text, branch, 0, 0));
        }

        int acquire(int consumerId, int max, int waitMs) {
            return submit(o -> new Command.Acquire(consumerId, max, 1 << 20, waitMs, o));
        }

        List<Received> receive(int consumerId, int max) {
            return received(acquire(consumerId, max, 0));
        }

        List<Received> received(int acquireOpaque) {
            List<OutboundDelivery> batch = link.deliveries.get(acquireOpaque);
            assertThat(batch).as("an answer").isNotNull();
            List<Received> received = new ArrayList<>();
            for (OutboundDelivery d : batch) {
                ByteBuffer message = ByteBuffer.allocate(d.message().length());
                d.message().copyTo(message);
                received.add(
                        new Received(
                                d.sequence(),
                                d.deliveryCount(),
                                d.redelivered(),
                                text(message.array())));
            }
            return received;
        }

        List<String> texts(int consumerId, int max) {
            return receive(consumerId, max).stream().map(Received::text).toList();
        }

        Settlement of(long subscriptionId, long first, long last) {
            return new Settlement(
                    List.of(
                            new Settlement.Entry(
                                    subscriptionId, 0, List.of(new SequenceRange(first, last)))));
        }

        void acknowledge(long subscriptionId, long first, long last) {
            ok(o -> new Command.Acknowledge(of(subscriptionId, first, last), o));
        }

        void release(long subscriptionId, long first, long last, boolean delivered) {
            ok(o -> new Command.Release(of(subscriptionId, first, last), delivered, o));
        }

        void begin(BranchId branch) {
            ok(o -> new Command.Begin(branch, 0, Command.BeginMode.NEW, 0, o));
        }

        void end(BranchId branch, Settlement acknowledged) {
            ok(o -> new Command.End(branch, 0, Command.EndMode.SUCCESS, acknowledged, o));
        }

        String prepare(BranchId branch) {
            return ok(o -> new Command.Prepare(branch, o));
        }

        void commit(BranchId branch, boolean onePhase) {
            ok(o -> new Command.Commit(branch, onePhase, Settlement.NONE, o));
        }

        void rollback(BranchId branch) {
            ok(o -> new Command.Rollback(branch, Settlement.NONE, o));
        }

        String recover() {
            return ok(Command.Recover::new);
        }

        void disconnect() {
            broker.disconnect(connection);
            broker.doWork();
        }
    }
}
