package org.metaq.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.protocol.Command;
import org.metaq.protocol.CommandCodec;
import org.metaq.server.BrokerServer;
import org.metaq.server.RawClient;
import org.metaq.server.config.ConfigException;
import org.metaq.server.config.ConfigFile;
import org.metaq.server.config.ConfigKey;
import org.metaq.server.config.ServerConfig;

/** A whole broker with a users file. */
@Timeout(120)
class AuthenticationIT {
    /** Slow enough that a hash per connection would be seen. */
    private static final int ITERATIONS = 100_000;

    @TempDir Path directory;

    @Test
    void shouldOpenSessionsForTheUsersOfTheFileOnly() throws IOException {
        user("j2ee", "j2ee");
        try (BrokerServer server = start("")) {
            assertThat(open(server, "j2ee", "j2ee")).startsWith("result 200 ");
            assertThat(open(server, "invalid", "invalid")).contains(" 401 ");
            assertThat(open(server, "j2ee", "J2EE")).contains(" 401 ");
            assertThat(open(server, "j2ee", "")).contains(" 401 ");
            assertThat(open(server, "", "j2ee")).contains(" 401 ");
            assertThat(open(server, "", "")).as("anonymous").startsWith("result 200 ");
        }
    }

    @Test
    @Timeout(30)
    void shouldHashTheSamePasswordOnce() throws IOException {
        user("app", "secret");
        try (BrokerServer server = start("")) {
            int opens = 2_000;
            for (int i = 0; i < opens; i++) {
                assertThat(open(server, "app", "secret")).startsWith("result 200 ");
            }
            // at 30 ms or more each, hashes of their own would take longer than this test may
        }
    }

    @Test
    void shouldRefuseWhatIsPipelinedBehindAnOpenThatIsNotAnswered() throws IOException {
        user("app", "secret");
        try (BrokerServer server = start("");
                RawClient client = new RawClient(server.port())) {
            client.send(openLine("app", "secret"));
            client.send("client-id 1 2\r\nx");
            RawClient.Answer early = client.read();
            assertThat(early.line()).startsWith("result 401 ").endsWith(" 2");
            assertThat(early.text()).contains("await its answer");
            assertThat(client.read().line()).startsWith("result 200 ").endsWith(" 1");
            assertThat(client.ask("client-id 1 3\r\nx").line()).startsWith("result 200 ");
        }
    }

    @Test
    void shouldServeNobodyWithoutAUserIfToldSo() throws IOException {
        user("app", "secret");
        try (BrokerServer server = start("allowAnonymous=false\n")) {
            assertThat(open(server, "", "")).contains(" 401 ");
            assertThat(open(server, "app", "secret")).startsWith("result 200 ");
            try (RawClient classic = new RawClient(server.port())) {
                assertThat(classic.ask("put t 0 1 0 7\r\nx").line()).startsWith("result 401 ");
                assertThat(classic.ask("get t g 0 0 1024 8\r\n").line()).startsWith("result 401 ");
                assertThat(classic.ask("version 9\r\n").line()).startsWith("result 200 ");
                classic.send(openLine("app", "secret"));
                assertThat(classic.read().line()).startsWith("result 200 ");
                assertThat(classic.ask("put t 0 1 0 7\r\nx").line()).startsWith("result 200 ");
            }
        }
    }

    @Test
    void shouldReadTheUsersAgainWhenAskedTo() throws IOException {
        user("app", "old");
        try (BrokerServer server = start("");
                RawClient operator = new RawClient(server.port())) {
            assertThat(open(server, "app", "old")).startsWith("result 200 ");
            user("app", "new");
            assertThat(open(server, "app", "old")).as("before").startsWith("result 200 ");
            assertThat(operator.ask("reload 0 1\r\n").text()).contains("users: 1 in ");
            assertThat(open(server, "app", "old")).contains(" 401 ");
            assertThat(open(server, "app", "new")).startsWith("result 200 ");

            Files.writeString(users(), "nonsense");
            RawClient.Answer refused = operator.ask("reload 0 2\r\n");
            assertThat(refused.line()).startsWith("result 400 ");
            assertThat(refused.text()).contains("users:1: ");
            assertThat(open(server, "app", "new")).as("as before").startsWith("result 200 ");
        }
    }

    @Test
    void shouldNotStartWithoutTheFileThatItIsTold() {
        assertThatThrownBy(() -> start("").close())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("metaq user add");
        assertThatThrownBy(
                        () ->
                                ServerConfig.builder()
                                        .set(ConfigKey.ALLOW_ANONYMOUS, "false")
                                        .build())
                .hasMessageContaining("allowAnonymous = false needs users");
    }

    private Path users() {
        return directory.resolve("users");
    }

    private void user(String name, String password) {
        UsersFile.put(users(), name, PasswordHash.of(password.toCharArray(), ITERATIONS));
    }

    private BrokerServer start(String more) throws IOException {
        Path file = directory.resolve("server.ini");
        Files.writeString(file, "[system]\nusers=users\n" + more + "[topic=t]\n");
        return BrokerServer.start(
                ServerConfig.builder()
                        .file(ConfigFile.read(file))
                        .set(ConfigKey.JOURNAL_SEGMENT_SIZE, "1M")
                        .dataPath(directory.resolve("data"))
                        .port(0)
                        .bindAddress("127.0.0.1")
                        .build());
    }

    private static byte[] openLine(String user, String password) {
        CommandCodec.Frame frame =
                CommandCodec.encode(
                        new Command.Open(CommandCodec.PROTOCOL_VERSION, user, password, "", 1));
        byte[] body = new byte[frame.body().remaining()];
        frame.body().duplicate().get(body);
        return (new String(frame.line(), StandardCharsets.ISO_8859_1)
                        + new String(body, StandardCharsets.ISO_8859_1))
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The line of the answer. */
    private static String open(BrokerServer server, String user, String password)
            throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send(openLine(user, password));
            return client.read().line();
        }
    }
}
