package org.metaq.jms.session;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Non-persistent messages of a connection that the broker refused, or of which it is not known
 * whether it has them. Nobody waits for them, so they are logged: the first at once, the number of
 * all when the connection is closed, for there may be thousands. Thread-safe.
 */
final class LostSends {
    private static final Logger LOG = LoggerFactory.getLogger(LostSends.class);

    private final AtomicLong count = new AtomicLong();

    /** One more. */
    void note(String doing, Throwable why) {
        if (count.getAndIncrement() == 0) {
            LOG.warn(
                    "{}: a non-persistent message may be lost, further ones are counted: {}",
                    doing,
                    why.getMessage());
        } else {
            LOG.debug("{}: a non-persistent message may be lost: {}", doing, why.getMessage());
        }
    }

    /** The connection is closed: tells how many there were, if the first was not all. */
    void tell(String connection) {
        long all = count.get();
        if (all > 1) {
            LOG.warn("connection {}: {} non-persistent messages may be lost", connection, all);
        }
    }
}
