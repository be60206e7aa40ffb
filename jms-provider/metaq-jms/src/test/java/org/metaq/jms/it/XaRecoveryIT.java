package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import javax.management.ObjectName;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.server.BrokerServer;
import org.metaq.server.config.ConfigKey;
import org.metaq.server.config.ServerConfig;

/** What a transaction manager finds again: scans, restarts, and which resources are the same. */
class XaRecoveryIT extends XaTestBase {
    private static final int ALL = XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN;

    private enum Scan {
        NONE,
        OPEN
    }

    /** What recover does: gives all branches or none, or fails; and whether a scan is open then. */
    private record Step(String gives, Scan then) {}

    private static final Map<Scan, Map<Integer, Step>> SCANS =
            Map.of(
                    Scan.NONE,
                    Map.of(
                            XAResource.TMSTARTRSCAN,
                            new Step("all", Scan.OPEN),
                            ALL,
                            new Step("all", Scan.NONE),
                            XAResource.TMENDRSCAN,
                            new Step("none", Scan.NONE),
                            XAResource.TMNOFLAGS,
                            new Step("PROTO", Scan.NONE),
                            XAResource.TMJOIN,
                            new Step("INVAL", Scan.NONE)),
                    Scan.OPEN,
                    Map.of(
                            XAResource.TMSTARTRSCAN,
                            new Step("all", Scan.OPEN),
                            ALL,
                            new Step("all", Scan.NONE),
                            XAResource.TMENDRSCAN,
                            new Step("none", Scan.NONE),
                            XAResource.TMNOFLAGS,
                            new Step("none", Scan.OPEN),
                            XAResource.TMJOIN,
                            new Step("INVAL", Scan.OPEN)));

    private Xid prepared(MetaQQueue queue, String text) throws Exception {
        Xid xid = Xids.next();
        resource.start(xid, XAResource.TMNOFLAGS);
        send(session, queue, text);
        resource.end(xid, XAResource.TMSUCCESS);
        assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
        return xid;
    }

    private void checkpoint() throws Exception {
        ObjectName bean = new ObjectName("org.metaq:type=Broker,id=0,port=" + port());
        ManagementFactory.getPlatformMBeanServer().invoke(bean, "checkpoint", null, null);
    }

    private void reopen() throws JMSException {
        connection = connectXa();
        session = connection.createXASession();
        resource = session.getXAResource();
    }

    private List<String> browse(MetaQQueue queue) throws JMSException {
        try (Connection plain = factory("").createConnection()) {
            QueueBrowser browser = plain.createSession().createBrowser(queue);
            List<String> texts = new ArrayList<>();
            Enumeration<?> messages = browser.getEnumeration();
            while (messages.hasMoreElements()) {
                texts.add(text((Message) messages.nextElement()));
            }
            return texts;
        }
    }

    @Test
    @Spec("X/Open XA xa_recover: the flags in all orders, three calls deep")
    void shouldScanInAllOrders() throws Exception {
        Xid xid = prepared(to, "m");
        List<Integer> flags = List.copyOf(SCANS.get(Scan.NONE).keySet());
        for (int first : flags) {
            for (int second : flags) {
                for (int third : flags) {
                    XAResource fresh = connection.createXASession().getXAResource();
                    Scan scan = Scan.NONE;
                    for (int flag : new int[] {first, second, third}) {
                        Step should = SCANS.get(scan).get(flag);
                        assertThat(recover(fresh, flag, xid))
                                .as("%s after %s of %x %x %x", flag, scan, first, second, third)
                                .isEqualTo(should.gives());
                        scan = should.then();
                    }
                }
            }
        }
        resource.rollback(xid);
    }

    private static String recover(XAResource resource, int flag, Xid xid) {
        try {
            Xid[] found = resource.recover(flag);
            long count = Arrays.stream(found).filter(each -> Xids.isSame(each, xid)).count();
            return found.length == 0 ? "none" : count == 1 ? "all" : count + " times";
        } catch (XAException e) {
            return e.errorCode == XAException.XAER_PROTO
                    ? "PROTO"
                    : e.errorCode == XAException.XAER_INVAL ? "INVAL" : "code " + e.errorCode;
        }
    }

