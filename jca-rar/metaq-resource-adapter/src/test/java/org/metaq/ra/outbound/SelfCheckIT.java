package org.metaq.ra.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import jakarta.resource.spi.BootstrapContext;
import jakarta.resource.spi.ManagedConnection;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Timer;
import javax.management.ObjectName;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.ra.MetaQResourceAdapter;
import org.metaq.ra.check.SelfCheck;
import org.metaq.ra.inbound.FakeNaming;

/** What the self-check says of servers that are set up well, and of others. */
class SelfCheckIT extends OutboundTestBase {
    private static final String QUEUE = "metaq.selfcheck";
    private static final String POOL = "java:/jms/pool";

    private Instant now;
    private Instant serverStart;
    private TransactionSynchronizationRegistry registry;

    @BeforeEach
    void bind() {
        FakeManager manager = new FakeManager(server);
        registry = manager.registry();
        now = Instant.now();
        serverStart = now.minusSeconds(60);
        FakeNaming.install();
        FakeNaming.BOUND.put("java:jboss/TransactionManager", manager);
        FakeNaming.BOUND.put(POOL, application);
    }

    @AfterEach
    void rollBackAndUnbind() throws Exception {
        List<String> report;
        do {
            recover(true);
            report = check(POOL);
        } while (!report.contains("SELF-CHECK OK"));
        assertThat(messages()).isEmpty();
        FakeNaming.uninstall();
    }

    private BootstrapContext context() {
        return (BootstrapContext)
                Proxy.newProxyInstance(
                        BootstrapContext.class.getClassLoader(),
                        new Class<?>[] {BootstrapContext.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "getTransactionSynchronizationRegistry" -> registry;
                                    case "createTimer" -> new Timer(true);
                                    default -> null;
                                });
    }

    private List<String> check(String name) {
        String report =
                new SelfCheck(context(), Clock.fixed(now, ZoneOffset.UTC), serverStart).run(name);
        return report.lines().toList();
    }

    private void assertFailed(List<String> report, String why) {
        assertThat(report).last().isEqualTo("SELF-CHECK FAILED");
        assertThat(report).anyMatch(line -> line.startsWith("FAILED") && line.contains(why));
    }

    /** What a server's recovery does. */
    private int recover(boolean isRolledBack) throws Exception {
        MetaQResourceAdapter adapter = newAdapter();
        adapter.start(context());
        XAResource resource = adapter.getXAResources(null)[0];
        Xid[] found = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
        for (Xid xid : found) {
            if (isRolledBack) {
                resource.rollback(xid);
            } else {
                resource.commit(xid, false);
            }
        }
        adapter.stop();
        return found.length;
    }

    private List<?> messages() throws Exception {
        try (JMSContext context = new MetaQConnectionFactory(uri()).createContext();
                var browser = context.createBrowser(context.createQueue(QUEUE))) {
            Enumeration<?> messages = browser.getEnumeration();
            return Collections.list(messages);
        }
    }

    @Test
    void shouldSeeThatAllIsWellOnceTheServerHasRecovered() throws Exception {
        List<String> first = check(POOL);
        assertThat(first).last().asString().startsWith("SELF-CHECK WAITING");
        assertThat(first).noneMatch(line -> line.startsWith("FAILED"));
        assertThat(first)
                .anyMatch(line -> line.equals("OK      what is sent comes with the commit"));
        assertThat(check(POOL)).last().asString().startsWith("SELF-CHECK WAITING");

        assertThat(recover(true)).as("one branch is left, however many checks ask").isOne();
        assertThat(check(POOL))
                .contains("SELF-CHECK OK")
                .anyMatch(line -> line.endsWith("it was rolled back"));
        assertThat(messages()).isEmpty();
    }

    @Test
    void shouldWaitForARestartOfAServerThatRecoversAtItsStart() throws Exception {
        check(POOL);
        now = now.plus(Duration.ofHours(2));
        assertThat(check(POOL)).anyMatch(line -> line.contains("restart the server"));

        serverStart = now;
        now = now.plus(Duration.ofMinutes(1));
        assertThat(check(POOL)).last().asString().startsWith("SELF-CHECK WAITING");
        now = now.plus(Duration.ofMinutes(11));
        List<String> late = check(POOL);
        assertThat(late).last().isEqualTo("SELF-CHECK FAILED");
        assertThat(late).anyMatch(line -> line.contains("metaq transactions rollback XID:77:"));
    }

    @Test
    void shouldSayThatABranchWasCommittedThatNobodyDecided() throws Exception {
        check(POOL);
        recover(false);
        assertThat(check(POOL))
                .contains("SELF-CHECK FAILED")
                .anyMatch(line -> line.contains("it was committed"));
        assertThat(messages()).isEmpty();
    }

    @Test
    void shouldTouchNoBranchesOfOthers() throws Exception {
        FakeTransaction transaction = server.begin();
        send("in doubt");
        Xid foreign = transaction.prepare().get(0);
        server.crash();
        check(POOL);
        check(POOL);
        ManagedConnection managed = factory.createManagedConnection(null, null);
        managed.getXAResource().commit(foreign, false);
        managed.destroy();
        assertThat(texts()).containsExactly("in doubt");
    }

    @Test
    void shouldSayThatAPoolDoesNotEnlist() throws Exception {
        // Its server knows of no transaction.
        FakeNaming.BOUND.put("java:/jms/plain", application(factory, newPool()));
        assertFailed(check("java:/jms/plain"), "there before the commit");
        assertThat(messages()).isEmpty();
    }

    @Test
    void shouldSayWhatTheNameLeadsToThatIsNoPool() {
        FakeNaming.BOUND.put("jms/provider", new MetaQConnectionFactory(uri()));
        assertFailed(check("jms/provider"), "it is a org.metaq.jms.MetaQConnectionFactory");
        assertFailed(check("jms/nothing"), "there is nothing of that name");
        assertFailed(check("ldap://127.0.0.1/x"), "is no name in this server");
    }

    @Test
    void shouldSayThatThereIsNoTransactionManager() {
        Object manager = FakeNaming.BOUND.remove("java:jboss/TransactionManager");
        assertFailed(check(POOL), "there is none at java:jboss/TransactionManager");
        FakeNaming.BOUND.put("java:appserver/TransactionManager", manager);
        assertThat(check(POOL)).last().asString().startsWith("SELF-CHECK WAITING");
    }

    @Test
    void shouldSayThatTheRegistryIsOfAnotherManager() {
        TransactionSynchronizationRegistry own = registry;
        registry = new FakeManager(newPool()).registry();
        assertThat(registry.getTransactionStatus()).isEqualTo(Status.STATUS_NO_TRANSACTION);
        assertFailed(check(POOL), "two transaction managers");
        registry = own;
    }

    @Test
    void shouldSayThatTheBrokerIsAway() {
        int port = stopBrokerNow();
        assertFailed(check(POOL), "can be reached: metaq://127.0.0.1:" + port);
        startBrokerAgain(port);
    }

    @Test
    void shouldBeThereForOperatorsWhileTheAdapterRuns() throws Exception {
        MetaQResourceAdapter adapter = newAdapter();
        adapter.start(context());
        var beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("org.metaq.ra:type=ResourceAdapter");
        assertThat(beans.getAttribute(name, "Broker")).isEqualTo(uri());
        Object report =
                beans.invoke(
                        name,
                        "selfCheck",
                        new Object[] {POOL},
                        new String[] {String.class.getName()});
        assertThat(report.toString()).contains("SELF-CHECK WAITING");
        adapter.stop();
        assertThat(beans.isRegistered(name)).isFalse();
    }
}
