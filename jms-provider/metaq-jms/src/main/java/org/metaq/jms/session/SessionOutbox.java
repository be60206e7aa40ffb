package org.metaq.jms.session;

import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.client.ProducerSequence;
import org.metaq.client.ReplyWait;
import org.metaq.common.BranchId;
import org.metaq.jms.destination.MetaQDestination;
import org.metaq.jms.message.EncodedMessage;
import org.metaq.jms.message.MessageCodec;
import org.metaq.jms.message.MetaQMessage;
import org.metaq.protocol.Command;
import org.metaq.protocol.Durability;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Reply;

/**
 * The sending side of a session: headers, partition, branch, and who waits for the reply. Guarded
 * by the session's lock, which is held while a message goes out, so that message ids, producer
 * sequences and branches keep the order of the sends; not while its reply is awaited.
 */
final class SessionOutbox {
    private static final String GROUP_ID = "JMSXGroupID";

    private final SessionCore session;
    private final ReentrantLock lock;
    private final MetaQConnection connection;
    private final ProducerSequence sequence = new ProducerSequence();
    private final Map<MetaQDestination, Integer> partitions = new HashMap<>();
    private final PendingSends pending = new PendingSends();
    private final UnansweredSends unanswered;
    private final Completions completions;

    SessionOutbox(SessionCore session, ReentrantLock lock, MetaQConnection connection) {
        this.session = session;
        this.lock = lock;
        this.connection = connection;
        this.unanswered = new UnansweredSends(connection);
        this.completions = new Completions(session.threadName("completions"));
    }

    /**
     * How a message is sent.
     *
     * @param deliveryMode a constant of {@link DeliveryMode}
     * @param priority 0..9
     * @param timeToLiveMs 0: for ever
     * @param deliveryDelayMs 0: none
     * @param isWithId whether the message gets an id
     * @param isWithTimestamp whether the message gets a timestamp
     */
    record Options(
            int deliveryMode,
            int priority,
            long timeToLiveMs,
            long deliveryDelayMs,
            boolean isWithId,
            boolean isWithTimestamp) {
        boolean isPersistent() {
            return deliveryMode == DeliveryMode.PERSISTENT;
        }
    }

    Completions completions() {
        return completions;
    }

    UnansweredSends unanswered() {
        return unanswered;
    }

    PendingSends pending() {
        return pending;
    }

    /**
     * Sends. A persistent message outside of a transaction is stored when this returns, unless a
     * completion listener was given, which is told then.
     */
    void send(
            MetaQProducer producer,
            MetaQDestination destination,
            Message given,
            Options options,
            @Nullable CompletionListener completion)
            throws JMSException {
        String doing = "send to " + destination;
        Destinations.Target target = connection.destinations().resolve(destination);
        MetaQMessage message = MessageCodec.convert(given);
        Command.Send command;
        ClientConnection client;
        CompletableFuture<Reply> reply;
        lock.lock();
        try {
            session.checkOpen();
            client = session.ready();
            BranchId branch = session.branchForSend();
            long number = sequence.next();
            setHeaders(message, destination, options, number);
            MessageCodec.copySendHeaders(message, given);
            EncodedMessage encoded = MessageCodec.encode(message, connection.origin());
            checkSize(doing, client, encoded);
            command =
                    command(client, destination, target, message, encoded, number, options, branch);
            reply = start(client, command, completion == null && options.isPersistent());
            if (reply != null && branch != null) {
                pending.track(reply, command.body().remaining());
            }
            if (reply != null && completion != null) {
                completions.add(producer, given, completion, reply, doing);
            }
        } catch (ClientException e) {
            throw JmsErrors.of(doing, e);
        } finally {
            lock.unlock();
        }
        if (reply == null) {
            callNow(doing, destination, client, command);
        } else if (completion == null && command.branch() == null && options.isPersistent()) {
            await(doing, destination, client, reply);
        } else if (completion == null && command.branch() == null) {
            watch(doing, destination, reply);
        }
    }

    /**
     * Sends, or leaves it to the caller: what somebody waits for goes the short way, unless it may
     * have to be repeated on another connection.
     *
     * @return null: to be called
     */
    private @Nullable CompletableFuture<Reply> start(
            ClientConnection client, Command.Send command, boolean isAwaited) {
        if (command.branch() != null) {
            return client.sendSoon(command);
        }
        if (connection.isRecoverable()) {
            return unanswered.send(client, command, isAwaited);
        }
        return isAwaited ? null : client.sendSoon(command);
    }

