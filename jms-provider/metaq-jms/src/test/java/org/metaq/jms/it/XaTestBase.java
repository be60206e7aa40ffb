package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.util.Arrays;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.metaq.jms.destination.MetaQQueue;

/** A session with its resource, and two queues to move messages between. */
abstract class XaTestBase extends BrokerTestBase {
    MetaQQueue from;
    MetaQQueue to;
    XAConnection connection;
    XASession session;
    XAResource resource;

    @BeforeEach
    void openSession() throws JMSException {
        from = newQueue();
        to = newQueue();
        connection = connectXa();
        session = connection.createXASession();
        resource = session.getXAResource();
    }

    static void assertCode(int code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        XAException.class,
                        e -> assertThat(e.errorCode).as(e.getMessage()).isEqualTo(code));
    }

    boolean isInDoubt(Xid xid) throws XAException {
        Xid[] found = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
        return Arrays.stream(found).anyMatch(each -> Xids.isSame(each, xid));
    }

    /** A branch that has received one of two messages of a queue, and sent one to another. */
    Xid worked() throws Exception {
        send(from, "a", "b");
        Xid xid = Xids.next();
        resource.start(xid, XAResource.TMNOFLAGS);
        MessageConsumer consumer = session.createConsumer(from);
        assertThat(text(receive(consumer))).isEqualTo("a");
        send(session, to, "A");
        consumer.close();
        return xid;
    }
}
