package org.metaq.bench;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.Arrays;

/**
 * Makes the messages of one sender: 1 KiB each, with the sender's index, a number counted from 0,
 * and the time. Confined to one thread.
 */
final class Payload {
    /** Length of a body. */
    static final int LENGTH_BYTES = 1024;

    private static final int HEADER_LENGTH_BYTES = 2 * Integer.BYTES + Long.BYTES;
    private static final byte[] FILLING = new byte[LENGTH_BYTES - HEADER_LENGTH_BYTES];

    static {
        Arrays.fill(FILLING, (byte) 'x');
    }

    private final int sender;
    private int count;

    Payload(int sender) {
        this.sender = sender;
    }

    /** Number of the next message, which is how many were made. */
    int count() {
        return count;
    }

    /** The next message. */
    Message next(Session session) throws JMSException {
        return message(session, sender, count++);
    }

    /** A new message with the header of one that was received. */
    static Message copy(Session session, Message received) throws JMSException {
        Header header = header(received);
        return message(session, header.sender(), header.number());
    }

    /** Notes a message that was received. */
    static void note(Message received, Ledger ledger) throws JMSException {
        Header header = header(received);
        ledger.received(header.sender(), header.number());
    }

    /** What a message that was received begins with. */
    static Header header(Message received) throws JMSException {
        BytesMessage bytes = (BytesMessage) received;
        if (bytes.getBodyLength() != LENGTH_BYTES) {
            throw new IllegalStateException("a body of " + bytes.getBodyLength() + " bytes came");
        }
        return new Header(bytes.readInt(), bytes.readInt(), bytes.readLong());
    }

    private static Message message(Session session, int sender, int number) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeInt(sender);
        message.writeInt(number);
        message.writeLong(System.nanoTime());
        message.writeBytes(FILLING);
        return message;
    }

    /**
     * Of a message.
     *
     * @param sender index of who sent it
     * @param number of the sender's messages, from 0
     * @param madeNs when it was made, by {@link System#nanoTime} of that process
     */
    record Header(int sender, int number, long madeNs) {
        /** Notes it, and how long it was on its way within this process. */
        void note(Ledger ledger, Latency latency) {
            ledger.received(sender, number);
            latency.note(System.nanoTime() - madeNs);
        }
    }
}
