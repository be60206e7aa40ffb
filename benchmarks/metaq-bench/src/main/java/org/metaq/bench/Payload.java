package org.metaq.bench;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.Arrays;

/**
 * Makes the messages of one sender: 1 KiB each, with the sender's index and a number counted from
 * 0. Confined to one thread.
 */
final class Payload {
    /** Length of a body. */
    static final int LENGTH_BYTES = 1024;

    private static final int NUMBERS_LENGTH_BYTES = 2 * Integer.BYTES;
    private static final byte[] FILLING = new byte[LENGTH_BYTES - NUMBERS_LENGTH_BYTES];

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

    /** A new message with the numbers of one that was received. */
    static Message copy(Session session, Message received) throws JMSException {
        BytesMessage bytes = checked(received);
        return message(session, bytes.readInt(), bytes.readInt());
    }

    /** Number of a message that was received. */
    static int number(Message received) throws JMSException {
        BytesMessage bytes = checked(received);
        bytes.readInt();
        return bytes.readInt();
    }

    /** Notes the numbers of a message that was received. */
    static void note(Message received, Ledger ledger) throws JMSException {
        BytesMessage bytes = checked(received);
        ledger.received(bytes.readInt(), bytes.readInt());
    }

    private static Message message(Session session, int sender, int number) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeInt(sender);
        message.writeInt(number);
        message.writeBytes(FILLING);
        return message;
    }

    private static BytesMessage checked(Message received) throws JMSException {
        BytesMessage bytes = (BytesMessage) received;
        if (bytes.getBodyLength() != LENGTH_BYTES) {
            throw new IllegalStateException("a body of " + bytes.getBodyLength() + " bytes came");
        }
        return bytes;
    }
}
