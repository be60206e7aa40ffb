package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.server.BrokerServer;
import org.metaq.server.config.ConfigKey;
import org.metaq.server.config.ServerConfig;

/** Credentials, as a JMS client meets them. */
@Timeout(60)
class AuthenticationIT {
    /** j2ee with the password j2ee. */
    private static final String USER =
            "j2ee=PBKDF2WithHmacSHA256$1000$Y2hvc2VuIGF0IHJhbmRvbQ==$pezHRfcqQb1EPU2GrQUQ/7LlQoXVb9Osloa7ewjizfY=";

    @Test
    @Spec("JMS 3.1 §6.1.1: createConnection authenticates")
    void shouldRefuseWrongCredentialsFromTheCallThatConnects(@TempDir Path directory)
            throws Exception {
        Path users = Files.writeString(directory.resolve("users"), USER + "\n");
        try (BrokerServer server =
                BrokerServer.start(
                        ServerConfig.builder()
                                .set(ConfigKey.USERS, users.toString())
                                .set(ConfigKey.JOURNAL_SEGMENT_SIZE, "1M")
                                .dataPath(directory.resolve("data"))
                                .port(0)
                                .bindAddress("127.0.0.1")
                                .build())) {
            MetaQConnectionFactory factory =
                    new MetaQConnectionFactory("metaq://127.0.0.1:" + server.port());
            refuses(factory);
            factory.createConnection("j2ee", "j2ee").close();
            factory.createContext("j2ee", "j2ee", JMSContext.SESSION_TRANSACTED).close();
            factory.createXAConnection("j2ee", "j2ee").close();
            try (Connection anonymous = factory.createConnection()) {
                assertThat(anonymous.getClientID()).isNull();
            }
            factory.createContext().close();
        }
        BrokerTestBase.awaitNoClientThreads();
    }

    private static void refuses(MetaQConnectionFactory factory) throws JMSException {
        assertThatThrownBy(() -> factory.createConnection("invalid", "invalid"))
                .isInstanceOf(JMSSecurityException.class)
                .hasMessageContaining("user or password is wrong")
                .extracting(e -> ((JMSException) e).getErrorCode())
                .isEqualTo("UNAUTHORIZED");
        assertThatThrownBy(() -> factory.createXAConnection("j2ee", "invalid"))
                .isInstanceOf(JMSSecurityException.class);
        assertThatThrownBy(() -> factory.createQueueConnection("invalid", "j2ee"))
                .isInstanceOf(JMSSecurityException.class);
        assertThatThrownBy(() -> factory.createContext("invalid", "invalid"))
                .isInstanceOf(JMSSecurityRuntimeException.class);
        assertThatThrownBy(() -> factory.createXAContext("j2ee", "wrong"))
                .isInstanceOf(JMSSecurityRuntimeException.class);
    }
}
