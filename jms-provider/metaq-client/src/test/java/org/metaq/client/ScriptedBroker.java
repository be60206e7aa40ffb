package org.metaq.client;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.metaq.protocol.Command;
import org.metaq.protocol.CommandCodec;
import org.metaq.protocol.CommandLine;
import org.metaq.protocol.Delivery;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.ProtocolException;
import org.metaq.protocol.Reply;

/**
 * A broker on a real socket that plays a script: it expects commands in order, answers as told, and
 * fails on anything else; {@link #verify} and {@link #close} then throw what went wrong.
 *
 * <p>Heartbeats are answered and {@code quit} hangs up, unless the script says otherwise; standing
 * orders ({@link #always}) answer what the script does not expect next. The script is shared by all
 * connections. Thread-safe: guarded by itself.
 */
public final class ScriptedBroker implements AutoCloseable {
    private static final long WAIT_SECONDS = 10;

    private final ServerSocket server;
    private final ArrayDeque<Step<?>> script = new ArrayDeque<>();
    private final Map<Class<?>, Step<?>> standing = new HashMap<>();
    private final List<Peer> peers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private boolean answersHeartbeats = true;

    /** Listens on a free loopback port. */
    public ScriptedBroker() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("scripted-broker-accept", this::acceptAll);
    }

    /** Where it listens. */
    public Address address() {
        return new Address("127.0.0.1", server.getLocalPort());
    }

    // ---- script

    /** Expects {@code open} and answers connection c1, broker 0, epoch 1, messages up to 1 MiB. */
    public Step<Command.Open> expectOpen() {
        return expect(Command.Open.class).thenOk("c1 0 1 1048576 store-1 60");
    }

    /** Expects this command next; without a {@code then…} it is left unanswered. */
    public synchronized <C extends Command> Step<C> expect(Class<C> type) {
        Step<C> step = new Step<>(type);
        script.add(step);
        return step;
    }

    /** Answers each such command that the script does not expect next. */
    public synchronized <C extends Command> Step<C> always(Class<C> type) {
        Step<C> step = new Step<>(type);
        standing.put(type, step);
        return step;
    }

    /** From now on {@code version} is read and not answered. */
    public synchronized void ignoreHeartbeats() {
        answersHeartbeats = false;
    }

    /** A command of the script: what it must be, and what is done when it comes. */
    public final class Step<C extends Command> {
        private final Class<C> type;
        private final List<Consumer<C>> checks = new ArrayList<>();
        private final List<Action<C>> actions = new ArrayList<>();
        private final CountDownLatch met = new CountDownLatch(1);
        private volatile C command;
        private volatile Peer peer;

        private Step(Class<C> type) {
            this.type = type;
        }

        /** Has an assertion made on the command. */
        public Step<C> matching(Consumer<C> check) {
            synchronized (ScriptedBroker.this) {
                checks.add(check);
            }
            return this;
        }

        /** Answers success with a text. */
        public Step<C> thenOk(String text) {
            return then((c, p) -> p.write(Reply.encodeResult(Reply.OK, text, c.opaque())));
        }

        /** Answers an error. */
        public Step<C> thenError(ErrorCode code, String message) {
            return then(
                    (c, p) ->
                            p.write(
                                    Reply.encodeResult(
                                            code.status(),
                                            code.name() + ' ' + message,
                                            c.opaque())));
        }

        /** Answers data. */
        public Step<C> thenValue(byte[] body) {
            return then((c, p) -> p.write(valueFrame(c.opaque(), body)));
        }

        /** Cuts the connection. */
        public Step<C> thenHangUp() {
            return then((c, p) -> p.hangUp());
        }

        /** Does whatever the test wants. */
        public Step<C> then(Action<C> action) {
            synchronized (ScriptedBroker.this) {
                actions.add(action);
            }
            return this;
        }

        /** The command, as soon as it has come. */
        public C await() throws InterruptedException {
            if (!met.await(WAIT_SECONDS, TimeUnit.SECONDS)) {
                verifyNoFailure();
                throw new AssertionError("no " + type.getSimpleName() + " came");
            }
            return command;
        }

        /** True if the command has come. */
        public boolean isMet() {
            return met.getCount() == 0;
        }

        /** Answers a command that was left unanswered: success with a text. */
        public void replyOk(String text) throws Exception {
            C c = await();
            peer.write(Reply.encodeResult(Reply.OK, text, c.opaque()));
        }

        /** Answers a command that was left unanswered: data. */
        public void replyValue(byte[] body) throws Exception {
            C c = await();
            peer.write(valueFrame(c.opaque(), body));
        }

        /** Writes any bytes to the connection of the command. */
        public void write(byte[] bytes) throws Exception {
            await();
            peer.write(bytes);
        }

        /** Cuts the connection of the command. */
        public void hangUp() throws Exception {
            await();
            peer.hangUp();
        }

        private void meet(C c, Peer from) throws IOException {
            checks.forEach(check -> check.accept(c));
            command = c;
            peer = from;
            for (Action<C> action : actions) {
                action.accept(c, from);
            }
            met.countDown();
        }
    }

    /** What is done when a command has come. */
    public interface Action<C extends Command> {
        /** Runs on the connection's thread, under the broker's lock. */
        void accept(C command, Peer peer) throws IOException;
    }

    // ---- bytes

    /** A {@code value} reply. */
    public static byte[] valueFrame(int opaque, byte[] body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(Reply.encodeValueLine(body.length, opaque));
        out.writeBytes(body);
        return out.toByteArray();
    }

    /** Body of an {@code acquire} reply: messages without envelope, of {@code sequence} as text. */
    public static byte[] deliveries(int partition, long firstSequence, int count) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteBuffer bytes = ByteBuffer.allocate(Delivery.PREFIX_LENGTH);
        Delivery.putPrefix(bytes, partition, firstSequence, 1, false, count);
        out.writeBytes(bytes.array());
        for (long sequence = firstSequence; sequence < firstSequence + count; sequence++) {
            byte[] body = Long.toString(sequence).getBytes(StandardCharsets.US_ASCII);
            ByteBuffer message =
                    ByteBuffer.allocate(
                            org.metaq.protocol.MessageFormat.HEADER_LENGTH + body.length);
            message.putInt(body.length);
            message.position(org.metaq.protocol.MessageFormat.HEADER_LENGTH);
            message.put(body);
            out.writeBytes(message.array());
        }
        return out.toByteArray();
    }

    // ---- connections

    /** One client's connection. */
    public static final class Peer {
        private final Socket socket;

        private Peer(Socket socket) {
            this.socket = socket;
        }

        /** Writes bytes as they are. */
        public synchronized void write(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
        }

        /** Closes the socket. */
        public void hangUp() throws IOException {
            socket.close();
        }
    }

    private void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        synchronized (this) {
            threads.add(thread);
        }
        thread.start();
    }

    private void acceptAll() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                Peer peer = new Peer(socket);
                synchronized (this) {
                    peers.add(peer);
                }
                start("scripted-broker-peer", () -> serve(peer));
            } catch (IOException e) {
                if (!server.isClosed()) {
                    fail(e);
                }
            }
        }
    }

    private void serve(Peer peer) {
        try (Socket socket = peer.socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (Command c = read(in); c != null; c = read(in)) {
                play(c, peer);
            }
        } catch (IOException e) {
            // The client, or the script, has cut the connection: the script says if that is wrong.
        } catch (ProtocolException | AssertionError | RuntimeException e) {
            fail(e);
        }
    }

    private static Command read(InputStream in) throws IOException, ProtocolException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int b = in.read();
        while (b >= 0 && b != '\n') {
            bytes.write(b);
            b = in.read();
        }
        if (b < 0) {
            return null;
        }
        CommandLine line = CommandLine.parse(bytes.toByteArray(), 0, bytes.size() - 1);
        int length = CommandCodec.bodyLength(line);
        byte[] body = in.readNBytes(Math.max(0, length));
        return CommandCodec.decode(line, ByteBuffer.wrap(body));
    }

    private synchronized void play(Command c, Peer peer) throws IOException {
        Step<?> next = script.peek();
        if (next != null && next.type.isInstance(c)) {
            script.remove();
            meet(next, c, peer);
        } else if (standing.containsKey(c.getClass())) {
            meet(standing.get(c.getClass()), c, peer);
        } else if (c instanceof Command.Version) {
            if (answersHeartbeats) {
                peer.write(Reply.encodeResult(Reply.OK, "scripted", c.opaque()));
            }
        } else if (c instanceof Command.Quit) {
            peer.hangUp();
        } else {
            throw new AssertionError(
                    "expected "
                            + (next == null ? "nothing" : next.type.getSimpleName())
                            + " but got "
                            + c);
        }
    }

    private static <C extends Command> void meet(Step<C> step, Command c, Peer peer)
            throws IOException {
        step.meet(step.type.cast(c), peer);
    }

    private synchronized void fail(Throwable failure) {
        failures.add(failure);
    }

    // ---- end

    private synchronized void verifyNoFailure() {
        if (!failures.isEmpty()) {
            throw new AssertionError("the script was not followed", failures.get(0));
        }
    }

    /** Throws unless the whole script was played and nothing else came. */
    public synchronized void verify() {
        verifyNoFailure();
        if (!script.isEmpty()) {
            throw new AssertionError(
                    "not met: " + script.stream().map(s -> s.type.getSimpleName()).toList());
        }
    }

    /** Closes all sockets, ends its threads, and throws if something came that was not expected. */
    @Override
    public void close() throws Exception {
        server.close();
        List<Thread> ending;
        synchronized (this) {
            for (Peer peer : peers) {
                peer.hangUp();
            }
            ending = List.copyOf(threads);
        }
        for (Thread thread : ending) {
            thread.join(TimeUnit.SECONDS.toMillis(WAIT_SECONDS));
        }
        verifyNoFailure();
    }
}
