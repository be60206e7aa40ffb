package org.metaq.bench;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;

/** Receives until all that was sent has come, or nothing comes any more. */
final class Consumer extends Member {
    private static final long RECEIVE_TIMEOUT_MS = 200;

    /** How long nothing may come before what is missing is called lost. */
    private static final long SILENCE_NS = 10_000_000_000L;

    private final QueueRun queueRun;
    private final Ledger ledger;

    Consumer(QueueRun queueRun, int index, ConnectionFactory factory) {
        super("consumer-" + index, factory);
        this.queueRun = queueRun;
        this.ledger = new Ledger(queueRun.workload().pairs());
    }

    /** What it received; to be read after its end. */
    Ledger ledger() {
        return ledger;
    }

    @Override
    void run(Connection connection) throws JMSException {
        boolean isTransacted = queueRun.workload().style() == Workload.Style.TRANSACTED;
        Session session =
                connection.createSession(
                        isTransacted,
                        isTransacted ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(session.createQueue(queueRun.queue()));
        connection.start();
        int open = 0;
        long lastNs = System.nanoTime();
        while (true) {
            Message message = consumer.receive(RECEIVE_TIMEOUT_MS);
            if (message != null) {
                note(message);
                open++;
                lastNs = System.nanoTime();
            }
            if (!isTransacted || open == Producer.BATCH_COUNT || message == null) {
                settle(session, isTransacted, open);
                open = 0;
            }
            if (message == null && isOver(lastNs)) {
                return;
            }
        }
    }

    /** A message more than was sent has had its time to come when this is asked. */
    private boolean isOver(long lastNs) {
        return !queueRun.isSending()
                && (queueRun.isAllReceived() || System.nanoTime() - lastNs > SILENCE_NS);
    }

    private void settle(Session session, boolean isTransacted, int messages) throws JMSException {
        if (messages == 0) {
            return;
        }
        if (isTransacted) {
            long start = System.nanoTime();
            session.commit();
            queueRun.latency().note(System.nanoTime() - start);
        }
        add(messages);
    }

    private void note(Message message) throws JMSException {
        BytesMessage bytes = (BytesMessage) message;
        if (bytes.getBodyLength() != Producer.BODY_LENGTH_BYTES) {
            throw new IllegalStateException("a body of " + bytes.getBodyLength() + " bytes came");
        }
        ledger.received(bytes.readInt(), bytes.readInt());
    }
}
