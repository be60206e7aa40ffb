package org.metaq.ra.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Session;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ManagedConnection;
import jakarta.resource.spi.SecurityException;
import jakarta.resource.spi.security.PasswordCredential;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.security.auth.Subject;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.Test;

/** Which managed connections there are, whose they are, and what they are on. */
class PoolingIT extends OutboundTestBase {
    private static final String USER = "j2ee";

    private Subject subject(String user, String password) {
        PasswordCredential credential = new PasswordCredential(user, password.toCharArray());
        credential.setManagedConnectionFactory(factory);
        return new Subject(false, Set.of(), Set.of(), Set.of(credential));
    }

    private List<ManagedConnection> open(int count) throws ResourceException {
        List<ManagedConnection> opened = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            opened.add(factory.createManagedConnection(null, null));
        }
        return opened;
    }

    private static void destroy(List<ManagedConnection> connections) throws ResourceException {
        for (ManagedConnection connection : connections) {
            connection.destroy();
        }
    }

    private static long socketCount() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("metaq-reader-"))
                .count();
    }

    @Test
    void shouldOpenFewConnectionsForManySessions() throws Exception {
        long before = socketCount();
        List<ManagedConnection> opened = open(50);
        assertThat(factory.connectionCount()).isEqualTo(4);
        assertThat(socketCount() - before).isLessThanOrEqualTo(4);
        destroy(opened);
        assertThat(factory.connectionCount()).isZero();
    }

    @Test
    void shouldOpenOneConnectionForAClientId() throws Exception {
        factory.setClientId("orders");
        List<ManagedConnection> opened = open(50);
        assertThat(factory.connectionCount()).isOne();
        Connection connection = (Connection) opened.get(49).getConnection(null, null);
        assertThat(connection.getClientID()).isEqualTo("orders");
        destroy(opened);
    }

    @Test
    void shouldOpenAConnectionForEachSessionIfToldSo() throws Exception {
        factory.setSessionsPerConnection(1);
        List<ManagedConnection> opened = open(3);
        assertThat(factory.connectionCount()).isEqualTo(3);
        destroy(opened);
    }

    @Test
    void shouldMatchByUser() throws Exception {
        ManagedConnection anonymous = factory.createManagedConnection(null, null);
        ManagedConnection named = factory.createManagedConnection(subject(USER, USER), null);
        Set<Object> both = Set.of(anonymous, named);
        assertThat(factory.matchManagedConnections(both, null, null)).isSameAs(anonymous);
        assertThat(factory.matchManagedConnections(both, subject(USER, USER), null))
                .isSameAs(named);
        ConnectionRequest request = new ConnectionRequest(USER, USER);
        assertThat(factory.matchManagedConnections(both, null, request)).isSameAs(named);
        ConnectionRequest other = new ConnectionRequest(USER, "other");
        assertThat(factory.matchManagedConnections(both, null, other)).isNull();
        assertThat(factory.matchManagedConnections(Set.of(), null, null)).isNull();
        assertThat(factory.connectionCount()).isEqualTo(2);
        assertThat(named.getMetaData().getUserName()).isEqualTo(USER);
        destroy(List.of(anonymous, named));
    }

    @Test
    void shouldPreferTheUserOfTheServerToThatOfTheApplication() throws Exception {
        ConnectionRequest request = new ConnectionRequest("nobody", "wrong");
        ManagedConnection named = factory.createManagedConnection(subject(USER, USER), request);
        assertThat(named.getMetaData().getUserName()).isEqualTo(USER);
        named.destroy();
    }

    @Test
    void shouldTakeAnEmptyUserForNone() throws Exception {
        factory.setUserName(USER);
        factory.setPassword(USER);
        ManagedConnection managed = factory.createManagedConnection(subject("", ""), null);
        assertThat(managed.getMetaData().getUserName()).isEqualTo(USER);
        managed.destroy();
        ConnectionRequest empty = new ConnectionRequest("", "");
        assertThat(factory.access(null, empty).user()).isEqualTo(USER);
    }

    @Test
    void shouldRefuseToChangeTheUserOfAManagedConnection() throws Exception {
        ManagedConnection anonymous = factory.createManagedConnection(null, null);
        assertThatThrownBy(() -> anonymous.getConnection(subject(USER, USER), null))
                .isInstanceOf(SecurityException.class);
        anonymous.destroy();
    }

    @Test
    void shouldSayThatAPasswordIsWrong() throws Exception {
        assertThatThrownBy(() -> factory.createManagedConnection(subject(USER, "wrong"), null))
                .isInstanceOf(SecurityException.class)
                .hasMessageContaining("user or password is wrong");
        assertThatThrownBy(() -> application.createConnection(USER, "wrong"))
                .isInstanceOf(JMSSecurityException.class);
        assertThatThrownBy(() -> application.createContext(USER, "wrong"))
                .isInstanceOf(JMSSecurityRuntimeException.class);
        assertThat(factory.connectionCount()).isZero();
        application.createConnection(USER, USER).close();
    }

    @Test
    void shouldNotHandOutAConnectionWithoutTheClientIdItShouldHave() throws Exception {
        factory.setClientId("one");
        MetaQManagedConnectionFactory other = newFactory(new MetaQManagedConnectionFactory());
        other.setClientId("one");
        RaConnectionFactory second = application(other, newPool());
        try (Connection first = application.createConnection()) {
            assertThat(first.getClientID()).isEqualTo("one");
            assertThatThrownBy(second::createConnection)
                    .isInstanceOf(InvalidClientIDException.class);
            assertThat(other.connectionCount()).isZero();
        }
        server.close();
        try (Connection next = second.createConnection()) {
            assertThat(next.getClientID()).isEqualTo("one");
        }
    }

    @Test
    void shouldTakeTheClientIdOfTheUriUnlessTheFactoryHasOne() throws Exception {
        factory.setConnectionUri(uri() + "?clientId=of-uri");
        try (Connection one = application.createConnection();
                Connection other = application.createConnection()) {
            assertThat(one.getClientID()).isEqualTo("of-uri");
            assertThat(other.getClientID()).isEqualTo("of-uri");
            assertThat(factory.connectionCount()).isOne();
        }
        server.close();
        factory.setClientId("of-factory");
        try (Connection connection = application.createConnection()) {
            assertThat(connection.getClientID()).isEqualTo("of-factory");
        }
    }

    @Test
    void shouldLoseNoManagedConnectionWhenEnlistmentFailsAgainAndAgain() throws Exception {
        send("before");
        for (int i = 0; i < 1_000; i++) {
            ManagedConnection managed = anIdleOne();
            XAResource resource = managed.getXAResource();
            FakeTransaction.TestXid unknown =
                    new FakeTransaction.TestXid(1, new byte[] {7}, new byte[] {7});
            assertThatThrownBy(() -> resource.start(unknown, XAResource.TMJOIN))
                    .isInstanceOf(XAException.class);
            managed.cleanup();
        }
        send("after");
        assertThat(texts()).containsExactly("before", "after");
        assertThat(server.createdCount()).isOne();
        assertThat(factory.connectionCount()).isOne();
    }

    private ManagedConnection anIdleOne() throws ResourceException {
        return factory.matchManagedConnections(new HashSet<>(server.idle()), null, null);
    }

    @Test
    void shouldLoseNothingWhenApplicationsFailAgainAndAgain() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            try (Connection connection = application.createConnection();
                    Session session = connection.createSession()) {
                assertThatThrownBy(connection::createSession)
                        .isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> session.createConsumer(queue, "not a selector ("))
                        .isInstanceOf(InvalidSelectorException.class);
            }
        }
        send("after");
        assertThat(texts()).containsExactly("after");
        assertThat(server.createdCount()).isOne();
        assertThat(server.usedCount()).isZero();
    }

    @Test
    void shouldSayThatThereIsNoUseWithoutAServer() {
        assertThatThrownBy(factory::createConnectionFactory)
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("MetaQConnectionFactory");
    }
}