    private Command.Send command(
            ClientConnection client,
            MetaQDestination destination,
            Destinations.Target target,
            MetaQMessage message,
            EncodedMessage encoded,
            long number,
            Options options,
            @Nullable BranchId branch)
            throws JMSException {
        return new Command.Send(
                target.physicalName(),
                partition(destination, target, message),
                encoded.flag(),
                encoded.checksum(),
                sequence.producerId(),
                number,
                options.isPersistent() ? Durability.POLICY : Durability.LAZY,
                branch,
                encoded.body(),
                client.nextOpaque());
    }

    private void setHeaders(
            MetaQMessage message, MetaQDestination destination, Options options, long number)
            throws JMSException {
        // Jakarta Messaging 3.1 §3.4: the client's clock, as the sender can check.
        long now = System.currentTimeMillis();
        message.setJMSDestination(destination);
        message.setJMSDeliveryMode(options.deliveryMode());
        message.setJMSPriority(options.priority());
        message.setJMSTimestamp(options.isWithTimestamp() ? now : 0);
        message.setJMSExpiration(
                options.timeToLiveMs() == 0 ? 0 : later(now, options.timeToLiveMs()));
        message.setJMSDeliveryTime(deliveryTime(options, now));
        message.setJMSMessageID(
                options.isWithId()
                        ? "ID:" + Long.toHexString(sequence.producerId()) + "-" + number
                        : null);
    }

    /**
     * A broker takes a message for delayed if its delivery time is above its timestamp. So one that
     * has neither timestamp nor delay gets none: else the clocks would have to agree.
     */
    private static long deliveryTime(Options options, long now) {
        return options.deliveryDelayMs() == 0 && !options.isWithTimestamp()
                ? 0
                : later(now, options.deliveryDelayMs());
    }

    /** Never before {@code now}, however long it takes. */
    private static long later(long now, long ms) {
        return ms > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + ms;
    }

    private static void checkSize(String doing, ClientConnection client, EncodedMessage encoded)
            throws JMSException {
        int length = encoded.body().remaining();
        if (length > client.maxMessageSizeBytes()) {
            throw new JMSException(
                    doing
                            + ": the message takes "
                            + length
                            + " bytes; the broker's maxMessageSize is "
                            + client.maxMessageSizeBytes(),
                    ErrorCode.MESSAGE_TOO_LARGE.name());
        }
    }

    /**
     * Order holds within a partition: a session sticks to one per destination, and a group's
     * messages go to one whoever sends them.
     */
    private int partition(
            MetaQDestination destination, Destinations.Target target, MetaQMessage message)
            throws JMSException {
        int[] choice = target.partitions();
        String group = message.getStringProperty(GROUP_ID);
        if (group != null) {
            return choice[Math.floorMod(group.hashCode(), choice.length)];
        }
        return partitions.computeIfAbsent(
                destination, d -> choice[connection.nextPartitionTurn() % choice.length]);
    }

    /** Not under the lock: whoever closes need not wait for the disk of the broker. */
    private void callNow(
            String doing,
            MetaQDestination destination,
            ClientConnection client,
            Command.Send command)
            throws JMSException {
        try {
            client.call(command);
        } catch (ClientException e) {
            throw failed(doing, destination, e);
        }
    }

    /** As {@link #callNow}, for a send that outlives its connection. */
    private void await(
            String doing,
            MetaQDestination destination,
            ClientConnection client,
            CompletableFuture<Reply> reply)
            throws JMSException {
        long timeoutMs = client.options().callTimeoutMs();
        try (ReplyWait wait = client.waitWhile(() -> !reply.isDone())) {
            wait.read(TimeUnit.MILLISECONDS.toNanos(timeoutMs));
            Waiting.await(reply, timeoutMs + connection.patienceMs());
        } catch (ClientException e) {
            throw failed(doing, destination, e);
        }
    }

    private JMSException failed(String doing, MetaQDestination destination, ClientException e) {
        if (e.code() == ErrorCode.NO_SUCH_DESTINATION) {
            connection.destinations().forget(destination);
        }
        return JmsErrors.of(doing, e);
    }

    /**
     * Nobody waits for a non-persistent message; see {@link LostSends}. What is known by now to
     * have failed (the connection is lost) is told all the same.
     */
    private void watch(String doing, MetaQDestination destination, CompletableFuture<Reply> reply)
            throws JMSException {
        if (reply.isDone()) {
            try {
                Waiting.await(reply);
            } catch (ClientException e) {
                throw failed(doing, destination, e);
            }
            return;
        }
        var unused =
                reply.whenComplete(
                        (done, failure) -> {
                            if (failure != null) {
                                connection.lostSends().note(doing, failure);
                            }
                        });
    }
}
