package org.metaq.ra.check;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.QueueBrowser;
import jakarta.jms.XAJMSContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.metaq.jms.session.Contexts;
import org.metaq.ra.broker.BrokerAccess;

/**
 * The queue of all self-checks, over a connection of the adapter's own: it sees from outside what
 * the server's transactions do. There is only one, because queues stay; messages of a check have
 * its id. For one thread.
 */
final class CheckQueue implements AutoCloseable {
    /** Name at the broker. */
    static final String NAME = "metaq.selfcheck";

    /** Property that says whose message it is. */
    private static final String CHECK = "metaqCheck";

    /** Id of notes, which are for later checks; their text names a branch. */
    private static final String NOTES = "notes";

    /** A note that no check comes to read does not stay for ever. */
    private static final Duration NOTE_LIFE = Duration.ofDays(7);

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** In no branch it sends and acknowledges at once. */
    private final XAJMSContext context;

    /**
     * Connects.
     *
     * @throws jakarta.jms.JMSRuntimeException if there is no connection
     */
    CheckQueue(BrokerAccess access) {
        context = Contexts.openXa(access.withClientId("")::connect);
    }

    // ---- by anybody

    /** Sends a message of a check. */
    static void send(JMSContext sender, String check) {
        sender.createProducer().setProperty(CHECK, check).send(sender.createQueue(NAME), "");
    }

    /** Takes a message of a check, for which it waits; false: none came. */
    static boolean isReceived(JMSContext receiver, String check) {
        try (JMSConsumer consumer =
                receiver.createConsumer(receiver.createQueue(NAME), of(check))) {
            return consumer.receive(PATIENCE.toMillis()) != null;
        }
    }

    private static String of(String check) {
        return CHECK + " = '" + check + "'";
    }

    // ---- over the own connection, in no transaction

    /** As {@link #isReceived(JMSContext, String)}. */
    boolean isReceived(String check) {
        return isReceived(context, check);
    }

    /** Whether others could receive a message of a check now. */
    boolean isVisible(String check) throws JMSException {
        return !browse(check).isEmpty();
    }

    private List<Message> browse(String check) throws JMSException {
        List<Message> found = new ArrayList<>();
        try (QueueBrowser browser = context.createBrowser(context.createQueue(NAME), of(check))) {
            Enumeration<?> messages = browser.getEnumeration();
            while (messages.hasMoreElements()) {
                found.add((Message) messages.nextElement());
            }
        }
        return found;
    }

    /** Takes away what others can see of a check. */
    void discard(String check) {
        discardAll(of(check));
    }

    private void discardAll(String selector) {
        try (JMSConsumer consumer = context.createConsumer(context.createQueue(NAME), selector)) {
            Message taken;
            do {
                taken = consumer.receiveNoWait();
            } while (taken != null);
        }
    }

    // ---- branches that are left to the server

    /** Prepares a branch that sends a message, and makes a note of it. */
    void leave(Xid xid) throws XAException {
        String name = BranchNote.name(xid);
        XAResource resource = context.getXAResource();
        resource.start(xid, XAResource.TMNOFLAGS);
        send(context, name);
        resource.end(xid, XAResource.TMSUCCESS);
        resource.prepare(xid);
        context.createProducer()
                .setProperty(CHECK, NOTES)
                .setTimeToLive(NOTE_LIFE.toMillis())
                .send(context.createQueue(NAME), name);
    }

    /** Branches that checks have left, and of which none knows yet what became. */
    List<BranchNote> left() throws JMSException {
        List<BranchNote> notes = new ArrayList<>();
        for (Message message : browse(NOTES)) {
            notes.add(BranchNote.from(message));
        }
        return notes;
    }

    /** Whether the broker still has the branch. */
    boolean isPrepared(BranchNote note) throws XAException {
        XAResource resource = context.getXAResource();
        for (Xid xid : resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)) {
            if (BranchNote.name(xid).equals(note.xid())) {
                return true;
            }
        }
        return false;
    }

    /** Takes the note away, and what its branch may have sent. */
    void forget(BranchNote note) {
        discard(note.xid());
        discardAll("JMSMessageID = '" + note.messageId() + "'");
    }

    @Override
    public void close() {
        context.close();
    }
}
