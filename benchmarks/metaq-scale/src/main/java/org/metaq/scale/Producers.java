package org.metaq.scale;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.function.IntFunction;

/** Sends many messages in local transactions. Stateless. */
final class Producers {
    private static final int TENTHS = 10;

    private Producers() {}

    /**
     * What is sent.
     *
     * @param count messages
     * @param length of each, bytes
     * @param perCommit messages per transaction
     */
    record Load(int count, int length, int perCommit) {}

    /**
     * What it took.
     *
     * @param perSecond over all
     * @param lastToSecond rate of the last tenth by that of the second, as the first is warm-up;
     *     without meaning if there are fewer than ten transactions
     */
    record Rates(double perSecond, double lastToSecond) {}

    /**
     * Sends all of them, persistent.
     *
     * @param target of the message with a number
     */
    static Rates send(
            Run run, Connection connection, Load load, IntFunction<? extends Destination> target)
            throws JMSException {
        long[] tenthsNs = new long[TENTHS + 1];
        byte[] body = new byte[load.length()];
        try (Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
                MessageProducer producer = session.createProducer(null)) {
            tenthsNs[0] = System.nanoTime();
            for (int i = 1; i <= load.count(); i++) {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(body);
                producer.send(target.apply(i - 1), message);
                if (i % load.perCommit() == 0 || i == load.count()) {
                    session.commit();
                    ended(tenthsNs, (int) ((long) TENTHS * i / load.count()));
                    run.progress("sent", i, load.count());
                }
            }
        }
        double second = tenthsNs[2] - tenthsNs[1];
        double last = tenthsNs[TENTHS] - tenthsNs[TENTHS - 1];
        return new Rates(
                load.count() * Run.SECOND_NS / (tenthsNs[TENTHS] - tenthsNs[0]), second / last);
    }

    private static void ended(long[] tenthsNs, int tenth) {
        if (tenth > 0 && tenthsNs[tenth] == 0) {
            tenthsNs[tenth] = System.nanoTime();
        }
    }
}
