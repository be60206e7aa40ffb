package org.metaq.bench;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Messages on their way: keeps producers from running away from the consumers, and tells consumers
 * when all has come. Built before its members start; then thread-safe.
 */
final class Flow {
    /** How long a receiver waits for a message before it looks whether all is over. */
    static final long RECEIVE_TIMEOUT_MS = 200;

    /** Messages that the consumers may be behind before producers wait. */
    private static final long LAG_MAX_COUNT = 10_000;

    /** How many messages pass between two looks at the consumers' lag. */
    private static final int LAG_CHECK_COUNT = 64;

    private static final long LAG_PAUSE_NS = 200_000;

    /** How long nothing may come before what is missing is called lost. */
    static final long SILENCE_MS = 10_000;

    private final Crew crew;
    private final double receiptsPerSend;
    private final List<Member> producers = new ArrayList<>();
    private final List<Member> consumers = new ArrayList<>();

    /**
     * A flow without members.
     *
     * @param receiptsPerSend how many receipts are expected of a message, on average
     */
    Flow(Crew crew, double receiptsPerSend) {
        this.crew = crew;
        this.receiptsPerSend = receiptsPerSend;
    }

    void addProducer(Member.Task task) {
        producers.add(crew.add("producer-" + producers.size(), task));
    }

    void addConsumer(Member.Task task) {
        consumers.add(crew.add("consumer-" + consumers.size(), task));
    }

    List<Member> producers() {
        return producers;
    }

    List<Member> consumers() {
        return consumers;
    }

    long sent() {
        return producers.stream().mapToLong(Member::count).sum();
    }

    long received() {
        return consumers.stream().mapToLong(Member::count).sum();
    }

    /** Messages that went all the way, in units of sends. */
    long passed() {
        return Math.min(sent(), (long) (received() / receiptsPerSend));
    }

    /** Messages of each producer. */
    int[] sentByProducer() {
        return producers.stream().mapToInt(producer -> (int) producer.count()).toArray();
    }

    /**
     * Asked by a producer before each message; waits while the consumers are far behind: else a
     * queue that fills up would be measured, which is another workload.
     *
     * @param number of the message
     * @return false if it is not to be sent any more
     */
    boolean maySend(int number) {
        if (number % LAG_CHECK_COUNT == 0) {
            while (sent() - received() / receiptsPerSend > LAG_MAX_COUNT && crew.isWorking()) {
                LockSupport.parkNanos(LAG_PAUSE_NS);
            }
        }
        return crew.isWorking();
    }

    /**
     * Asked by a consumer for which nothing came for a while.
     *
     * @param lastNs when its last message came
     * @param expected receipts of all consumers when all has come
     */
    private boolean isOver(long lastNs, double expected) {
        return !crew.isWorking()
                && producers.stream().allMatch(Member::hasEnded)
                && (received() >= expected || System.nanoTime() - lastNs > SILENCE_MS * 1_000_000);
    }

    /** What a consumer does with a message. */
    interface Receipt {
        /** Called with each message. */
        void accept(Message message) throws JMSException;
    }

    /** Receives all there is, and counts it, until all has come, or nothing comes any more. */
    void receiveAll(Member self, MessageConsumer consumer, Receipt receipt) throws JMSException {
        long lastNs = System.nanoTime();
        // A message more than was sent has had its time to come when the end is seen.
        while (true) {
            Message message = consumer.receive(RECEIVE_TIMEOUT_MS);
            if (message != null) {
                receipt.accept(message);
                self.add(1);
                lastNs = System.nanoTime();
            } else if (isOver(lastNs, Math.floor(sent() * receiptsPerSend))) {
                return;
            }
        }
    }
}
