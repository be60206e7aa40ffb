package org.metaq.store.journal;

import java.util.function.Consumer;

/**
 * The one order of all records. The file journal serves one broker; a replicated one can take its
 * place without a change to the state machine. All methods on the writer thread.
 *
 * <p>The caller's duties, in order: {@link #start}; then again and again {@link #append} what came
 * in, {@link #doWork}; a checkpoint when {@link Status#bytesSinceCheckpoint} asks for one, and
 * {@link #checkpointed} when it is finished; {@link #close}.
 */
public interface Journal extends AutoCloseable {
    /**
     * Restores the newest checkpoint, replays what follows it, and tells the role. What {@code
     * roles} gets before this returns is the role to start with.
     */
    void start(StateMachine machine, Consumer<Role> roles);

    /**
     * Gives a batch its place in the order; call order is log order. The bodies are copied.
     *
     * @throws BusyException if a limit is met; nothing was appended
     * @throws IllegalStateException if this broker does not lead
     */
    Receipt append(Batch batch) throws BusyException;

    /**
     * One turn of the duty cycle: writes what was appended, forces it where records need that,
     * applies it, completes its receipts.
     *
     * @param nowNs monotonic clock, for flush intervals
     * @return how much was done; 0 when there was nothing to do
     */
    int doWork(long nowNs);

    /** A checkpoint is finished (durable): what lies below it may go. */
    void checkpointed(Checkpoint checkpoint);

    /** How it stands now. */
    Status status();

    /** Stops; what was appended and not applied ends as unknown. */
    @Override
    void close();

    /**
     * A snapshot of the journal's state.
     *
     * @param role what this broker is
     * @param applied last position handed to {@code apply}
     * @param bytesSinceCheckpoint journal bytes after the last finished checkpoint
     */
    record Status(Role role, Position applied, long bytesSinceCheckpoint) {}
}
