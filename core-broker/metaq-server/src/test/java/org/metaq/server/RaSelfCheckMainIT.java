package org.metaq.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code metaq ra-selfcheck} of what is no application server; the tests with servers do others.
 */
@Timeout(120)
class RaSelfCheckMainIT {
    @TempDir Path directory;

    @Test
    void shouldSayThatAProcessHasNoResourceAdapter() throws Exception {
        String pid;
        try (BrokerProcess broker = BrokerProcess.on(directory).start()) {
            pid = Long.toString(broker.pid());
            assertThat(errors(1, "--pid", pid, "java:/jms/metaq"))
                    .startsWith("metaq ra-selfcheck: process " + pid)
                    .contains("no resource adapter of MetaQ is there");
        }
        assertThat(errors(1, "--pid", pid, "java:/jms/metaq")).contains("process " + pid);
    }

    @Test
    void shouldWantAProcessAndAName() {
        assertThat(errors(2, "--pid", "1")).contains("FACTORY");
        assertThat(errors(2, "java:/jms/metaq")).contains("--pid");
    }

    private static String errors(int status, String... arguments) {
        PrintStream err = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
            assertThat(RaSelfCheckMain.execute(arguments)).isEqualTo(status);
        } finally {
            System.setErr(err);
        }
        return bytes.toString(StandardCharsets.UTF_8).trim();
    }
}
