package org.metaq.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.protocol.Delivery;
import org.metaq.server.config.ConfigException;
import org.metaq.server.config.ServerConfig;

/** Real sockets before a broker without a store. */
@Timeout(120)
class BrokerServerIT {
    @TempDir Path directory;

    private final FakeCore core = new FakeCore();
    private final BrokerServer server = BrokerServer.start(config(0), wake -> core);

    private static ServerConfig config(int port) {
        return ServerConfig.builder().port(port).bindAddress("127.0.0.1").build();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void shouldPickAFreePortAndAnswerPipelinedCommands() throws IOException {
        assertThat(server.port()).isPositive();
        try (RawClient client = new RawClient(server.port())) {
            client.send("version 1\r\nput t 0 5 0 -1 2\r\nhelloversion 3\r\n");
            assertThat(client.read().line()).isEqualTo("result 200 2 1");
            assertThat(client.read().line()).isEqualTo("result 200 2 2");
            assertThat(client.read().line()).isEqualTo("result 200 2 3");
            client.send("quit\r\n");
            assertThat(client.isClosedByServer()).isTrue();
        }
        Awaitility.await().until(() -> core.disconnected.get() == 1);
    }

    @Test
    void shouldSendBytesOfAFileWithoutClosingIt() throws IOException {
        byte[] bytes = new byte[300_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        Path file = directory.resolve("log");
        Files.write(file, bytes);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                RawClient client = new RawClient(server.port())) {
            core.file = channel;
            for (int i = 0; i < 3; i++) {
                assertThat(client.ask("get t g 0 0 300000 1\r\n").body()).isEqualTo(bytes);
                assertThat(client.ask("get t g 0 0 100 1\r\n").body()).hasSize(100);
                RawClient.Answer acquired = client.ask("acquire 1 3 100000 0 0 9\r\n");
                int prefix = Delivery.PREFIX_LENGTH;
                assertThat(acquired.line()).isEqualTo("value " + (300_000 + 3 * prefix) + " 9");
                assertThat(acquired.body()[prefix]).isZero();
                assertThat(acquired.body()[prefix + 1]).isEqualTo((byte) 1);
            }
            assertThat(channel.isOpen()).isTrue();
        }
    }

    @Test
    void shouldKeepFileAndCopyApartOnlyInHowTheyAreSent() throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            for (int length : new int[] {0, 1, 16_384, 65_535, 65_536, 300_000}) {
                byte[] body = client.ask("get t g 0 0 " + length + " 1\r\n").body();
                assertThat(body).hasSize(length);
                for (int i = 0; i < length; i += 997) {
                    assertThat(body[i]).isEqualTo((byte) i);
                }
            }
        }
    }

    @Test
    void shouldBoundMemoryForAClientThatDoesNotReadItsReplies() throws Exception {
        try (RawClient slow = new RawClient(server.port(), 8192);
                RawClient other = new RawClient(server.port())) {
            // replies of a megabyte are asked for, in one packet, and none is read
            slow.send("get t g 0 0 1000000 1\r\n".repeat(50));
            Awaitility.await().until(() -> core.submitted.get() == 50);
            assertThat(other.ask("version 1\r\n").line()).endsWith(" 1");
            // so many of them wait that no more commands are taken
            slow.send("get t g 0 0 1000000 1\r\n".repeat(1000));
            for (int i = 0; i < 100; i++) {
                assertThat(other.ask("version " + i + "\r\n").line()).endsWith(" " + i);
            }
            assertThat(core.submitted.get()).isEqualTo(50 + 1 + 100);
        }
    }

    @Test
    void shouldServeAPipeliningClientThatReadsLate() throws Exception {
        try (RawClient client = new RawClient(server.port(), 8192)) {
            for (int i = 0; i < 40; i++) {
                client.send("get t g 0 0 1000000 " + i + "\r\n");
            }
            for (int i = 0; i < 40; i++) {
                RawClient.Answer answer = client.read();
                assertThat(answer.line()).isEqualTo("value 1000000 " + i);
                assertThat(answer.body()[999_999]).isEqualTo((byte) 999_999);
            }
        }
    }

    @Test
    void shouldCloseAllAndReportWhenTheBrokerFails() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send("version 1\r\nstats fail 2\r\n");
            assertThat(server.failure().get(20, TimeUnit.SECONDS)).hasMessage("told to fail");
            Awaitility.await().until(client::isClosedByServer);
        }
        int port = server.port();
        Awaitility.await()
                .until(
                        () -> {
                            try (Socket socket = new Socket("127.0.0.1", port)) {
                                return false;
                            } catch (IOException e) {
                                return true;
                            }
                        });
        server.close();
        assertThat(core.ends).containsExactly("abandon");
    }

    @Test
    void shouldAnswerWhatItReceivedBeforeItStops() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send("version 1\r\n");
            assertThat(client.read().line()).isEqualTo("result 200 2 1");
            server.close();
            assertThat(client.isClosedByServer()).isTrue();
        }
        assertThat(core.ends).containsExactly("close");
    }

    @Test
    void shouldSayThatThePortIsTaken() throws IOException {
        FakeCore second = new FakeCore();
        try (ServerSocket taken = new ServerSocket(0)) {
            assertThatThrownBy(
                            () -> BrokerServer.start(config(taken.getLocalPort()), wake -> second))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
        assertThat(second.ends).containsExactly("close");
    }
}
