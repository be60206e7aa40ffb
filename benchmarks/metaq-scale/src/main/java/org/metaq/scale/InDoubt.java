package org.metaq.scale;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.metaq.bench.BenchException;
import org.metaq.bench.BrokerProcess;
import org.metaq.jms.destination.MetaQQueue;

/** Many prepared branches that wait for their outcome, each with a message. */
final class InDoubt {
    private static final int BRANCHES = 20_000;
    private static final int LENGTH = 1024;

    private InDoubt() {}

    private record BranchXid(int number) implements Xid {
        @Override
        public int getFormatId() {
            return 1;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }

    static void run(Run run)
            throws JMSException, IOException, InterruptedException, BenchException {
        int count = run.size().of(BRANCHES);
        double empty = restart(run.broker());
        run.measure("restart, nothing in doubt", empty, "s");
        long emptyHeap = run.broker().liveHeapBytes();
        try (XAConnection connection = run.factory().createXAConnection()) {
            prepare(run, connection.createXASession(), count);
        } catch (XAException e) {
            throw failed("prepare", e);
        }
        run.atMost(
                8192,
                "broker heap per branch",
                (double) (run.broker().liveHeapBytes() - emptyHeap) / count,
                "B");
        run.timeAtMost(1, "restart, longer by", restart(run.broker()) - empty);
        try (XAConnection connection = run.factory().createXAConnection()) {
            commit(run, connection.createXASession().getXAResource(), count);
        } catch (XAException e) {
            throw failed("recover and commit", e);
        }
        run.peakMemory(400, 600);
    }

    private static BenchException failed(String what, XAException e) {
        return new BenchException(what + " failed with " + e.errorCode + ": " + e.getMessage(), e);
    }

    /** Seconds from the end of the old process to the ready line of the new one. */
    private static double restart(BrokerProcess broker)
            throws IOException, InterruptedException, BenchException {
        broker.stop();
        long stoppedNs = System.nanoTime();
        broker.startAgain();
        return Run.secondsSince(stoppedNs);
    }

    private static void prepare(Run run, XASession session, int count)
            throws JMSException, XAException {
        XAResource resource = session.getXAResource();
        MessageProducer producer = session.createProducer(new MetaQQueue("scale"));
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(new byte[LENGTH]);
        long startNs = System.nanoTime();
        for (int i = 0; i < count; i++) {
            Xid xid = new BranchXid(i);
            resource.start(xid, XAResource.TMNOFLAGS);
            producer.send(message);
            resource.end(xid, XAResource.TMSUCCESS);
            resource.prepare(xid);
            run.progress("prepared", i + 1, count);
        }
        run.measure("prepares", Run.rate(count, startNs), "/s");
    }

    private static void commit(Run run, XAResource resource, int count)
            throws XAException, BenchException {
        Xid[] found = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
        if (found.length != count) {
            throw new BenchException(found.length + " branches are in doubt, not " + count);
        }
        long startNs = System.nanoTime();
        for (int i = 0; i < count; i++) {
            resource.commit(found[i], false);
            run.progress("committed", i + 1, count);
        }
        run.measure("commits", Run.rate(count, startNs), "/s");
    }
}