    @Test
    @Spec("X/Open XA xa_recover: what is finished does not come back from the log")
    void shouldListJustWhatIsPreparedAfterCheckpointsAndRestarts() throws Exception {
        List<Xid> inDoubt = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            Xid xid = prepared(to, "m" + i);
            if (i % 3 == 0) {
                inDoubt.add(xid);
            } else if (i % 3 == 1) {
                resource.commit(xid, false);
            } else {
                resource.rollback(xid);
            }
            if (i % 25 == 10) {
                checkpoint();
            }
        }
        for (int round = 0; round < 2; round++) {
            restartBroker();
            reopen();
            assertThat(resource.recover(ALL)).hasSameSizeAs(inDoubt);
            for (Xid xid : inDoubt) {
                assertThat(isInDoubt(xid)).isTrue();
            }
            checkpoint();
        }
        assertThat(drain(to)).as("of those that were committed").hasSize(20);
        for (Xid xid : inDoubt) {
            resource.commit(xid, false);
        }
        checkpoint();
        restartBroker();
        reopen();
        assertThat(resource.recover(ALL)).isEmpty();
        assertThat(drain(to)).hasSize(20);
    }

    @Test
    @Spec("X/Open XA xa_prepare: neither browsers nor consumers see it, also over a restart")
    void shouldHidePreparedSendsAndReceivesFromBrowsersAndConsumersOverARestart() throws Exception {
        for (boolean commits : new boolean[] {true, false}) {
            from = newQueue();
            Xid xid = worked();
            resource.end(xid, XAResource.TMSUCCESS);
            resource.prepare(xid);
            restartBroker();
            reopen();
            assertThat(browse(to)).isEmpty();
            assertThat(browse(from)).containsExactly("b");
            if (commits) {
                resource.commit(xid, false);
            } else {
                resource.rollback(xid);
            }
            assertThat(browse(to)).hasSize(commits ? 1 : 0);
            assertThat(browse(from)).hasSize(commits ? 1 : 2);
            assertThat(drain(to)).hasSize(commits ? 1 : 0);
            assertThat(drain(from)).hasSize(commits ? 1 : 2);
        }
    }

    @Test
    @Spec("docs/xa.md: outcomes are remembered over checkpoints and restarts")
    void shouldRememberOutcomesOverCheckpointsAndRestarts() throws Exception {
        Xid committed = prepared(to, "committed");
        resource.commit(committed, false);
        checkpoint();
        Xid rolledBack = prepared(to, "rolled back");
        resource.rollback(rolledBack);
        for (int round = 0; round < 2; round++) {
            restartBroker();
            reopen();
            resource.commit(committed, false);
            resource.rollback(rolledBack);
            assertCode(XAException.XAER_NOTA, () -> resource.rollback(committed));
            assertCode(XAException.XA_RBROLLBACK, () -> resource.commit(rolledBack, false));
            assertCode(XAException.XA_RBROLLBACK, () -> resource.commit(rolledBack, true));
            assertCode(
                    XAException.XAER_DUPID, () -> resource.start(committed, XAResource.TMNOFLAGS));
            checkpoint();
        }
        assertThat(drain(to)).containsExactly("committed#1");
    }

    private static BrokerServer otherBroker(Path directory) {
        return BrokerServer.start(
                ServerConfig.builder()
                        .dataPath(directory)
                        .port(0)
                        .bindAddress("127.0.0.1")
                        .set(ConfigKey.JOURNAL_SEGMENT_SIZE, "1M")
                        .set(ConfigKey.MAX_MESSAGE_SIZE, "64K")
                        .set(ConfigKey.MAX_TRANSACTION_SIZE, "64K")
                        .build());
    }

    @Test
    @Spec("XAResource.isSameRM: exactly when both would recover the same branches; symmetric")
    void shouldKnowWhichResourcesAreOfTheSameBroker(@TempDir Path directory) throws Exception {
        XAResource sibling = connection.createXASession().getXAResource();
        XAResource remote = connectXa().createXASession().getXAResource();
        XAResource byName =
                closedLater(
                                new MetaQConnectionFactory("metaq://localhost:" + port())
                                        .createXAConnection())
                        .createXASession()
                        .getXAResource();
        XAResource wrapped = new WrappedResource(remote);
        List<XAResource> same = List.of(resource, sibling, remote, byName, wrapped);
        for (XAResource one : same) {
            for (XAResource other : same) {
                assertThat(one.isSameRM(other)).isTrue();
            }
        }
        try (BrokerServer other = otherBroker(directory.resolve("other"));
                XAConnection elsewhere =
                        new MetaQConnectionFactory("metaq://127.0.0.1:" + other.port())
                                .createXAConnection()) {
            XAResource foreign = elsewhere.createXASession().getXAResource();
            for (XAResource one : same) {
                assertThat(one.isSameRM(foreign)).isFalse();
                assertThat(foreign.isSameRM(one)).isFalse();
                assertThat(new WrappedResource(foreign).isSameRM(one)).isFalse();
            }
        }
        restartBroker();
        XAResource later = connectXa().createXASession().getXAResource();
        assertThat(resource.isSameRM(later)).as("over a restart").isTrue();
    }

    @Test
    @Spec("XAResource.isSameRM: of a resource that asks back")
    void shouldNotAskForEverAResourceThatAsksBack() {
        XAResource asking =
                new WrappedResource(resource) {
                    @Override
                    public boolean isSameRM(XAResource other) throws XAException {
                        return other.isSameRM(this);
                    }
                };
        assertThatCode(() -> assertThat(resource.isSameRM(asking)).isFalse())
                .doesNotThrowAnyException();
    }

    @Test
    @Spec("X/Open XA: XAER_RMFAIL; another broker must not say that it does not know the branch")
    void shouldNotAskAnotherBrokerForTheOutcome(@TempDir Path directory) throws Exception {
        BrokerServer first = otherBroker(directory.resolve("first"));
        try (BrokerServer second = otherBroker(directory.resolve("second"))) {
            String uri = "metaq://127.0.0.1:" + first.port() + ",127.0.0.1:" + second.port();
            XAConnection either = closedLater(new MetaQConnectionFactory(uri).createXAConnection());
            XASession work = either.createXASession();
            XAResource own = work.getXAResource();
            Xid xid = Xids.next();
            own.start(xid, XAResource.TMNOFLAGS);
            send(work, to, "m");
            own.end(xid, XAResource.TMSUCCESS);
            own.prepare(xid);
            first.close();
            assertCode(XAException.XAER_RMFAIL, () -> own.commit(xid, false));
            assertCode(XAException.XAER_RMFAIL, () -> own.rollback(xid));
            assertCode(XAException.XAER_RMFAIL, () -> own.recover(ALL));
        } finally {
            first.close();
        }
    }

    @Test
    @Spec("X/Open XA xa_commit(TMONEPHASE): XA_RB* if the broker cannot")
    void shouldRollBackAOnePhaseCommitThatTheBrokerCannotDo(@TempDir Path directory)
            throws Exception {
        try (BrokerServer small = otherBroker(directory.resolve("small"));
                XAConnection limited =
                        new MetaQConnectionFactory("metaq://127.0.0.1:" + small.port())
                                .createXAConnection()) {
            limited.start();
            XASession work = limited.createXASession();
            XAResource own = work.getXAResource();
            Xid xid = Xids.next();
            own.start(xid, XAResource.TMNOFLAGS);
            send(work, to, "x".repeat(40_000), "x".repeat(40_000));
            int code = endAndCommit(own, xid);
            assertThat(code).isBetween(XAException.XA_RBBASE, XAException.XA_RBEND);
            assertThat(own.recover(ALL)).isEmpty();
            own.rollback(xid);
            MessageConsumer consumer = work.createConsumer(to);
            assertThat(consumer.receiveNoWait()).isNull();
            send(work, to, "next");
            assertThat(text(receive(consumer))).isEqualTo("next");
        }
    }

    private static int endAndCommit(XAResource resource, Xid xid) {
        try {
            resource.end(xid, XAResource.TMSUCCESS);
            resource.commit(xid, true);
            return 0;
        } catch (XAException e) {
            return e.errorCode;
        }
    }
}
