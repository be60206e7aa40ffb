package org.metaq.bench;

import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Sends messages as fast as its workload's style allows. */
final class Producer extends Member {
    /** Length of a message's body. */
    static final int BODY_LENGTH_BYTES = 1024;

    /** Messages of a transaction. */
    static final int BATCH_COUNT = 100;

    private static final int NUMBERS_LENGTH = 2 * Integer.BYTES;
    private static final int MAX_UNCONFIRMED = 1000;

    /** How many messages pass between two looks at the consumers' lag. */
    private static final int LAG_CHECK_COUNT = 64;

    private static final long LAG_PAUSE_NS = 200_000;

    private final QueueRun queueRun;
    private final int index;
    private final byte[] filling = new byte[BODY_LENGTH_BYTES - NUMBERS_LENGTH];
    private int sent;

    Producer(QueueRun queueRun, int index, ConnectionFactory factory) {
        super("producer-" + index, factory);
        this.queueRun = queueRun;
        this.index = index;
        Arrays.fill(filling, (byte) 'x');
    }

    @Override
    void run(Connection connection) throws JMSException {
        Workload workload = queueRun.workload();
        boolean isTransacted = workload.style() == Workload.Style.TRANSACTED;
        Session session =
                connection.createSession(
                        isTransacted,
                        isTransacted ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = session.createProducer(session.createQueue(queueRun.queue()));
        producer.setDeliveryMode(
                workload.isPersistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
        switch (workload.style()) {
            case SYNC -> sendOneByOne(session, producer);
            case ASYNC -> sendAhead(session, producer);
            case TRANSACTED -> sendTransactions(session, producer);
        }
    }

    private void sendOneByOne(Session session, MessageProducer producer) throws JMSException {
        while (queueRun.isSending()) {
            pauseForConsumers();
            Message message = next(session);
            long start = System.nanoTime();
            producer.send(message);
            queueRun.latency().note(System.nanoTime() - start);
            add(1);
        }
    }

    private void sendAhead(Session session, MessageProducer producer) throws JMSException {
        Semaphore unconfirmed = new Semaphore(MAX_UNCONFIRMED);
        AtomicReference<@Nullable Exception> refused = new AtomicReference<>();
        while (queueRun.isSending() && refused.get() == null) {
            pauseForConsumers();
            Message message = next(session);
            unconfirmed.acquireUninterruptibly();
            producer.send(message, new Confirmation(unconfirmed, refused));
            add(1);
        }
        unconfirmed.acquireUninterruptibly(MAX_UNCONFIRMED);
        Exception first = refused.get();
        if (first != null) {
            throw new IllegalStateException("a send was refused", first);
        }
    }

    private void sendTransactions(Session session, MessageProducer producer) throws JMSException {
        while (queueRun.isSending()) {
            for (int i = 0; i < BATCH_COUNT; i++) {
                producer.send(next(session));
            }
            long start = System.nanoTime();
            session.commit();
            queueRun.latency().note(System.nanoTime() - start);
            add(BATCH_COUNT);
        }
    }

    private Message next(Session session) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeInt(index);
        message.writeInt(sent);
        message.writeBytes(filling);
        sent++;
        return message;
    }

    /** Else a queue that fills up would be measured, which is another workload. */
    private void pauseForConsumers() {
        if (sent % LAG_CHECK_COUNT == 0) {
            while (queueRun.isLagging() && queueRun.isSending()) {
                LockSupport.parkNanos(LAG_PAUSE_NS);
            }
        }
    }

    /** Of one message. */
    private final class Confirmation implements CompletionListener {
        private final Semaphore unconfirmed;
        private final AtomicReference<@Nullable Exception> refused;
        private final long startNs = System.nanoTime();

        private Confirmation(Semaphore unconfirmed, AtomicReference<@Nullable Exception> refused) {
            this.unconfirmed = unconfirmed;
            this.refused = refused;
        }

        @Override
        public void onCompletion(Message message) {
            queueRun.latency().note(System.nanoTime() - startNs);
            unconfirmed.release();
        }

        @Override
        public void onException(Message message, Exception exception) {
            refused.compareAndSet(null, exception);
            unconfirmed.release();
        }
    }
}
