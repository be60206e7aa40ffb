package org.metaq.jms.session;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Enumeration;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientException;
import org.metaq.jms.destination.MetaQDestination;
import org.metaq.jms.message.MessageCodec;
import org.metaq.jms.message.MetaQMessage;
import org.metaq.protocol.Command;
import org.metaq.protocol.Delivery;
import org.metaq.protocol.ProtocolException;
import org.metaq.protocol.Reply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the messages of a queue (Jakarta Messaging 3.1 §4.1.6). The broker keeps nothing of it:
 * each page is asked for by the place where the last one ended, so that messages may come and go
 * meanwhile, and a connection that was opened again goes on where the old one stopped. Needs no
 * started connection. Confined as its session is.
 */
final class MetaQBrowser implements QueueBrowser {
    private static final Logger LOG = LoggerFactory.getLogger(MetaQBrowser.class);

    private static final int PAGE_COUNT = 200;
    private static final int PAGE_BYTES = 1 << 20;

    private final SessionCore session;
    private final MetaQDestination queue;
    private final String selector;

    // Whoever closes writes it, the session's thread reads it.
    private volatile boolean isClosed;

    /**
     * A browser.
     *
     * @param selector checked; empty for none
     */
    MetaQBrowser(SessionCore session, MetaQDestination queue, String selector) {
        this.session = session;
        this.queue = queue;
        this.selector = selector;
    }

    private void checkOpen() throws IllegalStateException {
        if (isClosed) {
            throw new IllegalStateException("the browser of " + queue + " is closed");
        }
        session.checkOpen();
    }

    @Override
    public Queue getQueue() throws JMSException {
        checkOpen();
        return (Queue) queue;
    }

    @Override
    public @Nullable String getMessageSelector() throws JMSException {
        checkOpen();
        return selector.isEmpty() ? null : selector;
    }

    /**
     * Begins at the first message, each time anew.
     *
     * @throws JMSException if the browser is closed or the queue is not there any more
     */
    @Override
    public Enumeration<MetaQMessage> getEnumeration() throws JMSException {
        checkOpen();
        return new Messages(session.connection().destinations().resolve(queue));
    }

    @Override
    public void close() {
        isClosed = true;
    }

    /**
     * The messages of one partition after the other. Its methods throw the unchecked form of what
     * went wrong: that there are no more messages would be a lie.
     */
    @SuppressWarnings("JdkObsolete") // the API gives an Enumeration
    private final class Messages implements Enumeration<MetaQMessage> {
        private final Destinations.Target target;
        private final Deque<Delivery> page = new ArrayDeque<>();
        private int partitionIndex;
        private long position;
        private @Nullable MetaQMessage next;

        Messages(Destinations.Target target) {
            this.target = target;
        }

        @Override
        public boolean hasMoreElements() {
            return JmsErrors.unchecked(
                    () -> {
                        checkOpen();
                        while (next == null && (!page.isEmpty() || hasMorePages())) {
                            if (page.isEmpty()) {
                                fetch();
                            } else {
                                next = readable(page.remove());
                            }
                        }
                        return next != null;
                    });
        }

        @Override
        public MetaQMessage nextElement() {
            MetaQMessage found = hasMoreElements() ? next : null;
            if (found == null) {
                throw new NoSuchElementException("no more messages in " + queue);
            }
            next = null;
            return found;
        }

        private boolean hasMorePages() {
            return partitionIndex < target.partitions().length;
        }

        private void fetch() throws JMSException {
            try {
                Reply reply =
                        session.connection()
                                .repeatable(
                                        client ->
                                                client.call(
                                                        new Command.Browse(
                                                                target.physicalName(),
                                                                target.partitions()[partitionIndex],
                                                                position,
                                                                PAGE_COUNT,
                                                                PAGE_BYTES,
                                                                selector,
                                                                client.nextOpaque())));
                take((Reply.Value) reply);
            } catch (ClientException e) {
                throw JmsErrors.of("browse " + queue, e);
            } catch (ProtocolException e) {
                throw JmsErrors.withCause(
                        new JMSException("browse " + queue + ": " + e.getMessage()), e);
            }
        }

        private void take(Reply.Value reply) throws ProtocolException {
            var body = reply.body().duplicate();
            position = body.getLong();
            page.addAll(Delivery.readAll(body.slice()));
            if (position < 0) {
                partitionIndex++;
                position = 0;
            }
        }

        /** The message, or null if it is to be left out: it expired, or is no message. */
        private @Nullable MetaQMessage readable(Delivery delivery) {
            try {
                MetaQMessage message =
                        MessageCodec.decode(delivery, session.connection().settings().allowList());
                if (message.getJMSDestination() == null) {
                    message.setJMSDestination(queue);
                }
                long expiration = message.getJMSExpiration();
                return expiration != 0 && expiration <= System.currentTimeMillis() ? null : message;
            } catch (JMSException e) {
                LOG.warn("browsing {}: left out {}", queue, e.getMessage());
                return null;
            }
        }
    }
}
