package org.metaq.client.publish;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.client.cluster.Partition;
import org.metaq.common.BranchId;
import org.metaq.protocol.Command;
import org.metaq.protocol.Command.TransactionType;
import org.metaq.protocol.ErrorCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages that become visible together, or never. All go to the broker of the first one; it and
 * its connection hold the transaction: when the connection is lost, the broker rolls back.
 *
 * <p>Life: NEW -&gt; ACTIVE (first send) -&gt; ENDED. Confined to one thread at a time.
 */
public final class PublisherTransaction implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PublisherTransaction.class);
    private static final AtomicLong NUMBERS = new AtomicLong();

    private enum State {
        /** Nothing was sent. */
        NEW,
        /** The broker knows it. */
        ACTIVE,
        /** Committed, rolled back, or given up. */
        ENDED
    }

    private final Publisher publisher;
    private final int timeoutSeconds;
    private State state = State.NEW;

    /** From the first send on. */
    private @Nullable Target target;

    private record Target(ClientConnection connection, int brokerId, BranchId branch) {}

    PublisherTransaction(Publisher publisher, int timeoutSeconds) {
        this.publisher = publisher;
        this.timeoutSeconds = timeoutSeconds;
    }

    /**
     * Sends a message within the transaction and waits for the reply.
     *
     * @return its offset is -1: it gets one at the commit
     * @throws ClientException if it was refused or not answered: roll back then.
     *     NO_SUCH_DESTINATION if the transaction's broker has no partition of the topic
     * @throws IllegalStateException after the end
     */
    public SendResult send(Message message) throws ClientException {
        if (state == State.ENDED) {
            throw new IllegalStateException("the transaction has ended");
        }
        List<Partition> partitions = publisher.publish(message.topic());
        Target bound = target;
        if (bound != null) {
            int brokerId = bound.brokerId();
            partitions = partitions.stream().filter(p -> p.brokerId() == brokerId).toList();
            if (partitions.isEmpty()) {
                throw ClientException.of(
                        ErrorCode.NO_SUCH_DESTINATION,
                        "broker "
                                + brokerId
                                + " of the transaction has no partition of topic "
                                + message.topic());
            }
        }
        Partition partition = publisher.select(message, partitions);
        if (bound == null) {
            bound = begin(partition.brokerId());
        }
        ByteBuffer body = message.body();
        return SendResult.of(
                bound.brokerId(),
                bound.connection()
                        .call(
                                Publisher.command(
                                        message,
                                        body,
                                        partition,
                                        bound.branch(),
                                        bound.connection().nextOpaque()),
                                publisher.sendTimeoutMs()));
    }

    private Target begin(int brokerId) throws ClientException {
        ClientConnection connection = publisher.connection(brokerId);
        BranchId branch = BranchId.local(connection.connectionId(), NUMBERS.incrementAndGet());
        Target begun = new Target(connection, brokerId, branch);
        call(begun, TransactionType.BEGIN);
        target = begun;
        state = State.ACTIVE;
        return begun;
    }

    private void call(Target bound, TransactionType type) throws ClientException {
        ClientConnection connection = bound.connection();
        Command.Transaction command =
                new Command.Transaction(
                        bound.branch(),
                        connection.connectionId(),
                        type,
                        type == TransactionType.BEGIN ? timeoutSeconds : 0,
                        "",
                        connection.nextOpaque());
        connection.call(command, publisher.sendTimeoutMs());
    }

    /**
     * Makes all messages visible; without any it does nothing.
     *
     * @throws ClientException if the broker has rolled it back, or with {@linkplain
     *     ClientException#isOutcomeUnknown unknown outcome} if the reply did not come
     * @throws IllegalStateException after the end
     */
    public void commit() throws ClientException {
        end(TransactionType.COMMIT_ONE_PHASE);
    }

    /**
     * Drops all messages.
     *
     * @throws ClientException if the reply did not come; the broker rolls back by itself at the
     *     time-out of the transaction or the end of the connection
     * @throws IllegalStateException after the end
     */
    public void rollback() throws ClientException {
        end(TransactionType.ROLLBACK);
    }

    private void end(TransactionType type) throws ClientException {
        if (state == State.ENDED) {
            throw new IllegalStateException("the transaction has ended");
        }
        state = State.ENDED;
        Target bound = target;
        if (bound != null) {
            call(bound, type);
        }
    }

    /** Rolls back what has not ended. */
    @Override
    public void close() {
        if (state != State.ENDED) {
            try {
                rollback();
            } catch (ClientException e) {
                LOG.debug("not rolled back by hand", e);
            }
        }
    }
}
