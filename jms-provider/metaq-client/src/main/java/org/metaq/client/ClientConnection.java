package org.metaq.client;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.Command;
import org.metaq.protocol.CommandCodec;
import org.metaq.protocol.Delivery;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Limits;
import org.metaq.protocol.Reply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to a broker, over which any number of commands may be under way.
 *
 * <p>The thread that sends writes to the socket itself, together with what others queued meanwhile;
 * one reader thread completes the replies, sends heartbeats and notices a dead broker; it has ended
 * when {@link #close} has returned or the connection was lost. What may wait for company ({@link
 * #sendSoon}, {@link #flushSoon}) is sent by a thread that all connections share. While calls
 * follow each other closely a thread that waits reads in the reader thread's place ({@link
 * ReplyWait}); what is said here of the reader thread is then said of that one.
 *
 * <p>The socket is non-blocking underneath: interrupting a thread that sends neither closes the
 * connection nor tears a frame apart, and the reader never waits for the broker to take bytes.
 * Other threads do: a send waits for the send window, and every command while more than {@value
 * #UNSENT_BYTES_MAX} bytes wait for the socket.
 *
 * <p>Life: OPEN -&gt; CLOSING -&gt; ENDED when closed by us, OPEN -&gt; ENDED when lost.
 *
 * <p>Thread-safe: the pending table is concurrent, the state moves by compare-and-set.
 */
public final class ClientConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

    /** Bytes that may wait for a full socket before senders have to wait too. */
    private static final int UNSENT_BYTES_MAX = 1024 * 1024;

    /** Bytes that are put off at most, for {@link #sendSoon}. */
    private static final long PUT_OFF_BYTES_MAX = 32 * 1024;

    /** A socket that was silent for so long is written to at once. */
    private static final long BUSY_NS = 50_000;

    /** Opaque numbers stay below what the broker uses for lines that have none. */
    private static final int OPAQUE_MASK = 0x3FFF_FFFF;

    /** How long a close waits for the reader, whose linger is shorter. */
    private static final long JOIN_MS = 5_000;

    private static final AtomicInteger CONNECTIONS = new AtomicInteger();

    private enum State {
        /** Commands go out. */
        OPEN,
        /** {@code quit} went out, the reader waits for the broker to hang up. */
        CLOSING,
        /** The socket is closed, nothing is pending. */
        ENDED
    }

    private final ClientOptions options;
    private final Address broker;
    private final FrameReader frames;
    private final ReaderLoop loop;
    private final Thread reader;
    private final ByteWindow sendWindow;
    private final ByteWindow unsentWindow = new ByteWindow(UNSENT_BYTES_MAX);
    private final AtomicInteger opaques = new AtomicInteger();
    private final ConcurrentHashMap<Integer, PendingReply> pending = new ConcurrentHashMap<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private final LateAcknowledgements acknowledgements = new LateAcknowledgements(this::putOff);

    /** Set by whoever puts something off, cleared before it is sent. */
    private final AtomicBoolean isFlushDue = new AtomicBoolean();

    /** Guarded by itself, together with {@link #lost}. */
    private final List<Consumer<ClientException>> lostListeners = new ArrayList<>();

    /** Written once by the reader thread before the state becomes ENDED; null: not lost. */
    private volatile @Nullable ClientException lost;

    /** Written once while connecting, before anyone else sees the connection. */
    private volatile OpenReply opened = OpenReply.NOT_YET;

    private ClientConnection(ClientOptions options, Address broker, SocketChannel channel)
            throws IOException {
        this.options = options;
        this.broker = broker;
        this.sendWindow = new ByteWindow(options.sendWindowBytes());
        this.frames = new FrameReader(Limits.CONTROL_BODY_LENGTH_MAX);
        String name = "metaq-reader-" + CONNECTIONS.incrementAndGet() + '-' + broker;
        this.loop = new ReaderLoop(this, name, channel, frames, options.heartbeatMs());
        this.reader = loop.thread();
    }

    // ---- connect

    /**
     * Connects to the first broker that can be reached and opens a session with it. Blocks up to
     * {@code connectTimeoutMs} per address for TCP, and as long for the session.
     *
     * @throws ClientException with the broker's error if it refuses (the remaining brokers are then
     *     not asked, unless it is busy); with {@link ErrorCode#CONNECTION_LOST}, naming each
     *     address and its cause, if none could be reached
     */
    public static ClientConnection connect(ClientOptions options) throws ClientException {
        List<String> reasons = new ArrayList<>();
        List<Exception> causes = new ArrayList<>();
        for (Address address : options.brokers()) {
            try {
                return connect(options, address);
            } catch (IOException e) {
                reasons.add(address + ": " + e);
                causes.add(e);
            } catch (ClientException e) {
                boolean triesNext = e.isConnectionLost() || e.isOutcomeUnknown();
                if (!triesNext && e.code() != ErrorCode.BUSY) {
                    throw e;
                }
                reasons.add(address + ": " + e.getMessage());
                causes.add(e);
            }
            if (Thread.currentThread().isInterrupted()) {
                break;
            }
        }
        ClientException none =
                ClientException.notConnected(
                        "no broker reached: " + String.join("; ", reasons), causes.get(0));
        causes.stream().skip(1).forEach(none::addSuppressed);
        throw none;
    }

    private static ClientConnection connect(ClientOptions options, Address address)
            throws IOException, ClientException {
        SocketChannel channel = address.connect(options.connectTimeoutMs());
        ClientConnection connection;
        try {
            connection = new ClientConnection(options, address, channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        connection.reader.start();
        boolean done = false;
        try {
            connection.open();
            done = true;
            return connection;
        } finally {
            if (!done) {
                connection.close();
            }
        }
    }

    private void open() throws ClientException {
        Reply reply =
                call(
                        new Command.Open(
                                CommandCodec.PROTOCOL_VERSION,
                                options.user(),
                                options.password(),
                                options.clientId(),
                                options.key(),
                                nextOpaque()),
                        options.connectTimeoutMs());
        opened = OpenReply.parse(reply instanceof Reply.Result result ? result.text() : "");
        // An acquire's limit is soft: its first message comes whatever its size.
        long longest = (long) opened.maxMessageSize() + 2L * Limits.ACQUIRE_BYTES_MAX;
        frames.setBodyLengthMax((int) Math.min(Integer.MAX_VALUE - 8, longest));
    }

    // ---- what the broker said

    /** The broker's name for this connection, a word without blanks. */
    public String connectionId() {
        return opened.connectionId();
    }

    /** 0..1024. */
    public int brokerId() {
        return opened.brokerId();
    }

    /** Number of the broker's start. */
    public long epoch() {
        return opened.epoch();
    }

    /** Longest message body that the broker takes, bytes. */
    public int maxMessageSizeBytes() {
        return opened.maxMessageSize();
    }

    /** Name of the broker's data: the same for all connections that reach the same branches. */
    public String storeId() {
        return opened.storeId();
    }

    /** After how many seconds the broker rolls back an unprepared branch that sets no time-out. */
    public int transactionTimeoutSeconds() {
        return opened.transactionTimeout();
    }

    /** The options it was made with. */
    public ClientOptions options() {
        return options;
    }

    /** The address that is connected. */
    public Address broker() {
        return broker;
    }

    /** False once it is closed or lost. */
    public boolean isOpen() {
        return state.get() == State.OPEN;
    }

    /** True on the thread that reads just now, which must not block. */
    public boolean isReaderThread() {
        return Thread.currentThread() == reader || loop.turn().isMine();
    }

    /**
     * Begins a wait for what a reply will bring, whatever it is that the thread waits on. Not on
     * the reader thread.
     *
     * @param condition true while it waits; looked at by this thread and by others, so it must be
     *     cheap, thread-safe and without locks over other calls
     */
    public ReplyWait waitWhile(BooleanSupplier condition) {
        return new ReplyWait(loop.turn(), loop::readWhile, condition);
    }

    // ---- send

    /** A number for a command, unique among those under way. */
    public int nextOpaque() {
        int opaque = opaques.incrementAndGet() & OPAQUE_MASK;
        return opaque == Command.QUIET ? nextOpaque() : opaque;
    }

    /**
     * Sends a command. Blocks while the send window (for {@link Command.Send}) or the socket is
     * full, up to {@code callTimeoutMs}; on the reader thread never.
     *
     * <p>The body of a send must not change until the reply is there.
     *
     * @return completes with a success ({@code value}, or {@code result} 200), or exceptionally
     *     with a {@link ClientException}; there is no time-out, but the end of the connection ends
     *     it. It completes on the reader thread, so what depends on it must not block; a command
     *     that could not be sent is completed by the caller itself, and what is attached to a
     *     future that is complete already runs on the attaching thread: {@link #send(Command,
     *     ReplyHandler)} has neither exception
     * @throws IllegalArgumentException for {@code quit}, which has no reply, and for an opaque
     *     number that is under way
     */
    public CompletableFuture<Reply> send(Command c) {
        CommandCodec.Frame frame = CommandCodec.encode(c);
        PendingReply.OfFuture reply = new PendingReply.OfFuture(frame.line(), windowBytes(c));
        try {
            submit(c, frame, reply);
            write(frame);
        } catch (ClientException e) {
            reply.future.completeExceptionally(e);
        }
        return reply.future;
    }

    /**
     * Sends a command whose reply nobody waits for just now: while many such come, some are written
     * together, at most some 0.1 ms later, and before any command that is sent after them. Else as
     * {@link #send(Command)}.
     */
    public CompletableFuture<Reply> sendSoon(Command c) {
        CommandCodec.Frame frame = CommandCodec.encode(c);
        PendingReply.OfFuture reply = new PendingReply.OfFuture(frame.line(), windowBytes(c));
        try {
            submit(c, frame, reply);
            loop.writer().defer(frame);
            flushSoon();
        } catch (ClientException e) {
            reply.future.completeExceptionally(e);
        }
        return reply.future;
    }

    /**
     * Sends a command whose end is told to a handler, always on the reader thread. Blocks as {@link
     * #send(Command)}.
     *
     * @throws ClientException if it could not be sent; the handler is not told then
     */
    public void send(Command c, ReplyHandler handler) throws ClientException {
        CommandCodec.Frame frame = CommandCodec.encode(c);
        submit(c, frame, new PendingReply.OfHandler(frame.line(), windowBytes(c), handler));
        write(frame);
    }

    /**
     * Sends a command and waits for its reply, up to {@code callTimeoutMs} each.
     *
     * @throws ClientException as {@link #send(Command)}; also, with unknown outcome, after the
     *     time-out, or when the thread is interrupted, whose flag then stays set
     * @throws IllegalStateException on the reader thread, which would wait for itself
     */
    public Reply call(Command c) throws ClientException {
        return call(c, options.callTimeoutMs());
    }

    /**
     * As {@link #call(Command)}, with a time-out of its own for the reply, milliseconds &gt;= 1.
     */
    public Reply call(Command c, long timeoutMs) throws ClientException {
        if (isReaderThread()) {
            throw new IllegalStateException("a call on the reader thread would wait for itself");
        }
        CommandCodec.Frame frame = CommandCodec.encode(c);
        PendingReply.OfCaller reply = new PendingReply.OfCaller(frame.line(), windowBytes(c));
        submit(c, frame, reply);
        write(frame);
        try (ReplyWait wait = waitWhile(reply::isOpen)) {
            wait.read(TimeUnit.MILLISECONDS.toNanos(timeoutMs));
            return reply.await(timeoutMs);
        }
    }

    /**
     * Sends a command whose reply nobody awaits; an error reply is logged at WARN. Blocks as {@link
     * #send(Command)}.
     *
     * @throws ClientException if it could not be sent
     */
    public void sendOneWay(Command c) throws ClientException {
        CommandCodec.Frame frame = CommandCodec.encode(c);
        submit(c, frame, new PendingReply.OfNobody(frame.line(), windowBytes(c)));
        write(frame);
    }

    /**
     * Takes a command whose success is not answered ({@link Command#QUIET}) along with the next
     * command that is sent, or at {@link #flush}; its refusal is logged at WARN.
     *
     * @throws ClientException if there is no room for it, or the connection has ended
     * @throws IllegalArgumentException unless its opaque number is {@code QUIET}
     */
    public void sendQuiet(Command c) throws ClientException {
        if (c.opaque() != Command.QUIET) {
            throw new IllegalArgumentException("a quiet command has the opaque number 0");
        }
        checkOpen();
        CommandCodec.Frame frame = CommandCodec.encode(c);
        takeRoom(frame, new PendingReply.OfNobody(frame.line(), 0));
        acknowledgements.putAll();
        loop.writer().defer(frame);
    }

    /**
     * Acknowledges a delivery; together with others, before the next command that is sent, or at
     * {@link #flush} or {@link #flushSoon}. A refusal is logged at WARN.
     *
     * @throws ClientException if the connection has ended
     */
    public void acknowledge(long subscriptionId, Delivery delivery) throws ClientException {
        checkOpen();
        acknowledgements.add(subscriptionId, delivery);
    }

    /** Sends what was put off and no command has brought along since. */
    public void flush() {
        acknowledgements.putAll();
        try {
            loop.writer().flush();
        } catch (IOException e) {
            writeFailed(e);
        }
    }

    /**
     * Sends what was put off: at once unless the socket was written to just before; then together
     * with what comes within some 0.1 ms.
     */
    public void flushSoon() {
        FrameWriter writer = loop.writer();
        if (acknowledgements.isEmpty() && !writer.hasDeferred()) {
            return;
        }
        if (System.nanoTime() - writer.lastWriteNs() >= BUSY_NS
                || unsentWindow.usedBytes() >= PUT_OFF_BYTES_MAX) {
            flush();
        } else if (!isFlushDue.get() && isFlushDue.compareAndSet(false, true)) {
            SharedThread.INSTANCE.add(this);
        }
    }

    /** What {@link #flushSoon} arranged for. */
    void flushDue() {
        isFlushDue.set(false);
        flush();
    }

    private void putOff(CommandCodec.Frame frame) {
        unsentWindow.force(frame.length());
        loop.writer().defer(frame);
    }

    private static int windowBytes(Command c) {
        return c instanceof Command.Send send ? send.body().remaining() : 0;
    }

    /** Makes the command one that is under way; the caller writes its frame. */
    private void submit(Command c, CommandCodec.Frame frame, PendingReply reply)
            throws ClientException {
        if (c instanceof Command.Quit) {
            throw new IllegalArgumentException("'quit' has no reply, use close()");
        }
        checkOpen();
        takeRoom(frame, reply);
        if (pending.putIfAbsent(c.opaque(), reply) != null) {
            frameTaken(frame.length());
            sendWindow.release(reply.windowBytes);
            throw new IllegalArgumentException("opaque number under way: " + c.opaque());
        }
        // Whoever ends the connection sets the state first and empties the table then; so either it
        // finds this reply there, or the new state is seen here.
        if (!isOpen() && pending.remove(c.opaque()) != null) {
            frameTaken(frame.length());
            checkOpen();
        }
        acknowledgements.putAll();
    }

    private void takeRoom(CommandCodec.Frame frame, PendingReply reply) throws ClientException {
        if (isReaderThread()) {
            sendWindow.force(reply.windowBytes);
            unsentWindow.force(frame.length());
            return;
        }
        long timeoutNs = TimeUnit.MILLISECONDS.toNanos(options.callTimeoutMs());
        boolean hasWindow = false;
        boolean done = false;
        try {
            hasWindow = reply.windowBytes == 0 || sendWindow.acquire(reply.windowBytes, timeoutNs);
            done = hasWindow && unsentWindow.acquire(frame.length(), timeoutNs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ClientException.of(
                    ErrorCode.BUSY,
                    "interrupted while waiting for room; '" + reply.word() + "' was not sent");
        } finally {
            if (hasWindow && !done) {
                sendWindow.release(reply.windowBytes);
            }
        }
        if (!done) {
            throw ClientException.of(
                    ErrorCode.BUSY,
                    "no room within "
                            + options.callTimeoutMs()
                            + " ms; '"
                            + reply.word()
                            + "' was not sent");
        }
    }

    private void write(CommandCodec.Frame frame) {
        try {
            loop.writer().put(frame);
        } catch (IOException e) {
            writeFailed(e);
        }
    }

    /** The reader ends the connection, which fails all that is pending. */
    private void writeFailed(IOException e) {
        loop.fail(ClientException.lostInFlight("write to " + broker + " failed: " + e, e));
    }

    /**
     * Nothing, while the connection is open.
     *
     * @throws ClientException if it is closed or lost
     */
    public void checkOpen() throws ClientException {
        if (!isOpen()) {
            ClientException why = lost;
            throw ClientException.notConnected(
                    "connection to " + broker + (why == null ? " is closed" : " is lost"), why);
        }
    }

    // ---- called by the reader thread (frameTaken: by whoever writes)

    void frameTaken(int length) {
        unsentWindow.release(length);
    }

    void deliver(Reply reply) {
        if (reply.opaque() == Command.QUIET) {
            LOG.warn("{} refused a quiet command: {}", broker, reply);
            return;
        }
        PendingReply waiting = pending.remove(reply.opaque());
        if (waiting == null) {
            loop.fail(
                    ClientException.lostInFlight(
                            broker
                                    + " answered a command that was not sent: "
                                    + (reply instanceof Reply.Result ? reply : reply.opaque()),
                            null));
            return;
        }
        sendWindow.release(waiting.windowBytes);
        waiting.answered(reply);
    }

    void sendHeartbeat() {
        try {
            sendOneWay(new Command.Version(nextOpaque()));
        } catch (ClientException e) {
            LOG.debug("no heartbeat to {}: {}", broker, e.getMessage());
        }
    }

    /** Runs a task on the reader thread after a while. */
    void runLater(long delayMs, Runnable task) {
        loop.runLater(delayMs, task);
    }

    /** Ends the connection because the broker sent what makes no sense. */
    void failMalformed(Exception why) {
        loop.fail(
                ClientException.lostInFlight(broker + " sent nonsense: " + why.getMessage(), why));
    }

    /** Last act of the reader thread. */
    void ended(@Nullable ClientException why) {
        List<Consumer<ClientException>> listeners;
        synchronized (lostListeners) {
            lost = why;
            listeners = List.copyOf(lostListeners);
            lostListeners.clear();
        }
        state.set(State.ENDED);
        sendWindow.close();
        unsentWindow.close();
        ClientException unanswered =
                why != null
                        ? why
                        : ClientException.lostInFlight(
                                "connection to " + broker + " closed before the reply", null);
        for (Integer opaque : pending.keySet()) {
            PendingReply waiting = pending.remove(opaque);
            if (waiting != null) {
                waiting.failed(unanswered);
            }
        }
        if (why != null) {
            LOG.debug("connection to {} lost", broker, why);
            listeners.forEach(listener -> runCallback(() -> listener.accept(why)));
        }
    }

    /** Runs foreign code, whose faults must not end the reader. */
    static void runCallback(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException e) {
            LOG.error("callback failed", e);
        }
    }

    // ---- end

    /**
     * Has a listener told once when the connection is lost: on the reader thread, after all that
     * was pending has failed; at once, on this thread, if it is lost already; never after {@link
     * #close}.
     */
    public void onLost(Consumer<ClientException> listener) {
        ClientException why;
        synchronized (lostListeners) {
            why = lost;
            if (why == null) {
                lostListeners.add(listener);
            }
        }
        if (why != null) {
            listener.accept(why);
        }
    }

    /**
     * Says {@code quit} and waits until the broker has hung up (two seconds at most); replies that
     * come until then are still delivered, what remains without fails with unknown outcome. Then
     * the reader thread has ended. On the reader thread it returns at once and the rest follows.
     * Any further call only waits for the same.
     */
    @Override
    public void close() {
        if (state.compareAndSet(State.OPEN, State.CLOSING)) {
            acknowledgements.putAll();
            CommandCodec.Frame quit = CommandCodec.encode(new Command.Quit(0));
            unsentWindow.force(quit.length());
            write(quit);
            loop.finish();
        }
        if (isReaderThread()) {
            return;
        }
        try {
            reader.join(JOIN_MS);
            if (reader.isAlive()) {
                LOG.warn("{} is held up by a callback and ends later", reader.getName());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
