package org.metaq.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.server.config.ConfigFile;
import org.metaq.server.config.ConfigKey;
import org.metaq.server.config.ServerConfig;

/** The command line of {@code metaq reload} against a whole broker. */
@Timeout(120)
class ReloadMainIT {
    @TempDir Path directory;

    @Test
    void shouldReloadFromTheCommandLine() throws IOException {
        Path file = directory.resolve("server.ini");
        Files.writeString(file, "[system]\nbrokerId=3\n[topic=orders]");
        String port;
        try (BrokerServer server = startServer(file)) {
            port = Integer.toString(server.port());
            Files.writeString(file, "[system]\nbrokerId=3\n[topic=orders]\n[topic=fresh]");
            assertThat(output(0, "--port", port)).isEqualTo("topic fresh: added");
            Files.writeString(file, "[sytem]");
            assertThat(output(1, "--port", port))
                    .startsWith("metaq reload: nothing was changed: BAD_REQUEST ")
                    .contains("unknown section [sytem]");
        }
        assertThat(output(1, "--port", port)).startsWith("metaq reload: 127.0.0.1:" + port);
    }

    private BrokerServer startServer(Path file) {
        return BrokerServer.start(
                ServerConfig.builder()
                        .file(ConfigFile.read(file))
                        .set(ConfigKey.JOURNAL_SEGMENT_SIZE, "1M")
                        .dataPath(directory.resolve("data"))
                        .port(0)
                        .bindAddress("127.0.0.1")
                        .build());
    }

    /** What it printed, on either stream. */
    private static String output(int status, String... arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream captured = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        try {
            System.setOut(captured);
            System.setErr(captured);
            assertThat(ReloadMain.execute(arguments)).isEqualTo(status);
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
        return bytes.toString(StandardCharsets.UTF_8).trim();
    }
}
